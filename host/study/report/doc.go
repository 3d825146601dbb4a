// Package report is the outcome of an experiment as values, as a table for people, as
// JSON, as a page with pictures and as a trace.
//
// It promises that no time and no speed-up is printed without its range and what it
// depends on most, that the same report gives the same bytes, and that the page needs no
// other file.
package report
