// Package models contains the cycle model of the configuration small, as generated Go. Importing
// the package makes the model available to sim/compiled:
//
//	import _ "github.com/hotline-rtl/hotline/hw/hotline/models"
//
// One model is committed, so that the default run of each command starts immediately and needs no
// Go toolchain. Models of other configurations are built on demand, in seconds (sim/compiled.Build,
// hotline gen --go). Without a toolchain, other configurations are interpreted.
//
// A test bench of the configuration small imports package models/small and uses its Model. After a
// change of the hardware or of the generator, go generate regenerates the model. A test fails while
// the model is stale.
package models

import (
	_ "github.com/hotline-rtl/hotline/hw/hotline/models/small" // registers itself
)

//go:generate go run generate.go
