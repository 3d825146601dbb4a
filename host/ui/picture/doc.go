// Package picture draws lines over an axis, stacked bars, ranges, and tracks of work over time. A
// picture is an SVG for a page with [Style] or a separate [File]. It needs no other file and no
// script.
//
//	chart := picture.Lines{Title: "Loss", Text: "It falls.", Lines: []picture.Line{{Name: "hybrid", X: x, Y: y}}}
//	io.WriteString(w, chart.SVG())
//
// The package guarantees:
//   - The same picture gives the same bytes, which are well-formed XML for any names.
//   - Each picture has a title and a description. Items that differ in colour also differ in a
//     name, a sign or a position.
//   - No name overlaps its neighbours. It is divided into lines or, in a block, omitted and shown
//     as a tooltip.
//   - The text of a tick is complete. An axis has a unit that suits its values. If ticks differ
//     only in late digits, they count from a number in the axis's label.
package picture
