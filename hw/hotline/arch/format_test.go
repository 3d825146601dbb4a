package arch_test

import (
	"bytes"
	"encoding/hex"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// unhex decodes a hexadecimal dump with spaces.
func unhex(t *testing.T, text string) []byte {
	b, err := hex.DecodeString(string(bytes.ReplaceAll([]byte(text), []byte(" "), nil)))
	require.NoError(t, err)
	return b
}

// TestCommand: an encoded command has the layout of docs/reference/accelerator.md, and decodes to the same
// command. Every flipped bit breaks the CRC.
func TestCommand(t *testing.T) {
	c := arch.Command{Opcode: arch.Classify, Flags: 1, Operand1: 0x1817161514131211, Operand2: 0x2827262524232221, Operand3: 0x3837363534333231}
	b := c.Encode(0x44434241)
	require.Equal(t, unhex(t, "1101 0000 41424344 1112131415161718 2122232425262728 3132333435363738"+
		"0000000000000000 0000000000000000 0000000000000000 00000000"), b[:60])
	require.Equal(t, "classify(0x1817161514131211, 0x2827262524232221, 0x3837363534333231)", c.String())

	got, id, intact := arch.DecodeCommand(b)
	require.Equal(t, c, got)
	require.EqualValues(t, 0x44434241, id)
	require.True(t, intact)
	for i := range 8 * len(b) {
		b[i/8] ^= 1 << (i % 8)
		_, _, intact := arch.DecodeCommand(b)
		require.False(t, intact, "bit %d", i)
		b[i/8] ^= 1 << (i % 8)
	}
}

// TestCompletion: an encoded completion has the documented layout, and decodes to the same
// completion.
func TestCompletion(t *testing.T) {
	c := arch.Completion{ID: 0x14131211, Status: arch.StatusRange, Phase: true, Value0: 0x24232221, Value1: 0x34333231, Head: 0x4241, Sum: 0x54535251}
	b := c.Encode()
	require.Equal(t, unhex(t, "11121314 22 00 01 00 21222324 31323334 4142 0000 51525354 00000000"), b[:28])

	got, intact := arch.DecodeCompletion(b)
	require.Equal(t, c, got)
	require.True(t, intact)
	for i := range 8 * len(b) {
		b[i/8] ^= 1 << (i % 8)
		_, intact := arch.DecodeCompletion(b)
		require.False(t, intact, "bit %d", i)
		b[i/8] ^= 1 << (i % 8)
	}
	c.Phase = false
	got, _ = arch.DecodeCompletion(c.Encode())
	require.Equal(t, c, got)
}

// TestChecksum checks the CRC-32C against the test vectors of RFC 3720, B.4.
func TestChecksum(t *testing.T) {
	zeros, ones := make([]byte, 32), bytes.Repeat([]byte{0xff}, 32)
	require.EqualValues(t, 0x8a9136aa, arch.Checksum(zeros))
	require.EqualValues(t, 0x62a8ab43, arch.Checksum(ones))
	sum := uint32(0x8a9136aa)
	require.Equal(t, sum+0x62a8ab43, arch.BeatSum(32, append(zeros, ones...)))
	require.Zero(t, arch.BeatSum(32, nil))
	for i := range 8 * len(zeros) {
		zeros[i/8] ^= 1 << (i % 8)
		require.NotEqual(t, sum+0x62a8ab43, arch.BeatSum(32, append(slices.Clone(zeros), ones...)), "bit %d", i)
		zeros[i/8] ^= 1 << (i % 8)
	}
}

func TestSlot(t *testing.T) {
	for v, s := range map[uint64]arch.Slot{
		0:              {},
		0x0ff_ffffffff: {Base: 0xffffffff, Table: 255},
		0x107_00000009: {Base: 9, Table: 7, First: true},
		0x200_00000000: {Last: true},
	} {
		got, ok := arch.SlotOf(v)
		require.True(t, ok)
		require.Equal(t, s, got)
		require.Equal(t, v, s.Bits())
	}
	_, ok := arch.SlotOf(1 << 42)
	require.False(t, ok, "a bit without a meaning")
}

func TestHotRow(t *testing.T) {
	list := arch.HotRow{ID: 0x14131211, Block: 0x24232221}.Append([]byte{9})
	require.Equal(t, unhex(t, "09 11121314 21222324"), list)
	require.Equal(t, arch.HotRow{ID: 0x14131211, Block: 0x24232221}, arch.HotRowOf(list[1:]))
	for rows, want := range map[int]int{0: 0, 1: 64, 8: 64, 9: 128, 256: 2048} {
		require.Equal(t, want, arch.HotSetBytes(rows), "%d rows", rows)
	}
}

func TestBitmap(t *testing.T) {
	b := arch.Small().Geometry().NewBitmap(129)
	b.Add(0)
	b.Add(11)
	require.Equal(t, append(unhex(t, "01 08"), make([]byte, 30)...), []byte(b))
	for i := range 8 * len(b) {
		require.Equal(t, i == 0 || i == 11, b.Has(i), "input %d", i)
	}
}

// TestGeometry: five registers encode the sizes of a device.
func TestGeometry(t *testing.T) {
	require.Equal(t, [5]uint32{0x03_0c_03_03, 0x0080_0010, 16384, 0x0020_0040, 0x0080_08_16}, arch.Small().Geometry().Caps())
	for _, p := range []arch.Params{arch.Small(), arch.Paper()} {
		g := p.Geometry()
		require.Equal(t, g, arch.GeometryOf(g.Caps()))
		require.Equal(t, [5]int{p.Engines, p.Banks, p.Blocks, p.Ways, p.StreamBytes()}, [5]int{g.Engines, g.Banks, g.Blocks, g.Ways, g.StreamBytes})
		require.Equal(t, [7]int{p.Tags, p.HalfWords(), p.Slots, p.Tables, p.GPUs, p.IDBits(), p.VectorValues},
			[7]int{g.Tags, g.HalfWords, g.Slots, g.Tables, g.GPUs, g.IDBits, g.VectorValues})
	}
	g := arch.Paper().Geometry()
	least, most := g.RowBytes()
	require.Equal(t, []int{16, 64, 512}, []int{g.LeastSlots(), least, most})
	require.Equal(t, 1, arch.Geometry{Engines: 2}.LeastSlots())
	for inputs, want := range map[int]int{0: 0, 1: 64, 512: 64, 513: 128} {
		require.Equal(t, want, g.BitmapBytes(inputs), "%d inputs", inputs)
	}
}
