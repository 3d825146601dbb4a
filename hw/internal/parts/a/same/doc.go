// Package same has a module whose name is the name of modules in other packages. Tests of names use it.
package same

import "github.com/hotline-rtl/hotline/hw"

// Part is an empty module.
type Part struct{ Width int }

// Build describes the module.
func (Part) Build(*hw.Module) (ports struct{}) { return }
