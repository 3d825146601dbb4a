package enum_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/enum"
)

type opcode uint8

const (
	read  opcode = 1
	write opcode = 2
	move  opcode = 0x12
)

var opcodes = enum.New("opcode", map[opcode]string{move: "move", read: "dma_rd", write: "dma_wr"}, enum.Width(8), enum.Hex)

func (opcode) Enum() enum.Set   { return opcodes }
func (o opcode) String() string { return opcodes.Text(uint64(o)) }

func TestSet(t *testing.T) {
	require.Equal(t, "opcode", opcodes.Name())
	require.Equal(t, 8, opcodes.Width())
	require.True(t, opcodes.Hex())
	require.Equal(t, []enum.Named{{1, "dma_rd"}, {2, "dma_wr"}, {0x12, "move"}}, opcodes.Values())
	require.Equal(t, "move", move.String())
	require.Equal(t, "opcode(3)", opcode(3).String())
	require.True(t, opcodes.Has(2))
	require.False(t, opcodes.Has(3))
	require.Equal(t, "opcode {dma_rd, dma_wr, move}", opcodes.String())
	require.Equal(t, move.Enum(), read.Enum())
	require.NotEqual(t, opcodes, enum.New("opcode", map[opcode]string{move: "move"}))
}

func TestParse(t *testing.T) {
	v, err := opcodes.Parse("dma_wr")
	require.NoError(t, err)
	require.EqualValues(t, write, v)
	_, err = opcodes.Parse("DMA_WR")
	require.EqualError(t, err, `"DMA_WR" is not a value of opcode; expected one of dma_rd, dma_wr, move`)
}

func TestLeastWidth(t *testing.T) {
	for largest, width := range map[uint64]int{0: 1, 1: 1, 2: 2, 7: 3, 8: 4, 1 << 63: 64} {
		s := enum.New("x", map[uint64]string{largest: "largest"})
		require.Equal(t, width, s.Width())
		require.False(t, s.Hex())
	}
}

func TestImpossibleSets(t *testing.T) {
	for text, f := range map[string]func(){
		"enum: x has no values":                    func() { enum.New("x", map[opcode]string{}) },
		`enum: x: 1 and 2 have the name "a"`:       func() { enum.New("x", map[opcode]string{1: "a", 2: "a"}) },
		"enum: x: a width of 3, expected 4 to 64":  func() { enum.New("x", map[opcode]string{9: "a"}, enum.Width(3)) },
		"enum: x: a width of 65, expected 1 to 64": func() { enum.New("x", map[opcode]string{0: "a"}, enum.Width(65)) },
		`enum: x: name "A", expected lower-case words of letters and digits joined by single underscores`: func() { enum.New("x", map[opcode]string{0: "A"}) },
		`enum: X: name "X", expected lower-case words of letters and digits joined by single underscores`: func() { enum.New("X", map[opcode]string{0: "a"}) },
	} {
		require.PanicsWithValue(t, text, f)
	}
}
