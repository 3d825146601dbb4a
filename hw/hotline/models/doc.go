// Package models has the cycle model of the configuration small: generated Go, never
// edited. Importing the package makes the model available to sim/compiled:
//
//	import _ "github.com/hotline-rtl/hotline/hw/hotline/models"
//
// One model is committed so that the default run of each command starts at once and
// needs no Go toolchain. All others are built where they are needed, in seconds
// (sim/compiled.Build, hotline gen --go). Without a toolchain they are interpreted.
//
// A test bench of this configuration imports package models/small and uses its Model.
// After a change of the hardware or of the generator, go generate writes the model
// again. A test fails while it is stale.
package models

import (
	_ "github.com/hotline-rtl/hotline/hw/hotline/models/small" // registers itself
)

//go:generate go run generate.go
