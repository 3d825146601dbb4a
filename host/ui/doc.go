// Package ui contains the packages for input and output that people read or write. It contains only
// documentation:
//
//	hclfile   files in HCL, with limits on their size and nesting
//	input     whole files that users name
//	format    numbers, sizes and times as text
//	table     tables for terminals and pipes
//	picture   charts and time lines in SVG
//
// These packages guarantee that no input exhausts memory or blocks the program. Errors in a file
// are reported with their lines. Equal values give equal bytes.
package ui
