package node

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMemoryAgainstFlatArray(t *testing.T) {
	const size = 5*PageSize + 100
	m := NewMemory("m", size)
	flat := make([]byte, size)
	rng := rand.New(rand.NewPCG(1, 1))
	for range 5000 {
		addr := rng.IntN(size)
		p := make([]byte, rng.IntN(min(size-addr, 2*PageSize)+1))
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
	require.NoError(t, m.Write(200<<30-1, make([]byte, 2*PageSize)))
	require.Zero(t, m.Touched(), "zeros are there already")
	require.NoError(t, m.Write(300<<30-1, []byte{7, 8}))
	require.Equal(t, uint64(2*PageSize), m.Touched())
	require.Equal(t, uint64(390<<30), m.Size())
}

func TestMemoryBounds(t *testing.T) {
	m := NewMemory("small", 100)
	p := []byte{9, 9}
	require.EqualError(t, m.Read(99, p), "node: memory small: read of 2 bytes at 0x63: the memory ends at 0x64")
	require.Equal(t, []byte{9, 9}, p)
	require.ErrorContains(t, m.Write(99, p), "write of 2 bytes at 0x63")
	require.ErrorContains(t, m.Write(math.MaxUint64, p), "the memory ends")
	require.ErrorContains(t, m.WriteFloat32s(96, []float32{1, 2}), "write of 8 bytes at 0x60")
	require.ErrorContains(t, m.ReadUint64s(96, make([]uint64, 1)), "read of 8 bytes at 0x60")
	v, err := m.ReadUint32(96)
	require.NoError(t, err)
	require.Zero(t, v, "nothing of a refused write may be stored")
	require.NoError(t, m.Read(100, nil))
}

func TestMemoryFirstTouch(t *testing.T) {
	m := NewMemory("rows", 1<<40)
	calls := 0
	m.OnFirstTouch(func(addr uint64, p []byte) {
		calls++
		for i := 0; i < len(p); i += 8 {
			binary.LittleEndian.PutUint64(p[i:], addr+uint64(i))
		}
	})
	for range 2 {
		v := make([]uint64, 600) // crosses a page
		require.NoError(t, m.ReadUint64s(1<<39, v))
		for i := range v {
			require.Equal(t, 1<<39+uint64(8*i), v[i])
		}
	}
	require.NoError(t, m.WriteUint64(0, 5))
	got, err := m.ReadUint64(8)
	require.NoError(t, err)
	require.Equal(t, uint64(8), got, "a write must keep the rest of the page")
	require.Equal(t, 3, calls)
}

func TestMemoryTypedValues(t *testing.T) {
	m := NewMemory("m", 1<<20)
	rng := rand.New(rand.NewPCG(5, 6))
	const addr, n = 3*PageSize - 13, 1500 // unaligned, several parts
	f, u32, u64 := make([]float32, n), make([]uint32, n), make([]uint64, n)
	for i := range n {
		f[i], u32[i], u64[i] = rng.Float32(), rng.Uint32(), rng.Uint64()
	}
	require.NoError(t, m.WriteFloat32s(addr, f))
	require.NoError(t, m.WriteUint32s(addr+1<<16, u32))
	require.NoError(t, m.WriteUint64s(addr+1<<17, u64))
	gf, g32, g64 := make([]float32, n), make([]uint32, n), make([]uint64, n)
	require.NoError(t, m.ReadFloat32s(addr, gf))
	require.NoError(t, m.ReadUint32s(addr+1<<16, g32))
	require.NoError(t, m.ReadUint64s(addr+1<<17, g64))
	require.Equal(t, f, gf)
	require.Equal(t, u32, g32)
	require.Equal(t, u64, g64)

	require.NoError(t, m.WriteUint32(8, 0x04030201))
	b := make([]byte, 4)
	require.NoError(t, m.Read(8, b))
	require.Equal(t, []byte{1, 2, 3, 4}, b, "little-endian")
	require.Zero(t, testing.AllocsPerRun(100, func() { _ = m.ReadFloat32s(addr, gf) }))
}
