package asm

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// TestDocument: docs/how-to/programs.md lists all operands, directives and registers, and its example is a
// valid program.
func TestDocument(t *testing.T) {
	b, err := os.ReadFile("../../../docs/how-to/programs.md")
	require.NoError(t, err)
	document := string(b)
	for _, o := range arch.Opcodes {
		name, operands, _ := strings.Cut(usage(o.Number), " ")
		row := "| `" + name + "` | " + operands
		require.Contains(t, document, strings.TrimSpace(row)+" |")
	}
	for _, d := range strings.Split(directives, ", ") {
		require.Contains(t, document, "\n| `"+d)
	}
	statuses := "`" + strings.ReplaceAll(arch.Status(0).Enum().List(), ", ", "`, `") + "`"
	require.Contains(t, document, "The names of statuses are: "+statuses+".")
	for _, r := range arch.Registers {
		require.Regexp(t, "`"+r.Name+"(\\[\\d\\])?`", document)
	}
	_, rest, _ := strings.Cut(document, "```\n")
	text, _, _ := strings.Cut(rest, "```")
	p, err := Parse("programs.md", text)
	require.NoError(t, err)
	require.Len(t, p.Commands, 6)
	require.Len(t, p.Shows, 1)
	require.Len(t, p.Encode(), 6*64, "data are not in a stream")
	require.Contains(t, document, "from 0x100000000 in host memory, from 0x40000000000 in the memory of GPU 0")
	require.EqualValues(t, 0x100000000, address(Place{-1, 0}))
	require.EqualValues(t, 0x40000000000, address(Place{0, 0}))
	same, err := Parse("x.s", "v_mul -0.5 ; a comment\nlabel: v_mul 0xbf000000\n\ts_wr scale, -0.5\n s_wr scale, 0xbf000000\n s_wr 3, 4+label-label")
	require.NoError(t, err)
	require.Equal(t, same.Commands[0].Command, same.Commands[1].Command)
	require.Equal(t, same.Commands[2].Command, same.Commands[3].Command)
	require.EqualValues(t, 0xbf000000, same.Commands[2].Operand2)
	require.EqualValues(t, 4, same.Commands[4].Operand2)
	n, err := symbols{}.sum("1_000+0x40-64")
	require.NoError(t, err)
	require.EqualValues(t, 1000, n)
}
