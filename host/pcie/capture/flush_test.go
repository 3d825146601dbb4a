package capture_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/capture"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/host/pcie/pcietest"
)

// shared is a file that another goroutine writes.
type shared struct {
	lock sync.Mutex
	b    bytes.Buffer
}

func (s *shared) Write(p []byte) (int, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.b.Write(p)
}

func (s *shared) bytes() []byte {
	s.lock.Lock()
	defer s.lock.Unlock()
	return bytes.Clone(s.b.Bytes())
}

// torn reads a capture without an end.
func torn(t *testing.T, file []byte) ([]capture.Packet, *capture.TornError) {
	list, err := packets(file)
	x := (*capture.TornError)(nil)
	require.ErrorAs(t, err, &x)
	require.Equal(t, len(list), x.Packets)
	if len(list) > 0 {
		require.Equal(t, list[len(list)-1].Time, x.Last)
	}
	return list, x
}

// TestFlushAtTicks: after a tick of the caller's clock, the file contains all packets so far. Close
// ends the flushes.
func TestFlushAtTicks(t *testing.T) {
	file := &shared{}
	w, err := capture.NewWriter(file, "accelerator")
	require.NoError(t, err)
	w.Function(function)
	ticks, ended := make(chan time.Time), make(chan struct{})
	go func() { defer close(ended); w.FlushAt(ticks) }()
	for n := 1; n <= 5; n++ {
		w.TLP(link.Up, des.Time(n), 0, pcie.NewRead(0, 0, 0x1000, 64))
		if n == 1 {
			require.Empty(t, file.bytes(), "without a tick nothing is flushed")
		}
		ticks <- time.Time{}
		ticks <- time.Time{} // accepted only after the flush of the first tick
		list, _ := torn(t, file.bytes())
		require.Len(t, list, 1+n)
	}
	require.NoError(t, w.Close())
	<-ended
	require.NoError(t, w.Close(), "again")
	w.TLP(link.Up, 9, 0, pcie.NewRead(0, 0, 0x1000, 64))
	list, err := packets(file.bytes())
	require.NoError(t, err)
	require.Len(t, list, 6)
}

// TestFlushAtErrors: a TLP that indicates an error is in the file immediately, with all packets
// before it.
func TestFlushAtErrors(t *testing.T) {
	read := pcie.NewRead(pcie.NewID(1, 0, 0), 1, 0x1000, 64)
	poisoned := pcie.NewWrite(0, 0x1000, []byte{1, 2, 3, 4})
	poisoned.EP = true
	for _, c := range []struct {
		what    string
		flags   capture.Flags
		tlp     *pcie.TLP
		flushed bool
	}{
		{"read", 0, read, false},
		{"write", 0, pcie.NewWrite(0, 0x1000, []byte{1, 2, 3, 4}), false},
		{"completion", 0, pcie.NewCompletion(read, 0, 0x1000, 64, 64), false},
		{"other message", 0, pcie.NewMessage(0, 0x19), false},
		{"injected", capture.Injected, read, true},
		{"dropped", capture.Dropped, read, true},
		{"poisoned", 0, poisoned, true},
		{"unsupported request", 0, pcie.NewFailure(read, 0, 0x1000, 64, pcie.UR), true},
		{"ERR_COR", 0, pcie.NewMessage(0, pcie.MsgErrCorrectable), true},
		{"ERR_NONFATAL", 0, pcie.NewMessage(0, pcie.MsgErrNonFatal), true},
		{"ERR_FATAL", 0, pcie.NewMessage(0, pcie.MsgErrFatal), true},
	} {
		var file bytes.Buffer
		w, err := capture.NewWriter(&file, "accelerator")
		require.NoError(t, err)
		w.Function(function)
		w.TLP(link.Up, 5, c.flags, c.tlp)
		if !c.flushed {
			require.Empty(t, file.Bytes(), c.what)
			continue
		}
		list, _ := torn(t, file.Bytes())
		require.Len(t, list, 2, c.what)
	}
}

// TestTear: if a file is truncated after its interfaces, all complete packets are read, and the
// error contains their end.
func TestTear(t *testing.T) {
	file, want := mixed(t, 2, 40)
	ends := blockEnds(file)
	first := ends[2] // section and interfaces
	for n := first; n < len(file); n++ {
		whole := 0
		for whole+3 < len(ends) && ends[whole+3] <= n {
			whole++
		}
		offset := ends[whole+2]
		if whole > len(want) { // statistics are not packets
			whole = len(want)
		}
		list, x := torn(t, file[:n])
		require.Len(t, list, whole)
		require.Equal(t, want[:whole], append([]capture.Packet{}, list...))
		require.EqualValues(t, offset, x.Offset, "cut at %d", n)
	}
	for n := range first {
		_, err := packets(file[:n])
		require.Error(t, err)
		require.False(t, errors.As(err, new(*capture.TornError)), "no capture begins with %d bytes", n)
	}
	damaged := bytes.Clone(file)
	damaged[ends[20]+4] ^= 0x40 // the length of a block in the middle
	_, err := packets(damaged)
	require.Error(t, err)
	require.False(t, errors.As(err, new(*capture.TornError)), "damage is no tear: %v", err)
}

// blockEnds returns the offset of the end of each block.
func blockEnds(file []byte) (list []int) {
	for at := 0; at < len(file); {
		at += int(file[at+4]) | int(file[at+5])<<8
		list = append(list, at)
	}
	return list
}

// ringFile is a file on disk.
type ringFile struct {
	*os.File
	path   string
	failed error // of Replace, halfway
	most   int64
}

func (f *ringFile) Write(p []byte) (int, error) {
	n, err := f.File.Write(p)
	if info, failed := f.Stat(); failed == nil {
		f.most = max(f.most, info.Size())
	}
	return n, err
}

func (f *ringFile) Replace(write func(io.Writer) error) error {
	to, err := os.Create(f.path + ".new")
	if err != nil {
		return err
	}
	if err := errors.Join(write(to), f.failed); err != nil {
		return err
	}
	f.File.Close()
	f.File = to
	return os.Rename(f.path+".new", f.path)
}

func newRing(t *testing.T, last int64) (*capture.Writer, *ringFile) {
	f := &ringFile{path: filepath.Join(t.TempDir(), "run.pcapng")}
	var err error
	f.File, err = os.Create(f.path)
	require.NoError(t, err)
	t.Cleanup(func() { f.Close() })
	w, err := capture.NewRing(f, "accelerator", last)
	require.NoError(t, err)
	return w, f
}

// TestRing: at any time, the file contains the beginning and the last packets, between once and
// twice the bytes to keep. The gap between them is counted. After Close, the file has the requested
// size.
func TestRing(t *testing.T) {
	const last, first = 100_000, 64 << 10
	w, f := newRing(t, last)
	w.Function(function)
	moved := function
	moved.BAR.Base = 0xd0000000
	rng := rand.New(rand.NewPCG(7, 7))
	all := []capture.Packet{{Header: capture.Header{Kind: capture.KindFunction}, Function: function}}
	for i := range 12_000 {
		h := capture.Header{Dir: link.Direction(rng.IntN(2)), Time: des.Time(i) * 1000}
		p := pcietest.Random(rng, 64)
		w.TLP(h.Dir, h.Time, 0, p)
		all = append(all, capture.Packet{Header: h, TLP: *p})
		if i == 7000 {
			w.Function(moved)
			all = append(all, capture.Packet{Header: capture.Header{Kind: capture.KindFunction, Time: h.Time}, Function: moved})
		}
		if i%500 == 499 {
			w.Flush()
			list, _ := torn(t, contents(t, f.path))
			requireRing(t, all, list, first, last, 2*last)
		}
	}
	require.NoError(t, w.Close())
	require.Less(t, f.most, int64(first+2*last+2*8192))
	list, err := packets(contents(t, f.path))
	require.NoError(t, err)
	requireRing(t, all, list, first, last-8192, last)
	gaps := 0
	for i, p := range list {
		if p.Kind == capture.KindGap {
			require.NotZero(t, p.Gap)
			require.Equal(t, moved, list[i+1].Function, "the latest function is behind the gap")
			gaps++
		}
	}
	require.Equal(t, 1, gaps)
}

// requireRing checks which of all packets a ring has kept.
func requireRing(t *testing.T, all, list []capture.Packet, first, least, most int) {
	gap := -1
	for i, p := range list {
		if p.Kind == capture.KindGap {
			require.Negative(t, gap, "one gap")
			gap = i
		}
	}
	if gap < 0 {
		require.Equal(t, all, list)
		return
	}
	begin, end := list[:gap], list[gap+2:]
	require.Equal(t, all[:len(begin)], begin)
	require.Equal(t, all[len(all)-len(end):], end)
	require.EqualValues(t, len(all)-len(begin)-len(end), list[gap].Gap)
	require.Equal(t, end[0].Time, list[gap].Time)
	require.GreaterOrEqual(t, size(begin), first-8192)
	require.GreaterOrEqual(t, size(end), least-8192)
	require.LessOrEqual(t, size(end), most+8192)
}

// size returns the approximate number of bytes of packets in a file.
func size(list []capture.Packet) (n int) {
	for _, p := range list {
		b, _ := p.TLP.AppendTo(nil)
		n += 32 + 16 + len(b)
	}
	return n
}

func contents(t *testing.T, path string) []byte {
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	return b
}

// TestShortRing: a capture that fits is kept without a gap.
func TestShortRing(t *testing.T) {
	w, f := newRing(t, capture.LeastRing)
	w.Function(function)
	for i := range 1500 { // 120 kB
		w.TLP(link.Up, des.Time(i), 0, pcie.NewRead(0, 0, 0x1000, 64))
	}
	require.NoError(t, w.Close())
	list, err := packets(contents(t, f.path))
	require.NoError(t, err)
	require.Len(t, list, 1501)
}

// TestRingOnAFullDisk: the file keeps its content, and Close returns the error.
func TestRingOnAFullDisk(t *testing.T) {
	w, f := newRing(t, capture.LeastRing)
	f.failed = errFull
	for i := range 10_000 {
		w.TLP(link.Up, des.Time(i), 0, pcie.NewRead(0, 0, 0x1000, 64))
	}
	require.ErrorIs(t, w.Close(), errFull)
	list, _ := torn(t, contents(t, f.path))
	require.Greater(t, size(list), 3*capture.LeastRing-8192)
	_, err := capture.NewRing(f, "accelerator", capture.LeastRing-1)
	require.EqualError(t, err, "capture: a ring of 65535 bytes, expected at least 65536")
}
