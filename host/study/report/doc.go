// Package report formats the result of an experiment as values, as a table for people, as JSON, as
// a page with plots and as a trace.
//
// It guarantees that no time and no speed-up is printed without its range and the constants on
// which it depends most. Equal reports produce byte-identical output, and the page is
// self-contained.
package report
