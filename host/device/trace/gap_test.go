package trace_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/trace"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/capture"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// inMemory is an in-memory file of a ring.
type inMemory struct{ b []byte }

func (f *inMemory) Write(p []byte) (int, error) {
	f.b = append(f.b, p...)
	return len(p), nil
}

func (f *inMemory) ReadAt(p []byte, at int64) (int, error) { return bytes.NewReader(f.b).ReadAt(p, at) }

func (f *inMemory) Replace(write func(io.Writer) error) error {
	to := &inMemory{}
	err := write(to)
	f.b = to.b
	return err
}

// ringOf returns a ring file with the last packets of a trace.
func ringOf(t *testing.T, x *trace.Trace) []byte {
	f := &inMemory{}
	w, err := capture.NewRing(f, "accelerator", capture.LeastRing)
	require.NoError(t, err)
	for _, e := range x.Events {
		switch e.Kind {
		case capture.KindFunction:
			w.Function(e.Function)
		case capture.KindTLP:
			w.TLP(e.Dir, e.Time, e.Flags, &e.TLP)
		}
	}
	require.NoError(t, w.Close())
	return f.b
}

// across returns a capture with a gap in the middle of a command and of a read.
func across(t *testing.T) []byte {
	return ringOf(t, hand(t, func(b by) {
		b.register(arch.CSRSQTail, 2)
		b.fetch(1)
		read := pcie.NewRead(function, 77, 0x5000, 64)
		b.w.TLP(link.Up, 0, 0, read)
		for range 3000 {
			b.write(0x6000, 64)
		}
		b.w.TLP(link.Down, 0, 0, pcie.NewCompletion(read, 0, 0x5000, 64, 64))
		b.write(2*ring, arch.CompletionBytes)
		b.register(arch.CSRSQTail, 1000)
		b.register(arch.CSRSQTail, 1001)
		b.fetch(1001)
	}))
}

// TestAcrossAGap: a completion after the gap does not answer a read before the gap. Likewise, a
// completion entry after the gap does not complete a command before the gap. The first doorbell
// after the gap announces an unknown number of commands.
func TestAcrossAGap(t *testing.T) {
	x, err := trace.Read(bytes.NewReader(across(t)))
	require.NoError(t, err)
	n := len(x.Events)
	behind := x.Events[n-6:]
	require.Equal(t, trace.Unexpected, behind[0].Role)
	require.Equal(t, trace.Completion, behind[1].Role, "the rings are known from the beginning")
	require.Nil(t, behind[1].Command)
	last := x.Commands[len(x.Commands)-1]
	require.EqualValues(t, 1001, last.ID)
	require.Equal(t, behind[3].Number, last.Doorbell)
	require.Zero(t, x.Commands[0].Completed)
}

// withGap returns the capture of a long run, and the same capture with a gap.
func withGap(t *testing.T) (whole *trace.Trace, file []byte) {
	r := newHarness(t, nil)
	for range 40 {
		r.one()
	}
	require.NoError(t, r.writer.Close())
	whole, err := trace.Read(bytes.NewReader(r.file.Bytes()))
	require.NoError(t, err)
	return whole, ringOf(t, whole)
}

// TestGap: after a gap, TLPs have the same roles as in the whole capture, except completions whose
// requests are in the gap. No read extends across the gap.
func TestGap(t *testing.T) {
	whole, file := withGap(t)
	x, err := trace.Read(bytes.NewReader(file))
	require.NoError(t, err)
	gap := x.Select(trace.Filter{Types: []string{"gap"}})
	require.Len(t, gap, 1)
	require.EqualValues(t, len(whole.Events)-(len(x.Events)-2), gap[0].Gap)
	require.Contains(t, gap[0].Text(), " packets before this one were not kept")
	shift := len(whole.Events) - len(x.Events)
	unexpected := 0
	for _, e := range x.Events[gap[0].Number+1:] {
		want := whole.Events[e.Number-1+shift]
		require.Equal(t, want.TLP, e.TLP)
		if e.Role == trace.Unexpected {
			require.LessOrEqual(t, want.Request, gap[0].Number+shift)
			unexpected++
			continue
		}
		require.Equal(t, want.Role, e.Role, "%v", want.Text())
		require.Equal(t, want.Register, e.Register)
	}
	require.Less(t, unexpected, 3)
	for _, read := range x.Reads {
		crosses := read.Start < gap[0].Time && read.End > gap[0].Time
		require.False(t, crosses && read.Ended, "a read from %v to %v", read.Start, read.End)
	}
	require.Greater(t, len(x.Commands), 100)

	r := newHarness(t, nil)
	k := des.NewKernel()
	_, err = x.Replay(k, link.DefaultConfig(), r.card(k))
	require.ErrorContains(t, err, "the capture has a gap at packet")
	require.ErrorAs(t, err, new(*trace.FunctionError))
}

func TestTsharkOnAGap(t *testing.T) {
	_, file := withGap(t)
	agree(t, across(t))
	x := agree(t, file)
	require.NotEmpty(t, x.Select(trace.Filter{Types: []string{"gap"}}))
}

// TestTornTrace: a torn file gives an error and the trace of its complete packets.
func TestTornTrace(t *testing.T) {
	r, whole := run(t)
	file := r.file.Bytes()
	for _, n := range []int{len(file) - 1, len(file) - 100, len(file) / 2, 400} {
		x, err := trace.Read(bytes.NewReader(file[:n]))
		require.ErrorAs(t, err, new(*capture.TornError))
		require.Less(t, 0, len(x.Events))
		for i := range x.Events {
			require.Equal(t, whole.Events[i].Packet, x.Events[i].Packet)
		}
		require.Equal(t, len(x.Events), x.Summary(10).Packets)
	}
}
