package profile

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm"
)

// example returns a report that uses every feature.
func example(t *testing.T) *Report {
	f := handmade()
	f.tables[1].Name = "b<&>"
	r, err := Run(t.Context(), f, Options{Windows: 2, Targets: []Target{
		{Kind: Accesses, Rows: 0.3, Value: 0.5, Source: "<Paper>", Inputs: 5},
		{Kind: Popular, Rows: 0.3, Value: 0.3, AtLeast: true, Source: "other", Inputs: 45_000_000},
		{Kind: Accesses, Table: "b<&>", Rows: 0.5, OfRead: true, Value: 0.65, Source: "other"},
	}})
	require.NoError(t, err)
	r.Tables[1].Exact = false
	return r
}

func TestPrint(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, example(t).Print(&b))
	want, err := os.ReadFile("testdata/report.txt")
	require.NoError(t, err)
	require.Equal(t, string(want), b.String())
}

func TestFiguresAsText(t *testing.T) {
	for share, want := range map[float64]string{0: "0.0 %", 0.5: "50.0 %", 1: "100.0 %", 0.0123: "1.2 %", 0.00123: "0.12 %", 0.000123: "0.012 %", 1e-6: "0.0001 %"} {
		require.Equal(t, want, percent(share))
	}
	require.Equal(t, []string{"+1.0 points", "-2.5 points"}, []string{points(0.01), points(-0.025)})
}

func TestTargetError(t *testing.T) {
	r := &Report{Inputs: 5, Targets: []Reached{{Error: 0.03}, {Error: -0.04, Target: Target{Inputs: 5}}, {Error: 1, Target: Target{Inputs: 6}}}}
	require.InDelta(t, 0.0353553, r.TargetError(), 1e-6)
	require.Zero(t, (&Report{}).TargetError())
}

func TestJSON(t *testing.T) {
	r := example(t)
	text, err := json.Marshal(r)
	require.NoError(t, err)
	var again Report
	require.NoError(t, json.Unmarshal(text, &again))
	require.Equal(t, *r, again)
	var fields map[string]any
	require.NoError(t, json.Unmarshal(text, &fields))
	for _, name := range strings.Fields("name inputs lookups clicks rows seen tables hot_sets windows targets") {
		require.Contains(t, fields, name)
	}
}

// TestHTML: the page has four well-formed charts that show every line, also in the legend, and uses
// no external resources.
func TestHTML(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, example(t).WriteHTML(&b))
	page := b.String()
	for _, s := range []string{`src=`, `href=`, "@import", "url(", "<script", "<Paper>", "b<&>", "NaN", "Inf", "ZgotmplZ"} {
		require.NotContains(t, page, s)
	}
	pictures := regexp.MustCompile(`(?s)<svg.*?</svg>`).FindAllString(page, -1)
	require.Len(t, pictures, 4)
	for i, want := range []struct{ lines, points int }{{4, 22}, {2, 4}, {4, 8}, {8, 9}} {
		lines, points := 0, 0
		d := xml.NewDecoder(strings.NewReader(pictures[i]))
		for {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			require.NoError(t, err)
			if start, ok := token.(xml.StartElement); ok && start.Name.Local == "path" {
				for _, a := range start.Attr {
					switch {
					case a.Value == "point":
						points++
					case strings.HasPrefix(a.Value, "line"):
						lines++
					}
				}
			}
		}
		require.Equal(t, want.lines, lines, "picture %d", i)
		require.Equal(t, want.points, points, "picture %d", i)
	}
	for _, s := range []string{"&#43;20.0 points", "at least 30.0 %", "&lt;Paper&gt;", "b&lt;&amp;&gt;", "of 45,000,000 inputs, not comparable", "2 to 5"} {
		require.Contains(t, page, s)
	}
}

// TestPublishedPoints: comparable targets are plotted at the size of their hot set.
func TestPublishedPoints(t *testing.T) {
	r, err := Run(t.Context(), handmade(), Options{Targets: []Target{{Kind: Popular, Rows: 0.5, OfRead: true, Value: 0.3}, {Kind: Popular, Rows: 0.4, Value: 0.8, Inputs: 5}, {Kind: Popular, Rows: 0.4, Value: 0.9, Inputs: 4}}})
	require.NoError(t, err)
	lines := r.popularChart().Lines
	require.Equal(t, []float64{0.3, 0.4}, lines[2].X)
	require.Equal(t, []float64{0.3, 0.8}, lines[2].Y)
}

// TestManyTables: each table has a line and a legend entry.
func TestManyTables(t *testing.T) {
	f := &fake{inputs: [][]uint32{make([]uint32, 40)}}
	for i := range 40 {
		f.tables = append(f.tables, dlrm.Table{Name: fmt.Sprintf("t%d", i), Rows: 1, Lookups: 1})
	}
	r, err := Run(t.Context(), f, Options{})
	require.NoError(t, err)
	for i := range 40 {
		require.Equal(t, 2, strings.Count(r.skewChart().SVG(), fmt.Sprintf(">t%d, 1 rows</t", i)), "title and text")
	}
	require.NoError(t, r.WriteHTML(io.Discard))
	require.NoError(t, r.Print(io.Discard))
}

// full is a writer that always fails.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no room") }

func TestFullDisk(t *testing.T) {
	require.EqualError(t, example(t).Print(full{}), "no room")
	require.EqualError(t, example(t).WriteHTML(full{}), "no room")
}
