package papers

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/train/machine"
)

// Every record is whole, has a name of its own, and either an experiment or a reason why there is
// none.
func TestRecords(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Records() {
		require.False(t, seen[r.ID], "twice: %s", r.ID)
		seen[r.ID] = true
		require.Regexp(t, `^[a-z]+(/[a-z0-9.]+(-[a-z0-9.]+)*){3}$`, r.ID)
		require.Contains(t, Names(), r.Paper, r.ID)
		require.Contains(t, Classes, r.Class, r.ID)
		require.Contains(t, []Role{HeldOut, Calibration}, r.Role, r.ID)
		require.NotEmpty(t, r.Says, r.ID)
		require.LessOrEqual(t, r.From, r.To, r.ID)
		require.NotEqual(t, r.By == "", r.NotRun == "", "either: %s", r.ID)
		if r.Value != nil {
			require.True(t, r.From <= *r.Value && *r.Value <= r.To, "the paper's own holds: %s", r.ID)
		}
		if r.Class == Timing && r.Value != nil && r.Unit == "x" {
			require.LessOrEqual(t, r.To, 1.2500001**r.Value, "no wider than a quarter: %s", r.ID)
		}
	}
	require.Greater(t, len(seen), 300)
}

// Every experiment that a record names finds it, and none finds what names another one.
func TestExperimentsHaveRecords(t *testing.T) {
	k := newClock(machine.Default())
	known := map[string]bool{}
	for _, paper := range Names() {
		list, err := experiments(context.Background(), paper, k, nil)
		require.NoError(t, err)
		for _, e := range list {
			name := paper + ": " + e.name
			require.False(t, known[name], "twice: %s", name)
			known[name] = true
			if e.long && e.item == "" {
				require.True(t, slices.ContainsFunc(Records(), func(r Record) bool { return r.By == e.name }), name)
			}
		}
	}
	for _, r := range Records() {
		if r.By != "" {
			require.True(t, known[r.Paper+": "+r.By], "%s: there is no experiment %s", r.ID, r.By)
		}
	}
	long := 0
	for _, row := range evaluated(t).Rows {
		if row.By != "" && row.Verdict == NotRun {
			require.Equal(t, takesMinutes, row.Note, row.ID)
			long++
		}
	}
	require.Equal(t, 15, long)
}

// Constants that were fitted say to what: to rows that are calibration, and there is no such row
// that no constant and no generator was fitted to.
func TestCalibration(t *testing.T) {
	fitted := map[string]bool{}
	for _, c := range machine.Default().Constants() {
		if c.Calibrated == "" {
			continue
		}
		found := false
		for _, r := range Records() {
			if title := r.title(); strings.HasPrefix(c.Calibrated+",", title+",") && r.Role == Calibration {
				fitted[r.ID], found = true, true
			}
		}
		require.True(t, found, "%s was fitted to %s, of which no row is calibration", c.Name, c.Calibrated)
	}
	for _, r := range Records() {
		if r.Role == Calibration && !fitted[r.ID] {
			require.Regexp(t, "generated|generator|chosen", r.Rests, r.ID)
		}
	}
	require.Len(t, fitted, 6)
}

// A mistake in a record is told with its place.
func TestParse(t *testing.T) {
	const whole = "title = \"T\"\nprofile = \"p\"\nitem \"Table 1\" \"rows\" {\n  class = \"exact\"\n  by = \"x\"\n  row \"a\" {\n    value = 2\n    tolerance = 0.5\n  }\n  row \"b, 1\" {\n    says = \"less\"\n    low = 0\n    high = 1\n    not_run = \"so\"\n  }\n}\n"
	_, list, err := parse("fae", []byte(whole))
	require.NoError(t, err)
	require.Equal(t, []string{"fae/table-1/rows/a", "fae/table-1/rows/b-1"}, []string{list[0].ID, list[1].ID})
	require.Equal(t, []float64{1, 3, 0, 1}, []float64{list[0].From, list[0].To, list[1].From, list[1].To})
	require.Equal(t, []string{"x", "", "2", "less"}, []string{list[0].By, list[1].By, list[0].Says, list[1].Says})
	_, _, err = parse("fae", []byte(strings.Replace(whole, "tolerance", "tolerence", 1)))
	require.ErrorContains(t, err, "fae.hcl:8: ")
	_, _, err = parse("fae", []byte(strings.Replace(whole, "class", "klass", 1)))
	require.ErrorContains(t, err, "fae.hcl:4: ")
	r := attributes{Class: Trend, Low: new(float64)}
	from, to := r.bounds()
	require.Equal(t, []float64{0, math.MaxFloat64}, []float64{from, to})
}

// noted are rows of the notes' tables that are told elsewhere than in a figure or table: where.
var noted = map[string]string{
	"Sec 2": "section-2", "geomeans [D]": "table-5", "headline": "abstract", "single GPU": "single-gpu", "intro": "introduction", "text": "section-iv",
	"multi-hot EAL hit rate": "section-iv", "roofline": "section-iii", "profiling overhead": "section-vii", "VI-D": "section-vi-d", "VI-F": "section-vi-f",
}

// Every row of the notes' tables of published numbers has records, and each number in it is in one
// of them. It runs where HOTLINE_SHARED names the folder with the notes.
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

// place is a figure or a table, or several, of a row of the notes.
var place = regexp.MustCompile(`^(Fig|Table) ([0-9]+|[IVX]+)((?:, [0-9]+)*)`)

// covered looks for records of a row of the notes, and for its numbers in them.
func covered(t *testing.T, paper, item, value string) {
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
			said += " " + strings.Join([]string{r.Says, r.What, r.On, r.Unit, r.Rests, r.NotRun, r.Missing}, " ")
		}
	}
	require.NotEmpty(t, said, "%s, %s", paper, item)
	for _, n := range numbers(value) {
		require.Contains(t, numbers(said), n, "%s, %s: %s", paper, item, value)
	}
}

// aside is what notes add to the paper's own numbers.
var aside = regexp.MustCompile(`\([^()]*(reproducible|gives|ratio|time dimension|verified)[^()]*\)`)

// numbers are those of a text, without zeros behind the point and commas in thousands.
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
