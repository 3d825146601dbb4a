package verilog_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
)

// masks expands a byte mask to a bit mask, and chooses by a number whose values have names.
type masks struct{}

func (masks) ModuleName() string { return "masks" }

func (masks) Build(m *hw.Module) ports {
	var io ports
	bytes, at := m.In("bytes", 2), m.In("at", 4)
	io.In = []hw.Bits{bytes, at}
	io.out(m, "mask", hw.Cat(bytes.Bit(1).Repeat(8), bytes.Bit(0).Repeat(8)))
	known := m.Wire("known", 2)
	known.Set(hw.K(0))
	m.Switch(at).Case(hw.Named("first", 3), func() { known.Set(bytes) }).Case(hw.Named("last", 9), func() { known.Set(bytes.Not()) }).Default(func() {})
	io.out(m, "known_out", known)
	return io
}

// TestMasks checks two adjacent repetitions, and a constant that is used only as a label.
func TestMasks(t *testing.T) {
	d, files := generate(t, of("masks", masks{}))
	text := files[0].Text
	require.Contains(t, text, "assign mask = {{8{bytes[1]}}, {8{bytes[0]}}};")
	require.NotContains(t, text, "_unused_ok")
	lint(t, d, files)
	compare(t, d, files, 60, 1)
}
