// Package docs has the documents of the project from which programs read figures, so that none
// stands in two places.
package docs

import _ "embed"

// Synthesis is synthesis.md, with what blocks of the accelerator take in standard cells.
//
//go:embed synthesis.md
var Synthesis string
