// Package picture draws: lines over an axis, stacked bars, ranges, and tracks of
// work over time. A picture is SVG that stands in a page with [Style], or alone as
// a [File]; it needs no other file and no script.
//
//	chart := picture.Lines{Title: "Loss", Text: "It falls.", Lines: []picture.Line{{Name: "hybrid", X: x, Y: y}}}
//	io.WriteString(w, chart.SVG())
//
// It promises
//   - that the same picture gives the same bytes, which are well-formed XML
//     whatever the names in it are;
//   - that each picture has a title and a description, and that what differs in
//     colour differs in a name, a sign or a place, too;
//   - that no name runs over its neighbours: it is divided into lines, or, in a block, left out
//     and shown where the pointer rests;
//   - that the text of a tick is whole: an axis has a unit that suits its values, and where ticks
//     differ in late digits only, they count from a number in the axis's label.
package picture
