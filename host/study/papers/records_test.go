package papers

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/train/machine"
)

// TestRecords checks that every record has a unique name, and that the published number itself
// holds.
func TestRecords(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Records() {
		require.False(t, seen[r.ID], "twice: %s", r.ID)
		seen[r.ID] = true
		require.Regexp(t, `^[a-z]+(/[a-z0-9.]+(-[a-z0-9.]+)*){3}$`, r.ID)
		require.Contains(t, Names(), r.Paper, r.ID)
		require.LessOrEqual(t, r.From, r.To, r.ID)
		if r.Value != nil {
			require.True(t, r.holds(*r.Value), "the paper's own holds: %s", r.ID)
		}
		require.False(t, slices.Contains([]Class{SetUp, Arithmetic}, r.Class) && r.Measure != "", "nothing measures it: %s", r.ID)
	}
	require.Greater(t, len(seen), 300)
}

// TestCalibration checks that the rows named by fitted constants have class calibration.
func TestCalibration(t *testing.T) {
	for _, c := range machine.Default().Constants() {
		if c.Calibrated == "" {
			continue
		}
		require.True(t, slices.ContainsFunc(Records(), func(r Record) bool {
			title := Paper{Title: library().files[r.Paper].Title}.short() + " " + r.Item
			return strings.HasPrefix(c.Calibrated+",", title+",") && r.Class == Calibration
		}), "%s was fitted to %s, of which no row is calibration", c.Name, c.Calibrated)
	}
}

// TestParse: mistakes in a record are reported with their position.
func TestParse(t *testing.T) {
	const whole = "title = \"T\"\nprofile = \"p\"\nworkload \"w\" {\n  model = \"rm2\"\n}\nitem \"Table 1\" \"rows\" {\n  class = \"exact\"\n  measure = \"dense parameters\"\n  workloads = [\"w\"]\n  row \"a\" {\n    value = 2\n    within = 1\n  }\n  row \"b, 1\" {\n    says = \"less\"\n    low = 0\n    high = 1\n    not_run = \"so\"\n  }\n}\n"
	_, list, err := parse("fae", []byte(whole))
	require.NoError(t, err)
	require.Equal(t, []string{"fae/table-1/rows/a", "fae/table-1/rows/b-1"}, []string{list[0].ID, list[1].ID})
	require.Equal(t, []float64{1, 3, 0, 1}, []float64{list[0].From, list[0].To, list[1].From, list[1].To})
	require.Equal(t, []string{"dense parameters", "", "2", "less"}, []string{list[0].Measure, list[1].Measure, list[0].Says, list[1].Says})
	for _, c := range []struct{ of, by, says string }{
		{"within", "wihtin", "fae.hcl:12: "},
		{"class", "klass", "fae.hcl:7: "},
		{"model", "models", "fae.hcl:4: "},
		{"exact", "certain", `there is no class "certain"`},
		{"dense parameters", "luck", `there is no measure "luck"`},
		{"[\"w\"]", "[\"x\"]", `there is no workload "x"`},
		{"dense parameters\"\n  workloads = [\"w\"]", "time\"", "it has no workload"},
		{"  measure = \"dense parameters\"\n", "", "it has neither measure nor not_run"},
		{"    value = 2\n    within = 1\n", "", "it has neither value nor says"},
		{"exact\"", "timing\"\n  unit = \"x\"\n  reduce = \"luck\"", `there is no reduction "luck"`},
		{"measure = \"dense parameters\"", "measure = \"order\"", "0 systems have 0 times"},
		{"within = 1", "", "OK"},
		{"value = 2\n    within = 1", "value = 1\n    class = \"timing\"\n    unit = \"x\"", "a speed-up of 1 needs bounds"},
		{"  model = \"rm2\"", "  like = \"v\"", `there is no workload "v" above it`},
	} {
		_, _, err = parse("fae", []byte(strings.Replace(whole, c.of, c.by, 1)))
		if c.says == "OK" {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, c.says)
	}
}

// noted maps rows of the notes' tables that are in no figure or table to their place.
var noted = map[string]string{
	"Sec 2": "section-2", "geomeans [D]": "table-5", "headline": "abstract", "single GPU": "single-gpu", "intro": "introduction", "text": "section-iv",
	"multi-hot EAL hit rate": "section-iv", "roofline": "section-iii", "profiling overhead": "section-vii", "VI-D": "section-vi-d", "VI-F": "section-vi-f",
}

// dropped lists rows of the notes without a record. FAE's Figure 3 is the formula p^B.
var dropped = []string{"fae, Fig 3"}

// TestNotesHaveRecords searches a record for each published number of the notes. It runs only if
// HOTLINE_SHARED names the folder with the notes.
func TestNotesHaveRecords(t *testing.T) {
	shared := os.Getenv("HOTLINE_SHARED")
	if shared == "" {
		return
	}
	text, err := os.ReadFile(filepath.Join(shared, "notes", "training.md"))
	require.NoError(t, err)
	rows := 0
	for paper, section := range map[string]string{"fae": "1.1 FAE", "cdlrm": "1.2 cDLRM", "elrec": "1.3 EL-Rec", "hotline": "1.4 Hotline", "scratchpipe": "1.5 ScratchPipe"} {
		_, rest, ok := strings.Cut(string(text), "### "+section)
		require.True(t, ok, section)
		rest, _, _ = strings.Cut(rest, "\n### ")
		_, rest, ok = strings.Cut(rest, "| item | value | class |\n|---|---|---|\n")
		require.True(t, ok, section)
		for line := range strings.Lines(rest) {
			cells := strings.Split(strings.Trim(line, "| \n"), " | ")
			if len(cells) != 3 {
				break
			}
			rows++
			covered(t, paper, cells[0], cells[1])
		}
	}
	require.Equal(t, 73, rows)
}

// place matches the figures or tables of a row of the notes.
var place = regexp.MustCompile(`^(Fig|Table) ([0-9]+|[IVX]+)((?:, [0-9]+)*)`)

// covered checks that records of a row of the notes exist and contain its numbers.
func covered(t *testing.T, paper, item, value string) {
	if slices.Contains(dropped, paper+", "+item) {
		return
	}
	var items []string
	if m := place.FindStringSubmatch(item); m != nil {
		kind := map[string]string{"Fig": "figure-", "Table": "table-"}[m[1]]
		for _, n := range append([]string{m[2]}, strings.Split(strings.Trim(m[3], ", "), ", ")...) {
			if n != "" {
				items = append(items, kind+strings.ToLower(n))
			}
		}
	} else {
		require.Contains(t, noted, item)
		items = []string{noted[item]}
	}
	said := ""
	for _, r := range Records() {
		if slices.Contains(items, strings.TrimRight(slug(r.Item), "abc")) && r.Paper == paper {
			said += " " + strings.Join([]string{r.Says, r.What, r.On, r.Unit, r.Rule, r.NotRun}, " ")
		}
	}
	require.NotEmpty(t, said, "%s, %s", paper, item)
	for _, n := range numbers(value) {
		require.Contains(t, numbers(said), n, "%s, %s: %s", paper, item, value)
	}
}

// aside matches remarks that the notes add to the paper's numbers.
var aside = regexp.MustCompile(`\([^()]*(reproducible|gives|ratio|time dimension|verified)[^()]*\)`)

// numbers returns the numbers of a text, without trailing zeros after the decimal point and without
// commas in thousands.
func numbers(text string) (list []string) {
	text = aside.ReplaceAllString(text, "")
	for range 2 { // thousands of thousands overlap
		text = regexp.MustCompile(`(\d),(\d\d\d)`).ReplaceAllString(text, "$1$2")
	}
	for _, n := range regexp.MustCompile(`\d*\.?\d+(?:e-\d+)?`).FindAllString(text, -1) {
		if strings.Contains(n, ".") {
			n = strings.TrimRight(strings.TrimRight(n, "0"), ".")
		}
		list = append(list, strings.TrimLeft(n, "0."))
	}
	return list
}
