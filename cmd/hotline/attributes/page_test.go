package attributes

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm/data/gen"
	"github.com/hotline-rtl/hotline/host/train/elrec"
)

const module = "github.com/hotline-rtl/hotline/"

// decoded returns the structs in a tree that have the tags of HCL, except the records of papers,
// which users do not write.
func decoded(t *testing.T, tree fs.FS) (list []string) {
	t.Helper()
	require.NoError(t, fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "host/study/papers/") {
			return err
		}
		text, err := fs.ReadFile(tree, name)
		require.NoError(t, err)
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok && tagged(spec) {
				list = append(list, module+path.Dir(name)+"."+spec.Name.Name)
			}
			return true
		})
		return nil
	}))
	slices.Sort(list)
	return list
}

// tagged reports whether a type is a struct with a tag of HCL.
func tagged(spec *ast.TypeSpec) bool {
	s, ok := spec.Type.(*ast.StructType)
	return ok && slices.ContainsFunc(s.Fields.List, func(f *ast.Field) bool { return f.Tag != nil && strings.Contains(f.Tag.Value, "hcl:") })
}

// described returns the structs of the page.
func described() (list []string) {
	for _, t := range Types() {
		list = append(list, fmt.Sprintf("%s.%s", t.PkgPath(), t.Name()))
	}
	slices.Sort(list)
	return list
}

// embedded has the decoder of a file that users cannot replace.
const embedded = "host/study/papermap"

// TestEveryDecoderIsDescribed: the page has the structs of all decoders of users' files.
func TestEveryDecoderIsDescribed(t *testing.T) {
	tree := fstest.MapFS{}
	for _, folder := range []string{"configs", "host", "hw"} {
		require.NoError(t, fs.WalkDir(os.DirFS("../../.."), folder, func(name string, d fs.DirEntry, err error) error {
			if err == nil && path.Ext(name) == ".go" && path.Dir(name) != embedded {
				var text []byte
				text, err = os.ReadFile("../../../" + name)
				tree[name] = &fstest.MapFile{Data: text}
			}
			return err
		}))
	}
	require.Equal(t, described(), decoded(t, tree))

	tree["host/new/options.go"] = &fstest.MapFile{Data: []byte("package new\n\ntype Options struct {\n\tDepth int `hcl:\"depth\"`\n}\n")}
	require.NotEqual(t, described(), decoded(t, tree))
	require.Contains(t, decoded(t, tree), module+"host/new.Options")
}

// TestEveryAttributeHasAMeaning: each attribute has a type and a meaning, once in its block.
func TestEveryAttributeHasAMeaning(t *testing.T) {
	for _, k := range kinds() {
		for _, b := range k.blocks {
			seen := map[string]bool{}
			for _, a := range b.Attributes {
				require.NotEmpty(t, a.Type, "%s.%s", b.Name, a.Name)
				require.NotEmpty(t, a.Meaning, "%s.%s", b.Name, a.Name)
				require.False(t, seen[a.Name], "%s.%s", b.Name, a.Name)
				seen[a.Name] = true
			}
		}
	}
	require.NotContains(t, Page(), "| |  |")
}

// TestWordsOfTags checks the numbers in tags, which cannot refer to constants.
func TestWordsOfTags(t *testing.T) {
	tables := gen.CriteoLike(0).Tables
	require.Contains(t, Page(), fmt.Sprintf("by name (C1 to C%d)", len(tables)))
	for _, x := range tables {
		require.Equal(t, 1, x.Lookups)
	}
	require.Contains(t, Page(), "| `lookups` | object of integers | | 1 to 256 | 1 |")
	require.Contains(t, Page(), fmt.Sprintf("| `reorder_groups` | integer | %d samples |", elrec.GroupInputs))
}
