package staticcache

import (
	"github.com/hotline-rtl/hotline/host/driver"
	"github.com/hotline-rtl/hotline/host/server"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/registry"
)

// Descriptions returns the description of the system.
func Descriptions() []registry.Description {
	return []registry.Description{{
		Name: "static-cache", Title: "hybrid with a static cache: the top rows of each table on the GPUs (ScratchPipe's baseline)",
		New: func(s *server.Server, _ driver.Device, from *train.State, _ registry.Setting) (train.System, error) {
			return New(s, from, DefaultOptions())
		},
	}}
}
