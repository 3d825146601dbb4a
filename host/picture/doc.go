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
//   - that no name runs over what stands beside it: it is cut, and whole where the
//     pointer rests on it.
//
// It imports the standard library only.
package picture
