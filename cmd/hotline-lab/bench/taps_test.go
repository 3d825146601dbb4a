package bench

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/top"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// TestTap checks the taps of the bus, which is connected from the top module to its slave without
// logic.
func TestTap(t *testing.T) {
	d, err := hw.Elaborate(top.Hotline{Params: arch.Small()})
	require.NoError(t, err)
	before := len(d.Top.Ports)
	tap(d)
	require.Greater(t, len(d.Top.Ports), before+100)
	s, err := interp.New(d)
	require.NoError(t, err)
	f := sim.NewFormat(s.Ports())
	stimulus, frame := sim.Random(f, 1), make([]uint64, f.InWords)
	data, tapData := sim.Find(s, "s_axil_wdata"), sim.Find(s, "tap_csr_slave_s_axil_wdata")
	ready, tapReady := sim.Find(s, "s_axil_awready"), sim.Find(s, "tap_csr_slave_s_axil_awready")
	seen := map[uint64]bool{}
	for range 50 {
		require.NoError(t, stimulus.Next(frame))
		s.SetReset(frame[0] != 0)
		for _, x := range f.In {
			s.Set(x.Port, x.Of(frame))
		}
		require.Equal(t, data.Get(), tapData.Get())
		require.Equal(t, ready.Get(), tapReady.Get())
		seen[data.Get()] = true
		_ = s.Step() // random inputs may violate the assumptions of the design
	}
	require.Greater(t, len(seen), 3)
}

// TestTapped reads two cycles of a recording that also contains ports of other instances.
func TestTapped(t *testing.T) {
	var b bytes.Buffer
	for _, w := range []uint64{
		3, 0, 1, 1, 7, 2, 8, // reset, a field of another instance, an input
		2, 0, 0, 3, 9, 10, // reset, an output of two words
	} {
		require.NoError(t, binary.Write(&b, binary.LittleEndian, w))
	}
	fields := []tapField{{0, 1}, {-1, 1}, {1, 1}, {2, 2}}
	text := b.Bytes()
	s := &tapped{r: bufio.NewReader(bytes.NewReader(text)), fields: fields}
	frame := make([]uint64, 4)
	require.NoError(t, s.Next(frame))
	require.Equal(t, []uint64{1, 8, 0, 0}, frame)
	require.NoError(t, s.Next(frame))
	require.Equal(t, []uint64{0, 8, 9, 10}, frame)
	require.Equal(t, io.EOF, s.Next(frame))

	s = &tapped{r: bufio.NewReader(bytes.NewReader(text)), fields: fields}
	frame = frame[:2]
	require.NoError(t, s.Next(frame))
	require.NoError(t, s.Next(frame))
	require.Equal(t, []uint64{0, 8}, frame)
}

// TestLively has an output that changes more and more often.
func TestLively(t *testing.T) {
	f := sim.NewFormat([]sim.Port{{Name: "a", Input: true, Type: ir.Type{Width: 1}}, {Name: "y", Type: ir.Type{Width: 64}}})
	var b bytes.Buffer
	value := uint64(0)
	for c := range 4 * interval {
		if c%8 < []int{1, 3, 5, 8}[c/interval] {
			value = ^value
		}
		require.NoError(t, binary.Write(&b, binary.LittleEndian, []uint64{1, 1, value}))
	}
	s := &tapped{r: bufio.NewReader(&b), fields: []tapField{{0, 1}, {f.InWords, 1}}}
	counts, err := s.lively(f)
	require.NoError(t, err)
	require.Len(t, counts, 4*interval)
	for c, counted := range counts {
		require.Equal(t, c >= 2*interval, counted, "cycle %d", c)
	}
}
