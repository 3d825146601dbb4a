// Package code is an intermediate form of Go code: expressions on words, and the statements of a
// function.
//
// Decisions about code are based on these trees, never on text. Operations on numbers are evaluated
// when they are built, in 64 bits; Go would evaluate its constants without bounds. Prune removes
// unused code. Printing adds only the parentheses that Go needs.
package code
