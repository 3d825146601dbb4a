// Package profile measures what a source of inputs is like, as a system that keeps popular rows apart will see it: how unequally
// the rows of each table are read, which share of the accesses and of the inputs a hot set of a given size serves, and how long a
// hot set stays good. It compares that with Targets, and shows it as text or as one HTML page with a picture of each.
//
// Run reads the source twice, in constant memory: two counters of 4 bytes, a byte and two bits per row. If the rows are more than
// Options.Counters, those of the largest tables share counters by a hash; rows that share one look like one row that is read as
// often as both, and the report says for which tables this is so.
//
// Hot sets are made of what was counted: the rows that were read most, over all tables; of rows that were read equally often,
// those of lower tables and lower numbers come first.
package profile
