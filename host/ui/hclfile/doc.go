// Package hclfile reads all HCL files: configurations, machines, software profiles, fault plans,
// sweeps and records of papers. All HCL parsing goes through it.
//
// The parser and the evaluator of HCL are recursive and unlimited. A file of 100 kB can overflow
// the stack, and a "for" expression of 110 characters can run for hours. This package therefore
// limits the size of a file, its nesting and its number of attributes. It also limits the range of
// numbers and the output of "for" expressions. See [File].
//
// Errors have one line per mistake, which starts with the file name and the line number. They list
// the first ten mistakes and count all others.
package hclfile
