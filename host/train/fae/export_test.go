package fae

import (
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/train/fae/static"
)

// Inspection and faults for tests.

// Prepared returns the outcome of the static phase.
func (f *System) Prepared() *static.Prepared { return f.prepared }

// HotTable returns the hot table of GPU g.
func (f *System) HotTable(g int) *server.Region { return f.hot.gpus[g] }

// OnGPUs reports whether the newest hot rows are on the GPUs.
func (f *System) OnGPUs() bool { return f.hot.onGPUs }

// Forget clears the list of changed hot rows, so that the next swap copies none.
func (f *System) Forget() { f.hot.dirty.take() }

// Misplace inverts the record of where the newest hot rows are.
func (f *System) Misplace() { f.hot.onGPUs = !f.hot.onGPUs }

// HostRow reads the host memory of a row.
func (f *System) HostRow(table int, index uint32, dst []float32) error {
	return f.Tables.Read(table, index, dst)
}
