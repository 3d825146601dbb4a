package des

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMemoryAgainstFlatArray(t *testing.T) {
	const size = 5*pageSize + 100
	m := NewMemory("m", size)
	flat := make([]byte, size)
	rng := rand.New(rand.NewPCG(1, 1))
	for range 5000 {
		addr := rng.IntN(size)
		p := make([]byte, rng.IntN(min(size-addr, 2*pageSize)+1))
		if rng.IntN(2) == 0 {
			for i := range p {
				p[i] = byte(rng.Uint32())
			}
			require.NoError(t, m.Write(uint64(addr), p))
			copy(flat[addr:], p)
			continue
		}
		require.NoError(t, m.Read(uint64(addr), p))
		require.Equal(t, flat[addr:addr+len(p)], p)
	}
}

func TestMemoryIsSparse(t *testing.T) {
	m := NewMemory("big", 390<<30)
	b := []byte{1, 2, 3}
	require.NoError(t, m.Read(200<<30, b))
	require.Equal(t, []byte{0, 0, 0}, b)
	require.Zero(t, m.Touched())
	require.NoError(t, m.Write(200<<30-1, make([]byte, 2*pageSize)))
	require.Zero(t, m.Touched(), "zeros are there already")
	require.NoError(t, m.Write(300<<30-1, []byte{7, 8}))
	require.Equal(t, uint64(2*pageSize), m.Touched())
	require.Equal(t, uint64(390<<30), m.Size())
}

func TestMemoryBounds(t *testing.T) {
	m := NewMemory("small", 100)
	p := []byte{9, 9}
	require.EqualError(t, m.Read(99, p), "des: memory small: read of 2 bytes at 0x63: the memory ends at 0x64")
	require.Equal(t, []byte{9, 9}, p)
	require.ErrorContains(t, m.Write(99, p), "write of 2 bytes at 0x63")
	require.ErrorContains(t, m.Write(math.MaxUint64, p), "the memory ends")
	require.ErrorContains(t, m.WriteFloat32s(96, []float32{1, 2}), "write of 8 bytes at 0x60")
	require.ErrorContains(t, m.ReadFloat32s(96, make([]float32, 2)), "read of 8 bytes at 0x60")
	v, err := m.ReadUint32(96)
	require.NoError(t, err)
	require.Zero(t, v, "nothing of a refused write may be stored")
	require.NoError(t, m.Read(100, nil))
}

// TestRows: rows are filled individually in any order, next to unrelated pages.
func TestRows(t *testing.T) {
	const first, n, size = 1 << 39, 1000, 24
	m := NewMemory("rows", 1<<40)
	calls := 0
	number := func(row int, p []byte) {
		calls++
		require.Equal(t, make([]byte, size), p)
		for i := 0; i < size; i += 8 {
			binary.LittleEndian.PutUint64(p[i:], uint64(row*size+i))
		}
	}
	rows := m.AddRows(first, n, size, number)
	next := m.AddRows(first+pageSize*6, 1, size, number)
	require.Empty(t, slices.Collect(rows.Touched()))

	require.NoError(t, m.Write(first+500*size, binary.LittleEndian.AppendUint64(nil, 5)))
	got := make([]byte, 9*8)
	for _, row := range []int{0, 499, 997, 63, 62, 64} { // each with the next two rows
		require.NoError(t, m.Read(first+uint64(row*size), got))
		for i := range 9 {
			want := uint64(row*size + 8*i)
			if want == 500*size {
				want = 5
			}
			require.Equal(t, want, binary.LittleEndian.Uint64(got[8*i:]), "row %d", row)
		}
	}
	want := []int{0, 1, 2, 62, 63, 64, 65, 66, 499, 500, 501, 997, 998, 999}
	require.Equal(t, want, slices.Collect(rows.Touched()))
	require.Equal(t, len(want), calls, "each row once")
	require.Equal(t, uint64(len(want)*size), m.Touched())
	for row := range rows.Touched() {
		require.Zero(t, row)
		break
	}

	end := uint64(first + n*size)
	require.NoError(t, m.Write(end-4, binary.LittleEndian.AppendUint64(nil, math.MaxUint64))) // the second half of the value is after the rows
	last, behind := make([]byte, 8), make([]byte, 8)
	require.NoError(t, m.Read(end-8, last))
	require.NoError(t, m.Read(end, behind))
	require.Equal(t, []byte{0xb8, 0x5d, 0, 0, 255, 255, 255, 255}, last)
	require.Equal(t, []byte{255, 255, 255, 255, 0, 0, 0, 0}, behind)
	require.Empty(t, slices.Collect(next.Touched()))
	require.NoError(t, m.Read(first+pageSize*6+3, behind))
	require.Equal(t, []int{0}, slices.Collect(next.Touched()))
	require.PanicsWithValue(t, "des: memory rows: rows at 0x800005ffff, expected them behind those at 0x8000060000",
		func() { m.AddRows(first+pageSize*6-1, 1, size, nil) })
}

// TestRowsElsewhere: rows stored in an external buffer all exist immediately, and writes on either
// side are visible on the other.
func TestRowsElsewhere(t *testing.T) {
	m := NewMemory("rows", 1<<20)
	rows := m.AddRows(100, 3, 8, func(row int, p []byte) { p[0] = byte(1 + row) })
	b := make([]byte, 30)
	rows.PutIn(b)
	require.Equal(t, []int{0, 1, 2}, slices.Collect(rows.Touched()))
	for range rows.Touched() {
		break
	}
	require.EqualValues(t, 24, m.Touched())
	require.Equal(t, []byte{1, 0, 0, 0, 0, 0, 0, 0, 2}, b[:9])
	require.NoError(t, m.Write(106, []byte{4, 5, 6}))
	require.Equal(t, []byte{4, 5, 6}, b[6:9])
	b[23], b[24] = 7, 8
	got := make([]byte, 2)
	require.NoError(t, m.Read(123, got))
	require.Equal(t, []byte{7, 0}, got, "what is behind the rows is not in them")
}

// TestRowsTakeTheirSize: a row uses little more memory than its size, alone and among others.
func TestRowsTakeTheirSize(t *testing.T) {
	const n, size = 1 << 18, 64
	for _, every := range []int{1, 64, 1000} {
		m := NewMemory("rows", n*size)
		m.AddRows(0, n, size, func(int, []byte) {})
		before := heap()
		for row := 0; row < n; row += every {
			require.NoError(t, m.Read(uint64(row*size), make([]byte, 1)))
		}
		took := heap() - before
		touched := float64((n + every - 1) / every)
		require.Less(t, took/touched, 1.8*size, "one row in %d", every)
		require.EqualValues(t, touched*size, m.Touched())
	}
}

func heap() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

func TestMemoryTypedValues(t *testing.T) {
	m := NewMemory("m", 1<<20)
	rng := rand.New(rand.NewPCG(5, 6))
	const addr, n = 3*pageSize - 13, 1500 // unaligned, several parts
	f, u32 := make([]float32, n), make([]uint32, n)
	for i := range n {
		f[i], u32[i] = rng.Float32(), rng.Uint32()
	}
	require.NoError(t, m.WriteFloat32s(addr, f))
	require.NoError(t, m.WriteUint32s(addr+1<<16, u32))
	gf, g32 := make([]float32, n), make([]uint32, n)
	require.NoError(t, m.ReadFloat32s(addr, gf))
	require.NoError(t, m.ReadUint32s(addr+1<<16, g32))
	require.Equal(t, f, gf)
	require.Equal(t, u32, g32)

	require.NoError(t, m.WriteUint32s(8, []uint32{0x04030201}))
	b := make([]byte, 4)
	require.NoError(t, m.Read(8, b))
	require.Equal(t, []byte{1, 2, 3, 4}, b, "little-endian")
	require.Zero(t, testing.AllocsPerRun(100, func() { _ = m.ReadFloat32s(addr, gf) }))
}

// TestLargeRows: rows of about a page keep their indices and contents for any order of accesses.
func TestLargeRows(t *testing.T) {
	for _, size := range []int{pageSize - 64, pageSize, pageSize + 64} {
		m := NewMemory("rows", 100*2*pageSize)
		r := m.AddRows(0, 100, size, func(row int, p []byte) { p[size-1] = byte(row) })
		for _, row := range []int{70, 3, 71, 0} {
			p := make([]byte, size)
			require.NoError(t, m.Read(uint64(row*size), p))
			require.Equal(t, byte(row), p[size-1])
			p[0] = byte(row + 1)
			require.NoError(t, m.Write(uint64(row*size), p))
		}
		require.Equal(t, []int{0, 3, 70, 71}, slices.Collect(r.Touched()))
		first := make([]byte, 1)
		for row := range r.Touched() {
			require.NoError(t, m.Read(uint64(row*size), first))
			require.Equal(t, byte(row+1), first[0])
		}
	}
}
