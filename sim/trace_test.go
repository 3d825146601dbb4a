package sim_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/simtest"
)

// record returns a trace of 300 random cycles together with its frames and format.
func record[P any](t *testing.T, g hw.Generator[P]) (file []byte, frames [][]uint64, f *sim.Format) {
	d, s := engine(t, g)
	var b bytes.Buffer
	r := sim.NewRecorder(s, sim.Hash(d), &b)
	f = sim.NewFormat(s.Ports())
	random := sim.Random(f, 5)
	frame := make([]uint64, f.InWords)
	for range 300 {
		require.NoError(t, random.Next(frame))
		frames = append(frames, append([]uint64(nil), frame...))
		r.SetReset(frame[0] == 1)
		for _, x := range f.In {
			r.Set(x.Port, x.Of(frame))
		}
		require.NoError(t, r.Step())
	}
	require.NoError(t, r.Close())
	return b.Bytes(), frames, f
}

func TestTrace(t *testing.T) {
	g := simtest.FIFOArray{Lanes: 3, Width: 70, Depth: 4}
	file, frames, f := record(t, g)
	trace, err := sim.NewTrace(bytes.NewReader(file), f)
	require.NoError(t, err)
	d, _ := engine(t, g)
	require.Equal(t, sim.Hash(d), trace.Design)
	frame := make([]uint64, f.InWords)
	for i, want := range frames {
		require.NoError(t, trace.Next(frame))
		require.Equal(t, want, frame, "cycle %d", i)
	}
	require.Equal(t, io.EOF, trace.Next(frame))
}

// TestTraceTruncated: a file cut at any offset gives an error.
func TestTraceTruncated(t *testing.T) {
	file, _, f := record(t, sums{})
	for n := range len(file) {
		trace, err := sim.NewTrace(bytes.NewReader(file[:n]), f)
		frame := make([]uint64, f.InWords)
		for err == nil {
			err = trace.Next(frame)
		}
		require.NotEqual(t, io.EOF, err, "%d bytes", n)
		if n > 20 {
			require.ErrorContains(t, err, "the file is truncated")
		}
	}
}

func TestTraceErrors(t *testing.T) {
	file, _, f := record(t, sums{})
	zip, err := gzip.NewReader(bytes.NewReader(file))
	require.NoError(t, err)
	text, err := io.ReadAll(zip)
	require.NoError(t, err)
	for _, c := range []struct{ name, old, new, want string }{
		{"version", "hotline-trace 1", "hotline-trace 2", `sim: the file begins with "hotline-trace 2", expected "hotline-trace 1"`},
		{"design", "design ", "diseng ", `sim: line 2 is "diseng `},
		{"port", "input x 8", "input x 9", `sim: recorded on other ports: the file has "input x 9" where the design has "input x 8"`},
		{"field", "cycles\n", "cycles\n\x02\x07", `cycle 0 of the trace: input 7 of 3`},
		{"end", "cycles\n", "cycles\n\x01\x00\x05", `cycle 1 of the trace: the file says that it has 5 cycles`},
		{"more", "cycles\n", "cycles\n\x01\x00\x01", `cycle 1 of the trace: after the end: more data`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b bytes.Buffer
			w := gzip.NewWriter(&b)
			_, err := w.Write([]byte(strings.Replace(string(text), c.old, c.new, 1)))
			require.NoError(t, err)
			require.NoError(t, w.Close())
			trace, err := sim.NewTrace(&b, f)
			frame := make([]uint64, f.InWords)
			for err == nil {
				err = trace.Next(frame)
			}
			require.ErrorContains(t, err, c.want)
		})
	}
	_, err = sim.NewTrace(strings.NewReader("hello, this is text"), f)
	require.ErrorContains(t, err, "not a trace file: gzip: invalid header")
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestRecorderError(t *testing.T) {
	_, s := engine(t, sums{})
	r := sim.NewRecorder(s, "", fullDisk{})
	require.NoError(t, r.Step())
	require.EqualError(t, r.Close(), "disk full")
}

// TestTraceStaysEnded: after the end, Next keeps returning io.EOF, as block-wise readers expect.
func TestTraceStaysEnded(t *testing.T) {
	_, s := engine(t, sums{})
	var file bytes.Buffer
	r := sim.NewRecorder(s, "hash", &file)
	require.NoError(t, r.Step())
	require.NoError(t, r.Close())
	f := sim.NewFormat(s.Ports())
	trace, err := sim.NewTrace(&file, f)
	require.NoError(t, err)
	frame := make([]uint64, f.InWords)
	require.NoError(t, trace.Next(frame))
	require.Equal(t, io.EOF, trace.Next(frame))
	require.Equal(t, io.EOF, trace.Next(frame))
}
