package gosim_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/gosim"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/random"
	"github.com/hotline-rtl/hotline/sim/simtest"
)

// TestFunctionSizes limits the length of functions, because the Go compiler takes more than linear
// time for a function. It also checks that generated code allocates nothing.
func TestFunctionSizes(t *testing.T) {
	for name, d := range map[string]*ir.Design{
		"random": random.Random(3, random.Options{Size: 6, Levels: 2}),
		"fifos":  elaborate(t, simtest.FIFOArray{Lanes: 128, Width: 200, Depth: 16}),
	} {
		files, err := gosim.Generate(d, name)
		require.NoError(t, err)
		for _, f := range files {
			if filepath.Ext(f.Name) != ".go" {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), f.Name, f.Text, 0)
			require.NoError(t, err)
			for _, decl := range file.Decls {
				fn, ok := decl.(*ast.FuncDecl)
				if !ok {
					continue
				}
				n := 0
				ast.Inspect(fn, func(x ast.Node) bool {
					if _, ok := x.(ast.Stmt); ok {
						n++
					}
					if c, ok := x.(*ast.CallExpr); ok {
						if id, ok := c.Fun.(*ast.Ident); ok {
							require.NotContains(t, []string{"make", "append"}, id.Name, "%s allocates", fn.Name)
						}
					}
					return true
				})
				require.Less(t, n, 6000, "%s of %s", fn.Name, name)
			}
		}
	}
}

// TestArraysStayRolled: arrays stay arrays, so the text does not grow with their length. Kernels
// are an exception: short ones have no loop.
func TestArraysStayRolled(t *testing.T) {
	size := func(lanes int) (n int) {
		files, err := gosim.Generate(elaborate(t, simtest.FIFOArray{Lanes: lanes, Width: 16, Depth: 8}), "fifos")
		require.NoError(t, err)
		for _, f := range files {
			if filepath.Ext(f.Name) == ".go" {
				n += len(f.Text)
			}
		}
		return n
	}
	require.Less(t, size(64), size(8)*3/2)
}

// TestNamesOfTheDesign: names of functions and fields end in names of the design.
func TestNamesOfTheDesign(t *testing.T) {
	files, err := gosim.Generate(elaborate(t, simtest.FIFOArray{Lanes: 128, Width: 64, Depth: 16}), "fifos")
	require.NoError(t, err)
	for _, pattern := range []string{
		`func \(s \*Model\) u\d+_lane_fifo\(`,
		`func \(s \*Model\) commit\d+_lane_fifo\(`,
		`func \(s \*Model\) write\d+_lane_fifo_mem\(`,
		`TEXT ·vector\d*_u\d+_lane_fifo\(`,
		`\tv\d+_count +\[128\]uint8 +// lane\[0\]\.fifo\.count\n`,
		`\tm\d+ +\S+ +// lane\[0\]\.fifo\.mem\n`,
	} {
		require.Regexp(t, pattern, texts(files))
	}
}

// TestDeterministic: equal designs give equal files.
func TestDeterministic(t *testing.T) {
	make := func() []gosim.File {
		files, err := gosim.Generate(random.Random(5, random.Options{Size: 8, Levels: 2}), "random")
		require.NoError(t, err)
		return files
	}
	first := make()
	for range 3 {
		require.Equal(t, first, make())
	}
}
