irdl.dialect @uop {
}
