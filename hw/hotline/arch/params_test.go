package arch_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

func TestShippedSizesAreValid(t *testing.T) {
	require.NoError(t, arch.Small().Validate())
	require.NoError(t, arch.Paper().Validate())
}

// TestValidate checks the message of each kind of mistake.
func TestValidate(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*arch.Params)
		want   string
	}{
		{"too few", func(p *arch.Params) { p.Engines = 2 }, "engines is 2; expected a power of two from 4 to 256"},
		{"too many", func(p *arch.Params) { p.Banks = 512 }, "banks is 512; expected a power of two from 4 to 256"},
		{"no power of two", func(p *arch.Params) { p.Ways = 6 }, "ways is 6; expected a power of two from 2 to 16"},
		{"blocks", func(p *arch.Params) { p.Blocks = 128 }, "blocks is 128; expected a power of two from 256 to 16777216"},
		{"window", func(p *arch.Params) { p.Window = 4 }, "window is 4; expected a power of two from 8 to 128"},
		{"cache", func(p *arch.Params) { p.Cache = 2048 }, "cache is 2048; expected a power of two from 4 to 1024"},
		{"stream", func(p *arch.Params) { p.StreamBits = 1024; p.ALUs = 32 }, "stream_bits is 1024; expected a power of two from 128 to 512"},
		{"vector", func(p *arch.Params) { p.VectorValues = 16 }, "vector_values is 16; expected a power of two from 32 to 1024"},
		{"tags", func(p *arch.Params) { p.Tags = 512 }, "tags is 512; expected a power of two from 4 to 256"},
		{"slots", func(p *arch.Params) { p.Slots = 0 }, "slots is 0; expected a power of two from 4 to 256"},
		{"tables", func(p *arch.Params) { p.Tables = 1 }, "tables is 1; expected a power of two from 2 to 256"},
		{"gpus", func(p *arch.Params) { p.GPUs = 16 }, "gpus is 16; expected a power of two from 1 to 8"},
		{"queue", func(p *arch.Params) { p.QueueDepth = -4 }, "queue_depth is -4; expected a power of two from 2 to 256"},
		{"alus", func(p *arch.Params) { p.ALUs = 8 }, "alus is 8; expected 4, for a stream of 128 bits"},
		{"blocks of banks", func(p *arch.Params) { p.Blocks, p.Banks = 1024, 256 }, "blocks is 1024; 256 banks of 8 ways need at least 4096"},
		{"long ids", func(p *arch.Params) { p.TagBits = 23 }, "tag_bits is 23; expected 3 to 22: with the 9 bits of a set it is a row id, of 12 to 31 bits"},
		{"short ids", func(p *arch.Params) { p.TagBits = 2 }, "tag_bits is 2; expected 3 to 22: with the 9 bits of a set it is a row id, of 12 to 31 bits"},
		{"no tag", func(p *arch.Params) { p.TagBits, p.Blocks = 0, 1<<16 }, "tag_bits is 0; expected 1 to 18: with the 13 bits of a set it is a row id, of 12 to 31 bits"},
		{"engines of a beat", func(p *arch.Params) { p.StreamBits, p.ALUs = 512, 16 }, "engines is 8; a stream of 512 bits needs at least 16"},
		{"slots of a row", func(p *arch.Params) { p.Engines, p.Slots = 128, 16 }, "slots is 16; at least a quarter of the 128 engines"},
		{"whole rows", func(p *arch.Params) { p.EDRAMWords = 1000 }, "edram_words is 1000; expected a multiple of twice the 8 engines, from 256 to 16777216"},
		{"small eDRAM", func(p *arch.Params) { p.EDRAMWords = 240 }, "edram_words is 240; expected a multiple of twice the 8 engines, from 256 to 16777216"},
		{"two rows", func(p *arch.Params) { p.Engines, p.EDRAMWords = 128, 256 }, "edram_words is 256; expected a multiple of twice the 128 engines, from 512 to 16777216"},
		{"large eDRAM", func(p *arch.Params) { p.EDRAMWords = 1 << 25 }, "edram_words is 33554432; expected a multiple of twice the 8 engines, from 256 to 16777216"},
	} {
		p := arch.Small()
		c.change(&p)
		require.EqualError(t, p.Validate(), c.want, c.name)
	}
}

// TestValidateTellsAll: Validate reports all mistakes of a kind together.
func TestValidateTellsAll(t *testing.T) {
	err := arch.Params{}.Validate()
	lines := strings.Split(err.Error(), "\n")
	require.Len(t, lines, 13)
	require.Equal(t, "engines is 0; expected a power of two from 4 to 256", lines[0])

	p := arch.Small()
	p.TagBits, p.EDRAMWords = 0, 8
	require.Len(t, strings.Split(p.Validate().Error(), "\n"), 2)
}

func TestDerivedSizes(t *testing.T) {
	for _, c := range []struct {
		arch.Params
		sets, bankSets, id, bank, row, way, block, slot, half, bankWords, streamBytes int
	}{
		{arch.Small(), 512, 64, 22, 3, 6, 3, 12, 5, 16384, 4096, 16},
		{arch.Paper(), 262144, 4096, 31, 6, 12, 3, 21, 7, 425984, 13312, 64},
	} {
		p := c.Params
		got := []int{p.Sets(), p.BankSets(), p.IDBits(), p.BankBits(), p.SetBits(), p.WayBits(), p.BlockBits(), p.TicketBits(), p.HalfWords(), p.BankWords(), p.StreamBytes()}
		require.Equal(t, []int{c.sets, c.bankSets, c.id, c.bank, c.row, c.way, c.block, c.slot, c.half, c.bankWords, c.streamBytes}, got)
		require.Equal(t, p.IDBits(), p.BankBits()+p.SetBits()+p.TagBits)
		require.Equal(t, p.BlockBits(), p.BankBits()+p.SetBits()+p.WayBits())
	}
	require.Equal(t, 16384*26, arch.Paper().HalfWords(), "16K inputs of 26 lookups")
	require.Equal(t, 4<<20, arch.Paper().Blocks*2, "blocks of 16 bits: 4 MB")
	for n := range 20 {
		require.Equal(t, n, arch.Log2(1<<n))
	}
}

// TestNumbersDoNotOverlap: the arrays of s_wr registers do not overlap at the maximum sizes.
func TestNumbersDoNotOverlap(t *testing.T) {
	p := arch.Params{Tables: 256, Slots: 256, GPUs: arch.MaxGPUs} // the maximum sizes
	for _, g := range []struct{ first, n, next int }{
		{arch.RegTable, p.Tables, arch.RegSlot}, {arch.RegSlot, p.Slots, arch.RegHot}, {arch.RegHot, p.GPUs, arch.RegPooled},
		{arch.RegPooled, p.GPUs, arch.RegGrad}, {arch.RegGrad, p.GPUs, arch.RegMailbox}, {arch.RegMailbox, p.GPUs, arch.RegSlots},
		{arch.RegSlots, 5, arch.RegCount},
	} {
		require.LessOrEqual(t, g.first+g.n, g.next)
	}
}
