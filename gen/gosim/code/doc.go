// Package code is Go code that is still to be printed: expressions of words, and the
// statements of a function.
//
// What decides about code looks at these trees, never at text. Operations on numbers
// are done when they are made, in 64 bits, as Go does its own constants without bounds.
// Prune drops what nothing reads; printing adds no more parentheses than Go needs.
package code
