// Package papermap lists where the boxes, figures and tables of the five papers are in this
// repository: Verilog module, package, command and test.
//
// The list is data, in HCL. A test checks that each module, package and test exists, that a module
// is declared in its package, and that no figure or table of a paper is missing.
package papermap
