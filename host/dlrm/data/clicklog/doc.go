// Package clicklog implements the data source for logs with one input per record. Package schema
// reads the inputs, and an index.Rule maps their ids to rows.
//
// A Log is read in constant memory. Rule index.FirstPass additionally requires a first pass that
// collects the ids in memory. It needs 4 bytes per id and up to 21 bytes for its place in the
// index. The result of the pass is kept in a file next to the log.
//
// A Reader that is opened in the middle starts at the nearest preceding mark. There is a mark every
// 65,536 inputs, set by the first pass or by the first reader that reaches it.
package clicklog
