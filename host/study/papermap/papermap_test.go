package papermap

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/study/papers"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/top"
)

const root = "../../.."

// TestPage compares the page with the map.
func TestPage(t *testing.T) {
	var printed strings.Builder
	require.NoError(t, Print(&printed))
	page, err := os.ReadFile(root + "/docs/evidence/papers.md")
	require.NoError(t, err)
	require.Equal(t, printed.String(), string(page), "stale: go run ./cmd/hotline-lab papers > docs/evidence/papers.md")
}

// without is the repository without a folder.
type without struct {
	fs.FS
	folder string
}

func (w without) Open(name string) (fs.File, error) {
	if name == w.folder {
		return nil, fs.ErrNotExist
	}
	return w.FS.Open(name)
}

// TestPlaces: each package and each test of the map exists, and each figure with published numbers
// is in the map. A removed package, a renamed test and a missing figure are found.
func TestPlaces(t *testing.T) {
	tree := os.DirFS(root)
	require.Empty(t, mistakes(tree, Papers()))

	const eal = "hw/hotline/eal"
	require.Contains(t, mistakes(without{tree, eal}, Papers()), "hotline, Figure 27: there is no package "+eal)
	for _, c := range []struct{ from, to, mistake string }{
		{"eal.TestBankRates", "eal.TestBanks", "hotline, Figure 14: there is no test hw/hotline/eal.TestBanks"},
		{`"Figure 19"`, `"Figure 91"`, "hotline, Figure 19: not in the map"},
		{`{ test = "host/train/hybrid.TestHotlineFigure3" }`, `{ test = "TestHotlineFigure3" }`, "hotline, Figure 3: there is no test TestHotlineFigure3"},
		{`{ missing = "not reproduced" }`, `{}`, "fae, Figure 3: expected a package, or why it is missing"},
		{`{ missing = "not reproduced" }`, `{ package = "host/train/fae" }`, "fae, Figure 3: expected a test, or rows that are evaluated"},
	} {
		changed := strings.Replace(string(text), c.from, c.to, 1)
		require.NotEqual(t, string(text), changed)
		list, err := parse([]byte(changed))
		require.NoError(t, err)
		require.Contains(t, mistakes(tree, list), c.mistake)
	}
}

// mistakes lists what is wrong in a map of a repository.
func mistakes(tree fs.FS, list []Paper) (found []string) {
	listed := map[string]bool{}
	for _, paper := range list {
		for _, p := range paper.Places {
			where := paper.Name + ", " + p.Where
			listed[where] = true
			if mistake := p.mistake(tree, paper.Name); mistake != "" {
				found = append(found, where+": "+mistake)
			}
		}
	}
	for _, r := range papers.Records() {
		where := r.Paper + ", " + r.Item
		if !listed[where] && regexp.MustCompile("^(Figure|Table)").MatchString(r.Item) {
			found = append(found, where+": not in the map")
		}
	}
	return found
}

func (p Place) mistake(tree fs.FS, paper string) string {
	dir, test := split(p.Test)
	switch {
	case p.Test != "" && !slices.Contains(tests(tree, dir), test):
		return "there is no test " + p.Test
	case p.Package != "" && !isPackage(tree, p.Package):
		return "there is no package " + p.Package
	case p.Missing == "" && p.Package == "":
		return "expected a package, or why it is missing"
	case p.Missing == "" && p.Test == "" && evaluated(p.rows(paper)) == 0:
		return "expected a test, or rows that are evaluated"
	}
	return ""
}

// isPackage reports whether a folder has Go files other than tests.
func isPackage(tree fs.FS, dir string) bool {
	list, _ := fs.ReadDir(tree, dir)
	return slices.ContainsFunc(list, func(e fs.DirEntry) bool {
		return strings.HasSuffix(e.Name(), ".go") && !strings.HasSuffix(e.Name(), "_test.go")
	})
}

var testName = regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing\.T\)`)

// tests lists the tests of a package.
func tests(tree fs.FS, dir string) (names []string) {
	files, _ := fs.Glob(tree, path.Join(dir, "*_test.go"))
	for _, file := range files {
		text, _ := fs.ReadFile(tree, file)
		for _, m := range testName.FindAllSubmatch(text, -1) {
			names = append(names, string(m[1]))
		}
	}
	return names
}

// TestModules: each module of the map is in the design, and its package declares it. A module with
// another package is found.
func TestModules(t *testing.T) {
	d, err := hw.Elaborate(top.Hotline{Params: arch.Small()})
	require.NoError(t, err)
	packages := map[string]string{}
	for _, m := range d.Modules {
		packages[m.Name] = strings.TrimPrefix(m.Ports[0].Pos.Frames()[0].Package, "github.com/hotline-rtl/hotline/")
	}
	n := 0
	for _, p := range Papers() {
		for _, place := range p.Places {
			if place.Module != "" {
				n++
				require.Equal(t, place.Package, packages[place.Module], place.Shows)
			}
		}
	}
	require.Equal(t, 20, n)
	require.Len(t, Names(), n, "a module has one name")
	require.NotEqual(t, packages["alu"], packages["eal_queue"])
	require.Equal(t, "Reducer\nFigure 11", Names()["reduce"])
}

// captions are the captions of figures and tables in the text of a paper. The text of some captions
// is lost; their paper mentions the figure.
var captions = regexp.MustCompile(`(?mi)^\W*(fig\.|figure|table)\s+(\d+|[IVX]+)\s*[:.\n]`)

// TestCaptions: each figure and table with a caption in the papers is in the map. A map without a
// table lacks it.
func TestCaptions(t *testing.T) {
	shared := os.Getenv("HOTLINE_SHARED")
	if shared == "" {
		t.Skip("HOTLINE_SHARED is not set: it has the papers")
	}
	for paper, c := range map[string]struct {
		start string // of the name of the file
		least int
	}{"hotline": {"003", 34}, "fae": {"000", 21}, "cdlrm": {"001", 5}, "elrec": {"002", 16}, "scratchpipe": {"004", 16}} {
		files, err := filepath.Glob(filepath.Join(shared, "seeds", c.start+"_*.txt"))
		require.NoError(t, err)
		require.Len(t, files, 1)
		text, err := os.ReadFile(files[0])
		require.NoError(t, err)
		found := captions.FindAllStringSubmatch(string(text), -1)
		require.GreaterOrEqual(t, len(found), c.least, paper)
		i := slices.IndexFunc(Papers(), func(p Paper) bool { return p.Name == paper })
		for _, m := range found {
			kind := "Figure"
			if strings.EqualFold(m[1], "table") {
				kind = "Table"
			}
			name := fmt.Sprintf("%s %s", kind, m[2])
			require.True(t, Papers()[i].has(name), "%s: %s", paper, name)
		}
		require.False(t, Papers()[i].has("Table 77"))
	}
}

// has reports whether a figure, or a part such as Figure 4b, is in the map of a paper.
func (p Paper) has(name string) bool {
	return slices.ContainsFunc(p.Places, func(place Place) bool {
		return strings.TrimRight(place.Where, "abc") == name
	})
}
