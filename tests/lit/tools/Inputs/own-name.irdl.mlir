irdl.dialect @uop {
  irdl.type @own
}
