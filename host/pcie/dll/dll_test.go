package dll_test

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/pcie/dll"
)

// TestVectors checks bytes from real hardware and from other implementations.
func TestVectors(t *testing.T) {
	for _, v := range []struct {
		seq  uint16
		tlp  []byte
		lcrc uint32 // as on the wire
	}{
		{5, []byte{0x33, 0, 0, 0, 0, 0, 0, 0x19, 0, 0, 0, 0, 0, 0, 0, 0}, 0xfa26064b},
		{4, []byte{0x35, 0, 0, 0, 0, 0, 0, 0x1b, 0, 0, 0, 0, 0, 0, 0, 0}, 0xdbacc7b1},
	} {
		f := dll.Frame(v.seq, v.tlp)
		require.Equal(t, v.seq, binary.BigEndian.Uint16(f))
		require.Equal(t, v.lcrc, binary.BigEndian.Uint32(f[len(f)-4:]))
		seq, tlp, ok := dll.Unframe(f)
		require.True(t, ok)
		require.Equal(t, v.seq, seq)
		require.Equal(t, v.tlp, tlp)
	}
	for seq, crc := range map[uint16]uint16{4: 0x0c37, 5: 0x1796, 0: 0x62b3} {
		p := dll.Acknowledgement(seq, false)
		require.Equal(t, crc, binary.LittleEndian.Uint16(p[4:]))
	}
}

// TestWrongBits: any one or two wrong bits are detected.
func TestWrongBits(t *testing.T) {
	f := dll.Frame(0xabc, []byte("twelve bytes and more"))
	p := dll.Acknowledgement(0x123, true)
	seq, nak, ok := dll.Acknowledged(p)
	require.Equal(t, []any{uint16(0x123), true, true}, []any{seq, nak, ok})
	for i := range 8 * len(f) {
		for k := range i + 1 {
			bad := append([]byte{}, f...)
			bad[i/8] ^= 1 << (i % 8)
			if k < i {
				bad[k/8] ^= 1 << (k % 8)
			}
			_, _, ok := dll.Unframe(bad)
			require.False(t, ok, "bits %d and %d", i, k)
			if i >= 8*len(p) {
				continue
			}
			q := p
			q[i/8] ^= 1 << (i % 8)
			if k < i {
				q[k/8] ^= 1 << (k % 8)
			}
			_, _, ok = dll.Acknowledged(q)
			require.False(t, ok, "bits %d and %d", i, k)
		}
	}
	_, _, ok = dll.Unframe(f[:5])
	require.False(t, ok)
}

// TestNumbersWrap: sequence numbers wrap from 4095 to 0, and at most half of them are
// unacknowledged.
func TestNumbersWrap(t *testing.T) {
	var x dll.Transmitter[int]
	var r dll.Receiver
	for i := range 10000 {
		require.True(t, x.Room(1, 1))
		seq := x.Add(i, 1)
		require.EqualValues(t, i%4096, seq)
		require.Equal(t, dll.Deliver, r.Take(seq, true))
		require.Equal(t, dll.Duplicate, r.Take(seq, true))
		progress, err := x.Ack(r.Last())
		require.NoError(t, err)
		require.True(t, progress)
	}
	for i := 0; x.Room(1, 1<<20); i++ {
		x.Add(i, 1)
	}
	require.Equal(t, 2047, x.Kept())
	_, err := x.Ack(r.Last() + 2048)
	require.EqualError(t, err, "dll: acknowledgement of 3855, expected 1807 to 3854")
	progress, err := x.Ack(r.Last() - 7)
	require.NoError(t, err)
	require.False(t, progress, "an old one")
	require.Equal(t, 2047, x.Kept())
}

// TestBuffer: the buffer limits the bytes, but a single TLP always fits.
func TestBuffer(t *testing.T) {
	var x dll.Transmitter[int]
	require.True(t, x.Room(1000, 100))
	x.Add(0, 60)
	require.True(t, x.Room(40, 100))
	require.False(t, x.Room(41, 100))
}

// TestReplays: a replay sends all TLPs in order. The fourth replay without progress requires
// retraining.
func TestReplays(t *testing.T) {
	var x dll.Transmitter[int]
	for i := range 3 {
		x.Add(i, 1)
	}
	require.False(t, x.Replaying())
	for try := range 9 {
		require.Equal(t, try%4 == 3, x.Replay(), try)
		for i := range 3 {
			require.True(t, x.Replaying())
			tlp, seq := x.Again()
			require.Equal(t, []int{i, i}, []int{tlp, int(seq)})
		}
		require.False(t, x.Replaying())
	}
	x.Replay()
	x.Again()
	_, err := x.Ack(0)
	require.NoError(t, err)
	tlp, seq := x.Again()
	require.Equal(t, []int{1, 1}, []int{tlp, int(seq)}, "what is acknowledged meanwhile does not go out again")
	require.False(t, x.Replay(), "progress")
}

// TestVerdicts: a missing TLP is requested once, and again at the next error.
func TestVerdicts(t *testing.T) {
	var r dll.Receiver
	for i, c := range []struct {
		seq  uint16
		good bool
		want dll.Verdict
	}{
		{0, true, dll.Deliver}, {2, true, dll.Refuse}, {3, true, dll.Ignore}, {1, false, dll.Ignore}, {0, true, dll.Duplicate},
		{1, true, dll.Deliver}, {2, false, dll.Refuse}, {2, true, dll.Deliver}, {4050, true, dll.Duplicate}, {2051, true, dll.Duplicate}, {2050, true, dll.Refuse},
	} {
		require.Equal(t, c.want, r.Take(c.seq, c.good), "step %d", i)
	}
	require.EqualValues(t, 2, r.Last())
}

// wire is a direction without timing that loses, damages and repeats frames.
type wire struct {
	rng   *rand.Rand
	error float64
	queue [][]byte
}

func (w *wire) put(p []byte) {
	p = append([]byte{}, p...)
	switch x := w.rng.Float64(); {
	case x < w.error/3:
		return
	case x < 2*w.error/3:
		bit := w.rng.IntN(8 * len(p))
		p[bit/8] ^= 1 << (bit % 8)
	case x < w.error:
		w.queue = append(w.queue, p)
	}
	w.queue = append(w.queue, p)
}

func (w *wire) take() (p []byte) {
	if len(w.queue) > 0 {
		p, w.queue = w.queue[0], w.queue[1:]
	}
	return p
}

// TestEachOnceAndInOrder: TLPs are delivered once and in order over wires with random errors, with
// acknowledgements at random times.
func TestEachOnceAndInOrder(t *testing.T) {
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(seed, 0))
		down, up := &wire{rng: rng, error: rng.Float64() / 3}, &wire{rng: rng, error: rng.Float64() / 3}
		var x dll.Transmitter[[]byte]
		var r dll.Receiver
		const n = 4500 // so that numbers wrap
		sent, got, idle := 0, 0, 0
		for steps := 0; got < n; steps++ {
			if steps == 1000*n {
				require.Fail(t, "no progress", "after %d of %d TLPs", got, n)
			}
			idle++
			switch {
			case len(down.queue) > 20:
			case x.Replaying():
				tlp, seq := x.Again()
				down.put(dll.Frame(seq, tlp))
			case sent < n && x.Room(4, 400) && rng.IntN(3) > 0:
				b := binary.BigEndian.AppendUint32(nil, uint32(sent))
				down.put(dll.Frame(x.Add(b, 4), b))
				sent++
			case idle > 50:
				x.Replay()
				idle = 0
			}
			if p := down.take(); p != nil && rng.IntN(2) > 0 {
				seq, tlp, ok := dll.Unframe(p)
				switch r.Take(seq, ok) {
				case dll.Deliver:
					require.EqualValues(t, got, binary.BigEndian.Uint32(tlp))
					got++
					fallthrough
				case dll.Duplicate:
					if rng.IntN(3) == 0 {
						a := dll.Acknowledgement(r.Last(), false)
						up.put(a[:])
					}
				case dll.Refuse:
					a := dll.Acknowledgement(r.Last(), true)
					up.put(a[:])
				}
			}
			if p := up.take(); p != nil {
				if seq, nak, ok := dll.Acknowledged([6]byte(p)); ok {
					progress, err := x.Ack(seq)
					require.NoError(t, err)
					if progress {
						idle = 0
					}
					if nak {
						x.Replay()
					}
				}
			}
		}
	}
}
