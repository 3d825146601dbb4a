// Package models has the cycle models of the shipped configurations: generated
// Go, a package each, never edited. Importing it makes them available to
// sim/compiled:
//
//	import _ "github.com/hotline-rtl/hotline/hw/hotline/models"
//
// The rule for what is here: a program without a Go toolchain or without the source of this
// module builds no model, so those of the configurations that it has embedded (package configs)
// are committed, and no others. Any other model is made where it is needed
// (sim/compiled.Build, hotline gen --go).
//
// A test bench of one configuration imports that package alone and uses its
// Model. After a change of the hardware or of the generator, go generate makes
// the models anew; a test tells when that is due.
package models

import (
	_ "github.com/hotline-rtl/hotline/hw/hotline/models/paper" // registers itself
	_ "github.com/hotline-rtl/hotline/hw/hotline/models/small" // likewise
)

//go:generate go run generate.go
