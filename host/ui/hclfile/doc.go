// Package hclfile reads all files in HCL: configurations, machines, software profiles, fault
// plans, sweeps and records of papers. It is the only importer of HCL's parsers.
//
// The parser and the evaluator of HCL are recursive and have no limits, so a file of 100 kB
// can overflow the stack, and a "for" expression of 110 characters can run for hours. This
// package limits the size of a file, its nesting, the number of its attributes, the range of
// its numbers, and how much its "for" expressions produce. See [File].
//
// Errors have a line for each mistake, which begins with file and line. They list the first
// ten mistakes and count the others.
package hclfile
