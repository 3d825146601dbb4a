package xdl

import "github.com/hotline-rtl/hotline/host/train/registry"

// Descriptions returns the description of the system.
func Descriptions() []registry.Description {
	return []registry.Description{{
		Name: "xdl", Title: "parameter server as XDL: workers pull dense parameters and rows, and push gradients",
		New: registry.Plain(New),
	}}
}
