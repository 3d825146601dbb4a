package table

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

var systems = Table{
	Indent:  2,
	Columns: []Column{{Name: "system", Text: true}, {Name: "time"}, {Name: "range"}, {Name: "bound by", Text: true}},
	Rows: [][]string{
		{"hybrid", "21,523.05 us", "(17,191.06 us to 24,787.31 us)", "host thread"},
		{"hotline", "9,544.66 us", "(9,688.08 us to 23,697.68 us)", "host thread"},
	},
}

func TestWideEnough(t *testing.T) {
	want := `  system           time                           range  bound by
  hybrid   21,523.05 us  (17,191.06 us to 24,787.31 us)  host thread
  hotline   9,544.66 us   (9,688.08 us to 23,697.68 us)  host thread
`
	for _, width := range []int{0, 68, 120} {
		require.Equal(t, want, systems.Format(width))
	}
}

func TestGroups(t *testing.T) {
	require.Equal(t, `  system           time
  hybrid   21,523.05 us
  hotline   9,544.66 us

  system                            range
  hybrid   (17,191.06 us to 24,787.31 us)
  hotline   (9,688.08 us to 23,697.68 us)

  system   bound by
  hybrid   host thread
  hotline  host thread
`, systems.Format(42))
}

// TestKeysAndText: each group starts with all keys, and text continues in its own column.
func TestKeysAndText(t *testing.T) {
	x := Table{
		Columns: []Column{{Name: "n"}, {Name: "why", Text: true}, {Name: "block", Text: true, Key: true}},
		Rows:    [][]string{{"1", "the first of all reasons, and the last of them", "reduce"}, {"22", "", "walk"}},
	}
	require.Equal(t, `block    n
reduce   1
walk    22

block   why
reduce  the first of all reasons,
        and the last of them
walk
`, x.Format(33))
}

func TestStacked(t *testing.T) {
	require.Equal(t, `  system: hybrid
    time: 21,523.05 us
    range: (17,191.06 us to
      24,787.31 us)
    bound by: host thread
  system: hotline
    time: 9,544.66 us
    range: (9,688.08 us to
      23,697.68 us)
    bound by: host thread
`, systems.Format(30))
	list := Table{Headless: true, Columns: []Column{{Text: true}, {Text: true}}, Rows: [][]string{{"configuration", "small, 4 GPUs, criteo-like"}, {"", "more"}}}
	require.Equal(t, "configuration\n  small, 4 GPUs,\n    criteo-like\n  more\n", list.Format(18))
}

// fault describes a defect of text that displays cells on a terminal, or returns "". Defects are a
// line that is too long without a long word, and a missing or divided cell. Text may be divided at
// its spaces.
func fault(text string, width int, t Table) string {
	joined := strings.Join(strings.Fields(text), " ")
	for i, c := range t.Columns {
		for _, row := range t.Rows {
			for _, word := range words(row[i]) {
				if !c.Text {
					word = row[i]
				}
				if !strings.Contains(" "+joined+" ", " "+word+" ") {
					return fmt.Sprintf("%q is missing", word)
				}
			}
		}
	}
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\n"); length(line) > width {
			return fmt.Sprintf("a line has %d columns: %q", length(line), line)
		}
	}
	return ""
}

func random(t *rapid.T) Table {
	x := Table{Indent: rapid.IntRange(0, 2).Draw(t, "indent"), Headless: rapid.IntRange(0, 4).Draw(t, "headless") == 0}
	for i := range rapid.IntRange(1, 9).Draw(t, "columns") {
		c := Column{Name: rapid.SampledFrom([]string{"", "p50", "what for", "that of the window before"}).Draw(t, "name"), Text: rapid.Bool().Draw(t, "text")}
		c.Key = i < 2 && rapid.Bool().Draw(t, "key")
		x.Columns = append(x.Columns, c)
	}
	for range rapid.IntRange(0, 4).Draw(t, "rows") {
		var row []string
		for _, c := range x.Columns {
			cells := []string{"", "0", "12,345.67 us", "1,234,567,890"}
			if c.Text {
				cells = []string{"", "hotline", "copies 31 %, CPU embedding 15 %, loading inputs 14 %, optimiser 3 %", "é ü"}
			}
			row = append(row, rapid.SampledFrom(cells).Draw(t, "cell"))
		}
		x.Rows = append(x.Rows, row)
	}
	return x
}

// TestFits: any table fits and is complete. If the terminal is wide enough, or there is no
// terminal, the table has its natural width.
func TestFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := random(t)
		full := x.Format(0)
		require.Empty(t, fault(full, 1<<20, x))
		for _, width := range []int{40, 80, 120} {
			text := x.Format(width)
			require.Empty(t, fault(text, width, x), "in %d columns:\n%s", width, text)
			if fault(full, width, x) == "" {
				require.Equal(t, full, text)
			}
		}
	})
}

// TestFaultsAreFound: fault detects a table that a terminal has wrapped, and
// a missing cell.
func TestFaultsAreFound(t *testing.T) {
	full := systems.Format(0)
	require.Contains(t, fault(full, 40, systems), "a line has 65 columns")
	var wrapped strings.Builder
	for line := range strings.Lines(full) {
		for len(line) > 40 {
			wrapped.WriteString(line[:40] + "\n")
			line = line[40:]
		}
		wrapped.WriteString(line)
	}
	require.Contains(t, fault(wrapped.String(), 40, systems), "is missing")
	require.Equal(t, `"9,544.66 us" is missing`, fault(strings.ReplaceAll(full, "9,544.66", "9,544"), 80, systems))
}

func TestWrap(t *testing.T) {
	require.Equal(t, "a  b\n", Wrap("a  b\n", 4, 2), "as it is")
	require.Equal(t, "  from here\n     it goes\n", Wrap("  from here it goes\n", 13, 5))
	require.Equal(t, "a\nveryverylong\nb", Wrap("a veryverylong b", 5, 0), "a word is not divided")
	require.Equal(t, "it took\n180.77 us,\nor 6.8 %", Wrap("it took 180.77 us, or 6.8 %", 12, 0), "nor is a number from its unit")
	require.Equal(t, "a b", Wrap("a b", 0, 0))
}

func TestMarkdown(t *testing.T) {
	text := "# Title\n\nOne line\nand another one.\n\n| on | ours |\n| --- | ---: |\n| rm1 | 7 k |\n| rm2 |  |\n\n- a list of it\n- b\n"
	require.Equal(t, text, Markdown(text, 0))
	require.Equal(t, "# Title\n\nOne line\nand another\none.\n\non   ours\nrm1   7 k\nrm2\n\n- a list of\n  it\n- b\n", Markdown(text, 11))
}

// terminal is a writer to a terminal.
type terminal struct {
	bytes.Buffer
	width int
}

func (t *terminal) Width() int { return t.width }

func TestWidth(t *testing.T) {
	require.Equal(t, 80, Width(&terminal{width: 80}))
	require.Zero(t, Width(&terminal{width: -1}))
	require.Zero(t, Width(&bytes.Buffer{}))
}
