// Package clicklog is the source that all logs share which have an input per line: label, dense features, and ids, which an
// index.Rule turns into rows. A Format parses a line; packages criteo and avazu have one each.
//
// A Log reads in constant memory. Under index.FirstPass it is read once before, for the ids, which have to be in memory: 4 bytes
// for each and up to 21 for its place in the index. What the pass finds is kept in a file beside the log.
//
// A Reader that is opened in the middle begins at the nearest known mark before: every 65,536 inputs there is one, from the first
// pass or from the first reader that came by.
package clicklog
