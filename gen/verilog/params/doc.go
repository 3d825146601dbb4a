// Package params finds Verilog modules with a parameter.
//
// It gets the syntax trees of modules that were elaborated for several values of a parameter:
// modules of a design, and probes whose values distinguish sums from products. Find derives how
// each size in the text follows from the parameter. It verifies this by comparing texts: a module
// belongs to the result only if the result gives exactly its own text for its value.
package params
