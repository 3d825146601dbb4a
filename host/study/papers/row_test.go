package papers

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/train/machine"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// read returns the records of a paper with one item.
func read(t *testing.T, item string) []Record {
	t.Helper()
	_, list, err := parse("fae", []byte("title = \"T\"\nprofile = \"fae-2022\"\nworkload \"w\" {\n  model = \"rm2\"\n  batch = 8\n}\nitem \"Table 1\" \"rows\" {\n  measure = \"time\"\n  of = \"hybrid\"\n  workloads = [\"w\"]\n"+item+"\n}\n"))
	require.NoError(t, err)
	return list
}

// TestVerdicts checks the rule of each class, on both sides of each of its bounds.
func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		item    string
		holds   []float64
		differs []float64
	}{
		{"class = \"timing\"\n unit = \"x\"\n row \"a\" { value = 2.2 }", []float64{1.91, 2.2, 2.59}, []float64{0.5, 1, 1.89, 2.61, 4}},
		{"class = \"timing\"\n unit = \"x\"\n row \"a\" { value = 0.7 }", []float64{0.61, 0.7, 0.77}, []float64{0.59, 0.78, 1, 1.3}},
		{"class = \"timing\"\n unit = \"ms\"\n row \"a\" { value = 12 }", []float64{9, 12, 16}, []float64{1, 8.99, 16.01}},
		{"class = \"timing\"\n unit = \"%\"\n row \"a\" {\n says = \"more than 25\"\n low = 25\n }", []float64{25, 90}, []float64{24.9}},
		{"class = \"functional\"\n row \"a\" { value = 12 }", []float64{9, 16}, []float64{8.9, 16.1}},
		{"class = \"exact\"\n row \"a\" { value = 12 }", []float64{12}, []float64{11.99, 12.01}},
		{"class = \"exact\"\n within = 0.5\n row \"a\" { value = 12 }", []float64{11.5, 12.5}, []float64{11.4, 12.6}},
		{"class = \"trend\"\n row \"a\" {\n says = \"grows\"\n low = 1\n }", []float64{1.01}, []float64{1, 0.9}},
	} {
		r := read(t, c.item)[0]
		for _, v := range c.holds {
			require.Equal(t, Holds, r.judge(&Finding{Ours: v}).Verdict, "%s: %v", c.item, v)
		}
		for _, v := range c.differs {
			require.Equal(t, Differs, r.judge(&Finding{Ours: v}).Verdict, "%s: %v", c.item, v)
		}
		require.Equal(t, NotRun, r.judge(nil).Verdict)
		for _, class := range Listed {
			r.Class = class
			require.Equal(t, NoResult, r.judge(&Finding{Ours: c.holds[0]}).Verdict, "%s is no result", class)
		}
	}
}

// TestFactor: speed-ups are compared by their gains, other values directly.
func TestFactor(t *testing.T) {
	speedUp := read(t, "class = \"timing\"\n unit = \"x\"\n row \"a\" { value = 3 }")[0]
	require.InDelta(t, 0.5, *speedUp.judge(&Finding{Ours: 2}).Factor, 1e-12)
	require.InDelta(t, -0.25, *speedUp.judge(&Finding{Ours: 0.5}).Factor, 1e-12)
	time := read(t, "class = \"timing\"\n unit = \"ms\"\n row \"a\" { value = 4 }")[0]
	require.InDelta(t, 0.5, *time.judge(&Finding{Ours: 2}).Factor, 1e-12)
	same := read(t, "class = \"timing\"\n unit = \"x\"\n within = 0.1\n row \"a\" { value = 1 }")[0]
	require.Nil(t, same.judge(&Finding{Ours: 2}).Factor, "there is no gain to compare with")
}

// TestTrend: a trend needs every pair of clearly different values to be in the paper's order.
func TestTrend(t *testing.T) {
	list := read(t, "class = \"timing\"\n unit = \"ms\"\n row \"a\" { value = 10 }\n row \"b\" { value = 10.2 }\n row \"c\" { value = 20 }")
	with := func(ours ...float64) Row {
		var rows []Row
		for i, r := range list {
			rows = append(rows, r.judge(&Finding{Ours: ours[i]}))
		}
		all := withTrends(rows)
		require.Len(t, all, 4)
		require.Equal(t, "fae/table-1/rows/trend", all[3].ID)
		require.Equal(t, Trend, all[3].Class)
		return all[3]
	}
	require.Equal(t, Holds, with(2, 1, 3).Verdict, "10 and 10.2 are alike")
	require.Equal(t, Differs, with(2, 3, 2.5).Verdict)
	require.Equal(t, "1 of 2 pairs", with(2, 3, 2.5).Text)
	require.Equal(t, Differs, with(2, 2, 2).Verdict, "a constant has no trend")
	rows := []Row{list[0].judge(&Finding{Ours: 1}), list[2].judge(nil)}
	require.Len(t, withTrends(rows), 2, "of rows that were all run only")
	rows = []Row{list[0].judge(&Finding{Ours: 1}), list[1].judge(&Finding{Ours: 1})}
	require.Len(t, withTrends(rows), 2, "of values that differ only")
	rows = []Row{list[0].judge(&Finding{Ours: 1}), list[2].judge(&Finding{Ours: 2})}
	rows[1].Reduce = "most"
	require.Len(t, withTrends(rows), 2, "a mean is always below the most")
	rows[0].Class, rows[1].Class, rows[1].Reduce = Selection, Selection, ""
	require.Equal(t, NoResult, withTrends(rows)[2].Verdict, "of a selection there is none either")
}

// TestCause: a cause is named if it mends a third of the rows, and otherwise not.
func TestCause(t *testing.T) {
	r := read(t, "class = \"timing\"\n unit = \"ms\"\n row \"a\" { value = 10 }")[0]
	row := func(before, after float64) Row { return r.judge(&Finding{Ours: before, Caused: &after}) }
	mended, broken, still := row(20, 10), row(10, 20), row(20, 30)
	for _, c := range []struct {
		rows  []Row
		named bool
	}{
		{[]Row{mended, still, still}, true},
		{[]Row{mended, still, still, still}, false},
		{[]Row{mended, broken}, false},
		{[]Row{mended, mended, broken}, true},
		{[]Row{row(10, 10)}, false},
	} {
		require.Equal(t, c.named, Cause{}.judge(c.rows).Named)
	}
	m := machine.Default()
	other, p, err := (&Cause{Constant: "dispatch_us", Value: 9}).apply(m, timing.Profile{})
	require.NoError(t, err)
	require.NotEqual(t, *m, *other)
	require.Zero(t, p)
	other, p, err = (&Cause{Software: "slices", To: "cache"}).apply(m, timing.Profile{})
	require.NoError(t, err)
	require.Equal(t, timing.Profile{Slices: "cache"}, p)
	require.Equal(t, m, other)
	_, _, err = (&Cause{Name: "n", Software: "luck"}).apply(m, timing.Profile{})
	require.EqualError(t, err, `papers: cause "n": software has no attribute "luck"`)
}
