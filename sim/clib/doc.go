// Package clib generates a C library of a design. The result is a directory with the cycle model
// (gen/gosim) and a main package that exports it to C. It also contains a C header, a C++ class and
// a Python class with the ports as members, a Makefile and a README.
//
// The output is byte-identical for equal designs and options. The directory is a separate Go
// module. It requires this module's source at the path given in Options, a Go toolchain and a C
// compiler. Users of the library find its documentation in docs/how-to/c-library.md.
package clib
