"""The boundary between callers' arrays and compiled code: conversion, checks, and errors that name the source line.

Reading order: `errors`, `arrays`, `signature`.
"""
