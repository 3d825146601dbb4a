// Package profile measures the properties of a source of inputs that matter to a system that
// separates popular rows. It measures the skew of accesses to the rows of each table, and how long
// a hot set stays effective. For hot sets of several sizes, it measures the shares of accesses and
// inputs that they serve. It compares the results with Targets, and writes them as text or as one
// HTML page with charts.
//
// Run reads the source twice, in constant memory. It uses two counters of 4 bytes, one byte and two
// bits per row. If there are more rows than Options.Counters, rows of the largest tables share
// counters by a hash. Rows that share a counter appear as one row with the sum of their reads. The
// report marks the affected tables.
//
// Hot sets consist of the most read rows over all tables. Ties go to lower tables and lower row
// numbers.
package profile
