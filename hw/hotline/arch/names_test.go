package arch_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// constants returns the values of the constants of format.go that have the given prefix or type.
func constants(t *testing.T, of string) map[int]bool {
	f, err := parser.ParseFile(token.NewFileSet(), "format.go", nil, 0)
	require.NoError(t, err)
	found := map[int]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		s, ok := n.(*ast.ValueSpec)
		if !ok || len(s.Values) == 0 {
			return true
		}
		typed, _ := s.Type.(*ast.Ident)
		if strings.HasPrefix(s.Names[0].Name, of) || typed != nil && typed.Name == of {
			if v, ok := s.Values[0].(*ast.BasicLit); ok && !strings.HasSuffix(s.Names[0].Name, "Bit") {
				n, err := strconv.ParseInt(v.Value, 0, 64)
				require.NoError(t, err)
				found[int(n)] = true
			}
		}
		return true
	})
	require.NotEmpty(t, found)
	return found
}

// TestNames: every opcode, register and status has a name, and docs/reference/accelerator.md contains the
// mnemonics.
func TestNames(t *testing.T) {
	document, err := os.ReadFile("../../../docs/reference/accelerator.md")
	require.NoError(t, err)
	for _, o := range arch.Opcodes {
		require.Contains(t, string(document), "`"+o.Name+"`")
	}
	for _, s := range arch.Statuses {
		require.NotContains(t, s.Name, "status(", "it has a meaning")
	}
	for n := range constants(t, "Reg") {
		if n != arch.RegCount {
			require.NotContains(t, arch.RegisterName(n), " ")
		}
	}
	for i, r := range arch.Registers[1:] {
		require.Equal(t, r.First, arch.Registers[i].First+arch.Registers[i].Count)
	}
	require.Equal(t, "opcode(119)", arch.Opcode(0x77).String())
	require.Equal(t, []string{"id", "sq_base_hi", "dropped", "register 0xb0"},
		[]string{arch.CSRName(arch.CSRID), arch.CSRName(arch.CSRSQBaseHi), arch.CSRName(arch.CSRDropped), arch.CSRName(0xb0)})
	require.Equal(t, "status(99)", arch.Status(99).String())
	require.Equal(t, []string{"table[0]", "slot[255]", "mailbox[7]", "scale", "register 0x225"},
		[]string{arch.RegisterName(0), arch.RegisterName(0x1ff), arch.RegisterName(0x21f), arch.RegisterName(0x224), arch.RegisterName(0x225)})
}
