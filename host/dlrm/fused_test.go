package dlrm

import (
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// sources parses the packages that training and the generation of samples use.
func sources(t *testing.T) (*token.FileSet, map[string][]*ast.File) {
	fset, files := token.NewFileSet(), map[string][]*ast.File{}
	for _, dir := range []string{"detmath", "exact", "kernel", ".", "data/gen", "tt"} {
		pkg, err := build.ImportDir(dir, 0)
		require.NoError(t, err)
		for _, name := range pkg.GoFiles {
			f, err := parser.ParseFile(fset, filepath.Join(dir, name), nil, 0)
			require.NoError(t, err)
			files[dir] = append(files[dir], f)
		}
	}
	return fset, files
}

// TestOnlyExactFunctionsOfMath: training uses no function of the standard library whose result may
// differ between machines.
func TestOnlyExactFunctionsOfMath(t *testing.T) {
	allowed := strings.Fields("FMA Float32bits Float32frombits Float64bits Float64frombits Floor Frexp Inf IsInf IsNaN Ldexp Ln2 MaxFloat32 MaxUint64 NaN Round Sqrt Sqrt2")
	fset, packages := sources(t)
	for _, files := range packages {
		for _, f := range files {
			ast.Inspect(f, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok {
					if x, ok := s.X.(*ast.Ident); ok && x.Name == "math" {
						require.Contains(t, allowed, s.Sel.Name, fset.Position(n.Pos()))
					}
				}
				return true
			})
		}
	}
}

// TestNothingCanBeFused finds floating-point products that are operands of an addition without a
// conversion. A compiler may fuse them, and does so on some machines.
func TestNothingCanBeFused(t *testing.T) {
	fset, packages := sources(t)
	imports := importer.ForCompiler(fset, "source", nil)
	for dir, files := range packages {
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
		_, err := (&types.Config{Importer: imports}).Check(dir, fset, files, info)
		require.NoError(t, err)

		additions := 0
		check := func(operands ...ast.Expr) {
			for _, x := range operands {
				if !isFloat(info, x) {
					return
				}
				require.False(t, isProduct(info, x), "%v: a product that is not rounded before the addition", fset.Position(x.Pos()))
			}
			additions++
		}
		for _, f := range files {
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.BinaryExpr:
					if n.Op == token.ADD || n.Op == token.SUB {
						check(n.X, n.Y)
					}
				case *ast.AssignStmt:
					if n.Tok == token.ADD_ASSIGN || n.Tok == token.SUB_ASSIGN {
						check(n.Rhs[0])
					}
				}
				return true
			})
		}
		require.Greater(t, additions, 2, dir)
	}
}

func isFloat(info *types.Info, x ast.Expr) bool {
	b, ok := info.Types[x].Type.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsFloat != 0
}

// isProduct reports whether x is a non-constant product, possibly with a sign or parentheses.
func isProduct(info *types.Info, x ast.Expr) bool {
	switch e := x.(type) {
	case *ast.ParenExpr:
		return isProduct(info, e.X)
	case *ast.UnaryExpr:
		return isProduct(info, e.X)
	case *ast.BinaryExpr:
		return e.Op == token.MUL && info.Types[x].Value == nil
	}
	return false
}
