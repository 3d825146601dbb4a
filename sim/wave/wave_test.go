package wave_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/interp"
	"github.com/hotline-rtl/hotline/sim/simtest"
	"github.com/hotline-rtl/hotline/sim/wave"
)

// play pushes three words into lane 1 of two queues and pops two.
func play(t *testing.T, r wave.Recorder) {
	d, err := hw.Elaborate(simtest.FIFOArray{Lanes: 2, Width: 70, Depth: 2})
	require.NoError(t, err)
	s, err := interp.New(d, interp.Record(r))
	require.NoError(t, err)
	pushValid, popReady := sim.Find(s, "push_valid"), sim.Find(s, "pop_ready")
	data := make([]uint64, 3)
	for cycle := range 7 {
		s.SetReset(cycle == 0)
		pushValid.Set([]uint64{0, 2, 2, 2, 0, 0, 0}[cycle])
		popReady.Set([]uint64{0, 0, 0, 0, 2, 2, 0}[cycle])
		data[1] = uint64(0x0abcdef0+cycle) << 6 // element 1 begins at bit 70
		sim.Find(s, "push_data").SetWords(data)
		require.NoError(t, s.Step())
	}
}

func golden(t *testing.T, name, got string) {
	file := filepath.Join("testdata", name)
	if os.Getenv("UPDATE") != "" {
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}

func TestVCD(t *testing.T) {
	var b bytes.Buffer
	v := wave.NewVCD(&b, 2857)
	play(t, v)
	require.NoError(t, v.Close())
	golden(t, "fifos.vcd", b.String())
}

func TestTail(t *testing.T) {
	tail := wave.NewTail(5, "rst", "lane[1].fifo.push_valid", "lane[1].fifo.push_data", "lane[1].fifo.count", "lane[1].fifo.pop_valid")
	play(t, tail)
	golden(t, "fifos.txt", tail.String())
}

func TestTailUnknown(t *testing.T) {
	d, err := hw.Elaborate(simtest.FIFO{Width: 8, Depth: 2})
	require.NoError(t, err)
	_, err = interp.New(d, interp.Record(wave.NewTail(5, "push_valid", "lane[1].valid")))
	require.EqualError(t, err, `wave: no signal "lane[1].valid"`)
}

// TestCodes checks that no two signals share a code.
func TestCodes(t *testing.T) {
	var b bytes.Buffer
	v := wave.NewVCD(&b, 10)
	require.NoError(t, v.Begin("top", make20000()))
	require.NoError(t, v.Close())
	seen := map[string]bool{}
	for _, line := range strings.Split(b.String(), "\n") {
		if f := strings.Fields(line); len(f) > 3 && f[0] == "$var" {
			require.False(t, seen[f[3]], f[3])
			seen[f[3]] = true
		}
	}
	require.Len(t, seen, 20001)
}

func make20000() []wave.Signal {
	out := make([]wave.Signal, 20000)
	for i := range out {
		out[i] = wave.Signal{Path: []string{"x"}, Width: 1}
	}
	return out
}

// full is a disk with limited capacity.
type full struct{ room int }

func (f *full) Write(p []byte) (int, error) {
	if f.room -= len(p); f.room < 0 {
		return 0, errors.New("disk full")
	}
	return len(p), nil
}

func TestVCDWriteError(t *testing.T) {
	v := wave.NewVCD(&full{}, 10)
	require.EqualError(t, v.Begin("top", nil), "disk full")
	v.Cycle(0)
	require.EqualError(t, v.Close(), "disk full")

	v = wave.NewVCD(&full{room: 200}, 10)
	require.NoError(t, v.Begin("top", nil))
	for n := range uint64(20_000) {
		v.Cycle(n)
	}
	require.EqualError(t, v.Close(), "disk full")
}

// TestVCDWithoutEngine: a dump that no engine has begun is an error, not an empty file.
func TestVCDWithoutEngine(t *testing.T) {
	var b bytes.Buffer
	v := wave.NewVCD(&b, 10)
	require.EqualError(t, v.Close(), "wave: the VCD is empty, because no engine records to it; pass it to the engine, as in interp.Record(v)")
	require.NoError(t, v.Begin("top", nil))
	require.NoError(t, v.Close())
}

// TestNoCycle: a failure before the first step shows no waveform.
func TestNoCycle(t *testing.T) {
	tail := wave.NewTail(8, "x")
	require.NoError(t, tail.Begin("top", []wave.Signal{{Path: []string{"x"}, Width: 1}}))
	require.Equal(t, "no cycle was recorded\n", tail.String())
	tail.Cycle(0)
	require.Equal(t, "cycle |0\nx     |?\n", tail.String())
}

func TestText(t *testing.T) {
	got := wave.Text(98, []wave.Row{
		{Name: "valid", Width: 1, Values: [][]uint64{{0}, {1}, {1}, {0}, nil}},
		{Name: "data", Width: 8, Values: [][]uint64{{0x3f}, {0x3f}, {0x40}, nil, {0x41}}},
		{Name: "wide", Width: 128, Values: [][]uint64{{1, 0}, {1, 1}, {1, 1}, {0, 1}, {0, 0}}},
	})
	require.Equal(t, `
cycle |98           99           100          101          102
valid |____________/-------------------------\____________|?
data  |3f                       |40          |?           |41
wide  |1           |..0000000001             |..0000000000|0
`, "\n"+got)
}
