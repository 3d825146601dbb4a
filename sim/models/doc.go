// Package models has the cycle models of the shipped configurations: generated
// Go, a package each, never edited. Importing it makes them available to
// sim/compiled:
//
//	import _ "github.com/hotline-rtl/hotline/sim/models"
//
// A test bench of one configuration imports that package alone and uses its
// Model. After a change of the hardware or of the generator, go generate makes
// the models anew; a test tells when that is due.
package models

import (
	_ "github.com/hotline-rtl/hotline/sim/models/paper" // registers itself
	_ "github.com/hotline-rtl/hotline/sim/models/small" // likewise
)

//go:generate go run generate.go
