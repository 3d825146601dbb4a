package hugectr

import "github.com/hotline-rtl/hotline/host/train/registry"

// Descriptions returns the description of the system.
func Descriptions() []registry.Description {
	return []registry.Description{{
		Name: "hugectr", Title: "GPUs alone, as HugeCTR: tables dealt out row by row, rows exchanged all to all",
		New: registry.Plain(New),
	}}
}
