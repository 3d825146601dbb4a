// Package ui is the room for what people write and read. It has no code of its own:
//
//	hclfile   files in HCL, with limits on their size and nesting
//	input     whole files that users name
//	format    numbers, sizes and times as text
//	table     tables for terminals and pipes
//	picture   charts and time lines in SVG
//
// Its packages guarantee that no input exhausts memory or blocks the program, that a mistake in a
// file is reported with its line, and that equal values give equal bytes.
//
// The room is above host/des and imports nothing else of this module.
package ui
