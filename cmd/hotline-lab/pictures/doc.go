// Package pictures draws the pictures of the documents from runs of the design, from its parameters,
// and from Go types and functions. No picture is drawn by hand, so a picture is stale if and only if
// its bytes differ from those that this package writes; a test compares them.
package pictures
