package hw_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
)

func file(t *testing.T, text string) string {
	name := filepath.Join(t.TempDir(), "words.hex")
	require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	return name
}

// contentsOf returns the contents of the memories that f declares, by name.
func contentsOf(t *testing.T, f func(m *hw.Module)) map[string][]uint64 {
	t.Helper()
	d, err := hw.Elaborate(described{&f})
	require.NoError(t, err)
	require.NoError(t, ir.Verify(d))
	out := map[string][]uint64{}
	for _, m := range d.Top.Body.Mems {
		out[m.Name] = m.Init
	}
	return out
}

type entry struct {
	Row  hw.Bits   `hw:"70"`
	Tags []hw.Bits `hw:"4,len=2"`
	Old  hw.Bits   `hw:"1"`
}

func TestContents(t *testing.T) {
	name := file(t, "// two words\n12 f_f /* the\nlast */ @4\n 3\n")
	have := contentsOf(t, func(m *hw.Module) {
		m.Mem("none", 2, 8)
		m.Mem("some", 3, 8).Init(hw.Lits(8, []byte{1, 255}))
		m.ROM("all", hw.Lits(64, []int{7, 1 << 40}))
		hw.Width(70).ROM(m, "wide", []hw.Bits{hw.Cat(hw.Lit(6, 0x21), hw.Lit(64, 5))})
		hw.Of[entry](nil).ROM(m, "records", []entry{{Row: hw.Lit(70, 3), Tags: []hw.Bits{hw.Lit(4, 0xA), hw.Lit(4, 0xB)}, Old: hw.Lit(1, 1)}})
		m.Mem("file", 6, 8).Init(m.HexFile(name, 6, 8))
	})
	require.Equal(t, map[string][]uint64{
		"none": nil, "some": {1, 255, 0}, "all": {7, 1 << 40}, "wide": {5, 0x21},
		"records": {3<<9 | 0xA<<5 | 0xB<<1 | 1, 0}, "file": {0x12, 0xFF, 0, 0, 3, 0},
	}, have)
}

func TestWrongContents(t *testing.T) {
	words := hw.Lits(8, make([]byte, 70))
	run(t, []mistake{
		{"contents", func(m *hw.Module) {
			m.Mem("salt", 64, 8).Init(words)                     // ia
			m.ROM("empty", nil)                                  // ib
			m.Mem("odd", 70, 9).Init(words)                      // ic
			m.Mem("twice", 70, 8).Init(words).Init(words)        // id
			m.Mem("big", 70, 8).Style("ultra").Init(words)       // ie
			m.ROM("table_of", words).Style("ultra")              // if
			m.ROM("live", []hw.Bits{hw.Lit(8, 1), m.In("x", 8)}) // ig
			m.ROM("fits", hw.Lits(3, []int{8}))                  // ih
			hw.Mem[hw.Bits]{}.Init(words)                        // ii
		}, []string{
			`{ia} < {build}: bad: [memory] memory "salt": 70 values for 64 words`,
			`{ib} < {build}: bad: [memory] memory "empty": contents of no words`,
			`{ic} < {build}: bad: [width] the value has 8 bits, expected 9; use Ext, SExt or Trunc`,
			`{id} < {build}: bad: [memory] memory "twice" has contents already`,
			`{ie} < {build}: bad: [memory] memory "big": a memory of style ultra cannot have contents; use block`,
			`{if} < {build}: bad: [memory] memory "table_of": a memory of style ultra cannot have contents; use block`,
			`{ig} < {build}: bad: [const] memory "live": the value of word 1 is not constant`,
			`{ih} < {build}: bad: [const] constant 8 does not fit in 3 bits`,
			`{ii} < {build}: bad: [direction] a memory that was never declared`,
		}},
	})
}

func TestWrongHexFile(t *testing.T) {
	for text, want := range map[string]string{
		"0\n12 1x":     `:2: found "1x", expected a hexadecimal number or an address such as @1f`,
		"-1":           `:1: found "-1", expected a hexadecimal number or an address such as @1f`,
		"@":            `:1: found "@", expected a hexadecimal number or an address such as @1f`,
		"/* no end\n0": `:1: found "/*", expected a hexadecimal number or an address such as @1f`,
		"@4 1":         ":1: @4 is beyond the last of 4 words",
		"0 1 2 3\n\n4": ":3: 4 is beyond the last of 4 words",
		"100":          ":1: 100 does not fit in 8 bits",
	} {
		name := file(t, text)
		f := func(m *hw.Module) { m.HexFile(name, 4, 8) }
		_, err := hw.Elaborate(described{&f})
		require.ErrorContains(t, err, "[memory] "+name+want, text)
	}
	f := func(m *hw.Module) { m.HexFile(filepath.Join(t.TempDir(), "none.hex"), 4, 8) }
	_, err := hw.Elaborate(described{&f})
	require.ErrorContains(t, err, "none.hex: no such file")
	f = func(m *hw.Module) { m.HexFile(file(t, "0"), 0, 8) }
	_, err = hw.Elaborate(described{&f})
	require.ErrorContains(t, err, "[memory] contents of 0 words; expected 1 to 2147483648")
}
