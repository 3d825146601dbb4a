package hotline

import (
	"github.com/hotline-rtl/hotline/host/driver"
	"github.com/hotline-rtl/hotline/host/server"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/registry"
)

// Descriptions returns the description of the system.
func Descriptions() []registry.Description {
	return []registry.Description{{
		Name: "hotline", Title: "Hotline (ISCA 2024): hot rows on the GPUs, the accelerator gathers the others", Accelerated: true,
		New: func(s *server.Server, dev driver.Device, from *train.State, with registry.Setting) (train.System, error) {
			o := DefaultOptions()
			o.Sample, o.Relearn = with.LearnShare, with.Relearn
			return New(s, dev, from, o)
		},
	}}
}
