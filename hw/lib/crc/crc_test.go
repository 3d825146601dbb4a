package crc_test

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/lib/crc"
	"github.com/hotline-rtl/hotline/sim/bench"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// check compares sums of n bytes with hash/crc32.
func check(d *ir.Design, n int, inputs [][]byte) error {
	b, err := bench.New(d, 1)
	if err != nil {
		return err
	}
	data, sum := b.Pin("data"), b.Pin("sum")
	for _, in := range inputs {
		data.SetWords(words(in))
		if got, want := uint32(sum.Get()), crc32.Checksum(in, castagnoli); got != want {
			return fmt.Errorf("sum of %x is %08x, want %08x", in, got, want)
		}
	}
	return nil
}

func words(b []byte) []uint64 {
	padded := append(append([]byte(nil), b...), make([]byte, 8)...)
	out := make([]uint64, (len(b)+7)/8)
	for i := range out {
		out[i] = binary.LittleEndian.Uint64(padded[8*i:])
	}
	return out
}

// inputs returns n zeros, all words of n bytes with one bit set, and random words.
func inputs(t *testing.T, n int) [][]byte {
	out := [][]byte{make([]byte, n)}
	for bit := range 8 * n {
		x := make([]byte, n)
		x[bit/8] = 1 << (bit % 8)
		out = append(out, x)
	}
	r := rand.NewChaCha8([32]byte{byte(n)})
	for range 100 {
		x := make([]byte, n)
		_, err := r.Read(x)
		require.NoError(t, err)
		out = append(out, x)
	}
	return out
}

func TestAgainstHashCRC32(t *testing.T) {
	for _, n := range []int{4, 5, 7, 8, 9, 12, 16, 31, 60, 64} {
		d, err := hw.Elaborate(crc.CRC32C{Bytes: n})
		require.NoError(t, err)
		require.NoError(t, check(d, n, inputs(t, n)), "%d bytes", n)
	}
}

// TestPublishedExamples checks the examples of RFC 3720 appendix B.4.
func TestPublishedExamples(t *testing.T) {
	d, err := hw.Elaborate(crc.CRC32C{Bytes: 32})
	require.NoError(t, err)
	b, err := bench.New(d, 1)
	require.NoError(t, err)
	up, down, ones := make([]byte, 32), make([]byte, 32), make([]byte, 32)
	for i := range 32 {
		up[i], down[i], ones[i] = byte(i), byte(31-i), 0xff
	}
	for _, c := range []struct {
		data []byte
		sum  uint64
	}{{make([]byte, 32), 0x8a9136aa}, {ones, 0x62a8ab43}, {up, 0x46dd794e}, {down, 0x113fdb5c}} {
		b.Pin("data").SetWords(words(c.data))
		require.Equal(t, c.sum, b.Pin("sum").Get())
	}
}

// running computes a checksum over a stream of words.
type running struct{ Bytes int }

type runningPorts struct{ Next, Data, Sum hw.Bits }

func (p running) Build(m *hw.Module) runningPorts {
	io := runningPorts{m.In("next", 1), m.In("data", 8*p.Bytes), m.Out("sum", 32)}
	state := m.Reg("state", 32, 0xffffffff)
	m.When(io.Next, func() { state.Set(crc.Update("next_state", state, io.Data)) })
	io.Sum.Set(state.Not())
	return io
}

func TestUpdateOverAStream(t *testing.T) {
	for _, n := range []int{4, 8, 16} {
		d, err := hw.Elaborate(running{n})
		require.NoError(t, err)
		b, err := bench.New(d, 1)
		require.NoError(t, err)
		b.Pin("next").Set(1)
		var all []byte
		for _, in := range inputs(t, n) {
			all = append(all, in...)
			b.Pin("data").SetWords(words(in))
			require.NoError(t, b.Sim.Step())
			require.EqualValues(t, crc32.Checksum(all, castagnoli), b.Pin("sum").Get())
		}
	}
}

func TestRejectsLength(t *testing.T) {
	_, err := hw.Elaborate(crc.CRC32C{Bytes: 3})
	require.ErrorContains(t, err, "at least 4")
}

func TestFaultsAreCaught(t *testing.T) {
	d, err := hw.Elaborate(crc.CRC32C{Bytes: 8})
	require.NoError(t, err)
	in := inputs(t, 8)
	survivors, tried := bench.Survivors(d, func() error { return check(d, 8, in) })
	require.Empty(t, survivors)
	require.Greater(t, tried, 60)
}
