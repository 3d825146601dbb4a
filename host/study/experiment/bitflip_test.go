package experiment_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/study/experiment"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/hotline"
	"github.com/hotline-rtl/hotline/sim"
)

// gpuMemory is the first address in the memories of the GPUs.
const gpuMemory = 1 << 42

// bitFlipper is a simulator that flips one bit of the n-th chosen write, counted from 1.
type bitFlipper struct {
	sim.Simulator
	n, bit  int
	chosen  func(addr uint64, size int) bool
	names   []string
	writes  []write // writes whose descriptors have been issued
	flipped bool
}

type write struct{ size, given, number int }

func newBitFlipper(s sim.Simulator, n, bit int, chosen func(addr uint64, size int) bool) *bitFlipper {
	x := &bitFlipper{Simulator: s, n: n, bit: bit, chosen: chosen}
	for _, p := range s.Ports() {
		x.names = append(x.names, p.Name)
	}
	return x
}

// Get implements sim.Simulator.
func (x *bitFlipper) Get(port int, value []uint64) {
	x.Simulator.Get(port, value)
	if x.names[port] == "m_axis_write_data_tdata" && x.begins() {
		value[x.bit/64] ^= 1 << (x.bit % 64)
	}
}

// begins reports whether the next beat is the first beat of the selected write.
func (x *bitFlipper) begins() bool {
	return len(x.writes) > 0 && x.writes[0].number == 0 && x.writes[0].given == 0
}

// fires reports whether a stream transfers a beat at the next clock edge.
func (x *bitFlipper) fires(valid, ready string) bool {
	return sim.Find(x.Simulator, valid).Bool() && sim.Find(x.Simulator, ready).Bool()
}

// Step implements sim.Simulator.
func (x *bitFlipper) Step() error {
	if x.fires("m_axis_write_data_tvalid", "m_axis_write_data_tready") {
		x.flipped = x.flipped || x.begins()
		w := &x.writes[0]
		if w.given += 8 * len(sim.Find(x.Simulator, "m_axis_write_data_tdata").Words()); w.given >= w.size {
			x.writes = x.writes[1:]
		}
	}
	if x.fires("m_axis_write_desc_valid", "m_axis_write_desc_ready") {
		w := write{size: int(sim.Find(x.Simulator, "m_axis_write_desc_len").Get()), number: -1}
		if x.chosen(sim.Find(x.Simulator, "m_axis_write_desc_dma_addr").Get(), w.size) {
			x.n--
			w.number = x.n
		}
		x.writes = append(x.writes, w)
	}
	return x.Simulator.Step()
}

// TestSabotage flips one bit of a write, after the accelerator has computed its checksum. The error
// is detected, and the resulting parameters are unchanged.
func TestSabotage(t *testing.T) {
	toGPU := func(addr uint64, _ int) bool { return addr >= gpuMemory }
	completion := func(addr uint64, size int) bool { return addr < gpuMemory && size == 32 }
	for _, c := range []struct {
		name   string
		n, bit int
		chosen func(addr uint64, size int) bool
		count  string // label of the recovery count
	}{
		// The first writes are the bitmaps of the first two mini-batches, to both GPUs.
		{"pooled vector", 5, 20, toGPU, hotline.CountRepeated},
		{"popularity bitmap", 1, 3, toGPU, hotline.CountRepeated},
		{"completion", 3, 9, completion, hotline.CountRepeated},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := newJob(t, nil)
			x := newBitFlipper(engine(t), c.n, c.bit, c.chosen)
			j.Accelerator = experiment.Cycle("interp", x)
			r, err := experiment.Run(t.Context(), j)
			require.NoError(t, err)
			require.True(t, x.flipped)
			require.True(t, r.Identical())
			require.Contains(t, system(t, r, "hotline").Counts, train.Count{Label: c.count, N: 1})
		})
	}
}
