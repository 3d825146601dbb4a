package cpuhotline

import (
	"github.com/hotline-rtl/hotline/host/driver"
	"github.com/hotline-rtl/hotline/host/server"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/registry"
)

// Descriptions returns the description of the system, which has as many hot rows as the
// accelerator has blocks for.
func Descriptions() []registry.Description {
	return []registry.Description{{
		Name: "cpu-hotline", Title: "Hotline without an accelerator: the CPU learns, segregates, collects and updates",
		New: func(s *server.Server, _ driver.Device, from *train.State, with registry.Setting) (train.System, error) {
			return New(s, from, Options{Rows: min(with.Blocks, from.Model.Rows()), Sample: with.LearnShare, Relearn: with.Relearn})
		},
	}}
}
