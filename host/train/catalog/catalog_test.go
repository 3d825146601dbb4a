package catalog_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/train/catalog"
)

// root is the folder of the module.
const root = "../../../"

const (
	module = "github.com/hotline-rtl/hotline/"
	below  = module + "host/train/"
)

// imports returns the packages that a file imports. source, unless nil, replaces the content of the
// file.
func imports(t *testing.T, file string, source any) []string {
	f, err := parser.ParseFile(token.NewFileSet(), file, source, parser.ImportsOnly)
	require.NoError(t, err)
	var list []string
	for _, i := range f.Imports {
		name, err := strconv.Unquote(i.Path.Value)
		require.NoError(t, err)
		list = append(list, name)
	}
	return list
}

// systems returns the names of the packages that the catalog imports.
func systems(t *testing.T) map[string]bool {
	found := map[string]bool{}
	for _, name := range imports(t, "catalog.go", nil) {
		if system, ok := strings.CutPrefix(name, below); ok && system != "registry" {
			found[system] = true
		}
	}
	return found
}

// named returns the systems whose packages a file must not import, but does.
func named(t *testing.T, systems map[string]bool, file string, source any) []string {
	var list []string
	folder := path.Dir(strings.TrimPrefix(file, root))
	for _, name := range imports(t, file, source) {
		system, _, _ := strings.Cut(strings.TrimPrefix(name, below), "/")
		own := folder == "host/train/"+system || strings.HasPrefix(folder, "host/train/"+system+"/")
		if strings.HasPrefix(name, below) && systems[system] && !own {
			list = append(list, system)
		}
	}
	return list
}

// TestSystemsAreNamedOnce: only the catalog names the package of a system, so that a new system is
// a folder and a line. Exceptions: papers reproduce particular systems; tests of systems use the
// baseline as their reference; and tests of the accelerator need a driver with another deadline.
func TestSystemsAreNamedOnce(t *testing.T) {
	allowed := map[string]bool{"host/train/catalog": true, "host/study/papers": true, "host/train/systemtest hybrid": true, "cmd/hotline-lab/guest/oncard hotline": true}
	known := systems(t)
	require.Len(t, known, 10)
	require.NoError(t, filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		file, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		file = filepath.ToSlash(file)
		for _, system := range named(t, known, root+file, nil) {
			if folder := path.Dir(file); !allowed[folder] && !allowed[folder+" "+system] {
				t.Errorf("%s names %s%s", file, below, system)
			}
		}
		return nil
	}))
}

// TestNamed: an import of a system, or of a package below one, is found outside of the system's
// folder and ignored inside.
func TestNamed(t *testing.T) {
	known := systems(t)
	source := `package p; import ("` + below + `cdlrm"; "` + below + `fae/static"; "` + below + `registry"; "` + below + `parts")`
	require.Equal(t, []string{"cdlrm", "fae"}, named(t, known, "configs/seeded.go", source))
	require.Equal(t, []string{"fae"}, named(t, known, "host/train/cdlrm/seeded.go", source))
	require.Equal(t, []string{"cdlrm"}, named(t, known, "host/train/fae/shuffle/seeded.go", source))
}

// mentioned returns the systems that a text names: as packages, in a command line or in prose. The
// constants of a machine keep the names under which they were measured.
func mentioned(t *testing.T, text string) []string {
	var list []string
	for name := range systems(t) {
		list = append(list, name)
	}
	for _, d := range catalog.Systems() {
		list = append(list, d.Name)
	}
	slices.Sort(list)
	text = regexp.MustCompile(regexp.QuoteMeta(module)+`|Machine\.\w+`).ReplaceAllString(text, "")
	return slices.DeleteFunc(slices.Compact(list), func(name string) bool {
		return !regexp.MustCompile("(?i)" + strings.ReplaceAll(name, "-", "[-_ ]?")).MatchString(text)
	})
}

// TestTimeModelNamesNoSystem: shared code names no system. Code that a system needs there is
// exported under a descriptive name.
func TestTimeModelNamesNoSystem(t *testing.T) {
	files, err := filepath.Glob("../timing/*.go")
	require.NoError(t, err)
	require.Greater(t, len(files), 10)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Empty(t, mentioned(t, string(text)), file)
	}
}

// TestMentioned checks the detector of TestTimeModelNamesNoSystem.
func TestMentioned(t *testing.T) {
	for text, want := range map[string][]string{
		`import "` + below + `machine"`:           {},
		`import "` + below + `cdlrm"`:             {"cdlrm"},
		"type staticCache struct{}":               {"static-cache", "staticcache"},
		"// TTRec multiplies lookup by lookup":    {"tt-rec"},
		"// as in Hotline without an accelerator": {"hotline"},
		"func (s *Schedule) faeSwap()":            {"fae"},
		"s.Machine.HybridTableOps":                {},
	} {
		require.Equal(t, want, mentioned(t, text), text)
	}
}

// TestDescriptions: names are unique, and systems of a block share its options.
func TestDescriptions(t *testing.T) {
	names, blocks := map[string]bool{}, map[string]any{}
	for _, d := range catalog.Systems() {
		require.False(t, names[d.Name], d.Name)
		names[d.Name] = true
		require.NotEmpty(t, d.Title, d.Name)
		require.NotNil(t, d.New, d.Name)
		require.False(t, d.Block != "" && d.Options == nil, d.Name)
		if d.Block != "" && blocks[d.Block] != nil {
			require.Same(t, blocks[d.Block], d.Options, d.Name)
		}
		blocks[d.Block] = d.Options
	}
}
