// Package index turns the ids of a log into rows of embedding tables, by a Rule: by a hash, by their value modulo a size, or in
// the order in which they first appear. The first two need no knowledge of the log. The third takes a pass over all of it, whose
// outcome Save keeps in a file that Load refuses when the log has changed since.
//
// The number of rows of a table never depends on how many inputs are read.
package index
