package fae

import (
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/train/fae/static"
)

// What tests look at and break.

// Prepared is what the static phase found out.
func (f *System) Prepared() *static.Prepared { return f.prepared }

// HotTable is the hot table of GPU g.
func (f *System) HotTable(g int) *server.Region { return f.hot.gpus[g] }

// OnGPUs tells where hot rows are newest.
func (f *System) OnGPUs() bool { return f.hot.onGPUs }

// Forget forgets which hot rows changed, so that the next swap copies none.
func (f *System) Forget() { f.hot.dirty.take() }

// Misplace says that hot rows are newest where they are not.
func (f *System) Misplace() { f.hot.onGPUs = !f.hot.onGPUs }

// HostRow reads what host memory holds of a row.
func (f *System) HostRow(table int, index uint32, dst []float32) error {
	return f.Tables.Read(table, index, dst)
}
