// Package clib makes a C library of a design: a folder with its cycle model
// (gen/gosim), a main package that exports it to C, a C header, a C++ class and a
// Python class with the ports as members, a Makefile and a README.
//
// Equal designs and options give equal bytes. The folder is a Go module of its own
// that needs this module's source, where Options says that it is, a Go toolchain and
// a C compiler. docs/how-to/c-library.md is for those who use the library.
package clib
