// Package index maps the ids of a log to rows of embedding tables, by a Rule. A rule uses a hash,
// the id modulo a size, or the order of first appearance. The first two need no knowledge of the
// log. The third requires a pass over the whole log. Keep stores its result in a file, and repeats
// the pass if the log has changed since.
//
// The number of rows of a table never depends on how many inputs are read.
package index
