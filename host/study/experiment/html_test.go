package experiment_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/study/experiment"
	"github.com/hotline-rtl/hotline/host/study/report"
	"github.com/hotline-rtl/hotline/host/study/report/reporttest"
	"github.com/hotline-rtl/hotline/host/train/registry"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// drawing returns the job of tiny.hcl with a page that contains the timelines of these
// mini-batches.
func drawing(t *testing.T, drawn []int, change func(c *configs.Config)) experiment.Job {
	j := functional(t, change)
	j.HTML, j.Drawn, j.Version = true, drawn, "v1"
	return j
}

func pageOf(t *testing.T, r *report.Report) string {
	var b strings.Builder
	require.NoError(t, r.WriteHTML(&b))
	return b.String()
}

func TestPage(t *testing.T) {
	for _, profile := range timing.ProfileNames() {
		j := drawing(t, nil, func(c *configs.Config) { require.NoError(t, c.SetProfile(profile)) })
		j.Config.Training.HeldOut = 50
		r := run(t, j)
		page := pageOf(t, r)
		text := reporttest.Text(t, page)
		for _, s := range []string{"ZgotmplZ", "NaN", "Inf", "@import", "url(", "%!"} {
			require.NotContains(t, page, s)
		}
		require.NotContains(t, strings.ReplaceAll(strings.ReplaceAll(page, "http://www.w3.org/2000/svg", ""), "http://www.w3.org/1999/xhtml", ""), "://")
		require.Contains(t, page, "prefers-color-scheme: dark")

		for _, s := range []string{"hybrid, hotline on criteo-like", "tiny", "criteo-like (generated)", "5, 160 inputs", "1 server with 2 GPUs each", "v1",
			"v100: 4 x V100 16 GB, NVLink 2, PCIe Gen3, 2 x Xeon Silver 4116", "functional model", "Loss", "Popular inputs", "Time", "4 of 5 mini-batches"} {
			require.True(t, reporttest.Has(text, s) || strings.Contains(text, "\n"+s+";"), s)
		}
		require.Contains(t, text, "\n"+profile+": ")
		for _, s := range r.Systems {
			require.Contains(t, text, fmt.Sprintf("\n%s\n\n%.6f\n\n%.4f\n\n%.6f\n", s.System, *s.Loss, *s.AUC, s.HeldOut.LogLoss))
			longest := slices.MaxFunc(s.Phases, func(a, b timing.Phase) int { return cmp.Compare(a.Time, b.Time) })
			require.Regexp(t, `class="block">\d+ `+longest.Label+`</text>`, page, "in its bar")
			for _, p := range s.Phases {
				require.True(t, reporttest.Has(text, p.Label), p.Label)
				require.Regexp(t, `\n\d+ `+regexp.QuoteMeta(p.Label)+`: [\d.,]+ us, bound by `+p.BoundBy+`\n`, text)
			}
			for _, b := range s.Busy {
				require.True(t, reporttest.Has(text, b.Resource), b.Resource)
			}
		}
		for _, s := range r.SpeedUps {
			require.True(t, reporttest.Has(text, "profile "+s.Profile))
			require.Contains(t, text, fmt.Sprintf("\n%.2f\n\n%.2f to %.2f\n", s.Value, s.Low, s.High), "no value without its range")
			for _, d := range s.Depends {
				require.Contains(t, text, fmt.Sprintf("\n%s = %v to %v: %.2f to %.2f\n", d.Constant, d.Low, d.High, d.AtLow, d.AtHigh))
			}
		}
		for _, c := range j.Config.Machine().Constants() {
			require.Contains(t, text, fmt.Sprintf("\n%s\n\n%v\n\n%v\n\n%v\n\n%s", c.Name, c.Value, c.Low, c.High, c.Source))
		}
		for _, s := range []string{"accelerator.engines\n\n4", "training.seed\n\n1", "model.bottom\n\n[8]", "launch\n\n" + j.Config.Profile().Launch} {
			require.True(t, reporttest.Has(text, s), s)
		}
		require.Equal(t, strings.Count(page, "<svg "), strings.Count(page, "<desc>"))
		popular := regexp.MustCompile(`(?s)<title>Popular inputs</title>.*?</svg>`).FindString(page)
		require.Contains(t, popular, `<g class="c1"><title>hotline</title>`, "in its colour in every chart")
	}
}

// TestPageIsDeterministic: equal runs produce byte-identical pages.
func TestPageIsDeterministic(t *testing.T) {
	require.Equal(t, pageOf(t, run(t, drawing(t, nil, nil))), pageOf(t, run(t, drawing(t, nil, nil))))
}

// blocks returns the titles of the events in the plot of a system and a mini-batch, without
// close-ups. It also returns the rows of the table below the plot.
func blocks(t *testing.T, page, system string, m int) (titles, rows []string) {
	title := fmt.Sprintf(`<title>%s, mini-batch %d: [\d.,]+ us</title>`, system, m)
	svg := regexp.MustCompile(`(?s)` + title + `.*?</svg>`).FindString(page)
	require.NotEmpty(t, svg, title)
	for _, e := range regexp.MustCompile(`<g class="event c\d"><title>([^<]*)</title><rect `).FindAllStringSubmatch(svg, -1) {
		titles = append(titles, e[1])
	}
	table := regexp.MustCompile(fmt.Sprintf(`(?s)<summary>%s, mini-batch %d: .*?</table>`, system, m)).FindString(page)
	for _, e := range regexp.MustCompile(`<tr><td>(.*?)</td><td>(.*?)</td><td class="text">(.*?)</td><td class="text">(.*?)</td>`).FindAllStringSubmatch(table, -1) {
		rows = append(rows, fmt.Sprintf("%s: %s, %s to %s", e[3], e[4], e[1], e[2]))
	}
	return titles, rows
}

// TestEveryEventIsDrawn: every event of every timeline is in one plot exactly once, and in the
// table below it. The expected events are taken from the trace.
func TestEveryEventIsDrawn(t *testing.T) {
	for _, profile := range []string{"hotline-2024-a", "sceptic-pipelined"} {
		for _, name := range []string{"hybrid", "hotline"} {
			j := drawing(t, []int{0, 1, 2, 3, 4}, func(c *configs.Config) { require.NoError(t, c.SetProfile(profile)) })
			var err error
			j.Systems, err = registry.Choose(j.Systems, name)
			require.NoError(t, err)
			j.Trace = true
			r := run(t, j)
			page := pageOf(t, r)
			for m, b := range r.Systems[0].Series {
				titles, rows := blocks(t, page, name, m)
				want := traced(t, r, m, b.End-b.Time)
				require.NotEmpty(t, want)
				require.Len(t, titles, len(want))
				for i := range want {
					require.True(t, titles[i] == want[i] || strings.HasPrefix(titles[i], want[i]+", "), "%s, expected %s", titles[i], want[i])
				}
				require.Equal(t, want, rows)
				inPlace(t, page, name, m, b.Time)
			}
		}
	}
}

// inPlace checks the positions of blocks relative to the marks of start and end.
func inPlace(t *testing.T, page, system string, m int, length des.Time) {
	svg := regexp.MustCompile(fmt.Sprintf(`(?s)<title>%s, mini-batch %d: [\d.,]+ us</title>.*?</svg>`, system, m)).FindString(page)
	marks := regexp.MustCompile(`class="mark" d="M([\d.]+) `).FindAllStringSubmatch(svg, -1)
	require.Len(t, marks, 2)
	start, end := number(t, marks[0][1]), number(t, marks[1][1])
	for _, e := range regexp.MustCompile(`<g class="event c\d"><title>[^<]*, (-?[\d.,]+) us to [^<]*</title><rect x="([\d.]+)"`).FindAllStringSubmatch(svg, -1) {
		at := number(t, strings.ReplaceAll(e[1], ",", "")) / length.Seconds() / 1e6
		require.InDelta(t, start+at*(end-start), number(t, e[2]), 0.2)
	}
}

func number(t *testing.T, s string) float64 {
	v, err := strconv.ParseFloat(s, 64)
	require.NoError(t, err)
	return v
}

// traced returns the events of a mini-batch in a report's trace, formatted as on the page.
func traced(t *testing.T, r *report.Report, m int, begin des.Time) []string {
	var b strings.Builder
	require.NoError(t, r.WriteTrace(&b))
	var trace struct {
		TraceEvents []struct {
			Phase, Name string
			Ph          string
			Tid         int
			Ts, Dur     json.Number
			Args        struct{ Name, Flow string }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(b.String()), &trace))
	tracks := map[int]string{}
	var list []string
	for _, e := range trace.TraceEvents {
		if e.Name == "thread_name" {
			tracks[e.Tid] = e.Args.Name
		}
		if e.Ph == "X" && e.Args.Flow == fmt.Sprintf("mini-batch %d", m) {
			start := picoseconds(t, e.Ts) - begin
			list = append(list, fmt.Sprintf("%s: %s, %s to %s", tracks[e.Tid], e.Name, microseconds(start), microseconds(start+picoseconds(t, e.Dur))))
		}
	}
	return list
}

func picoseconds(t *testing.T, us json.Number) des.Time {
	whole, rest, _ := strings.Cut(string(us), ".")
	v, err := strconv.ParseInt(whole+rest, 10, 64)
	require.NoError(t, err)
	require.Len(t, rest, 6)
	return des.Time(v)
}

// microseconds formats t in microseconds, rounded to two decimals.
func microseconds(t des.Time) string {
	sign := ""
	if t < 0 {
		sign, t = "-", -t
	}
	n := (t + 5000) / 10_000
	whole := regexp.MustCompile(`(\d)((?:\d{3})+)$`).ReplaceAllStringFunc(fmt.Sprint(int64(n/100)), func(s string) string {
		for i := len(s) - 3; i > 0; i -= 3 {
			s = s[:i] + "," + s[i:]
		}
		return s
	})
	return fmt.Sprintf("%s%s.%02d us", sign, whole, n%100)
}

// TestDrawnMiniBatches: mini-batches are selected by number; the default is a few mini-batches that
// differ. An invalid number is reported before anything runs.
func TestDrawnMiniBatches(t *testing.T) {
	heads := func(j experiment.Job) []string {
		var list []string
		for _, m := range regexp.MustCompile(`<h3>(Mini-batch [^<]*)</h3>`).FindAllStringSubmatch(pageOf(t, run(t, j)), -1) {
			list = append(list, m[1])
		}
		return list
	}
	require.Equal(t, []string{"Mini-batch 0: the first", "Mini-batch 1: the second", "Mini-batch 2: the accelerator learns", "Mini-batch 3: of median time in the second half"},
		heads(drawing(t, nil, nil)))
	require.Equal(t, []string{"Mini-batch 0: the first"}, heads(drawing(t, nil, func(c *configs.Config) { c.Training.Batches = 1 })))
	require.Equal(t, []string{"Mini-batch 2", "Mini-batch 4"}, heads(drawing(t, []int{2, 4}, nil)))
	j := drawing(t, nil, nil)
	j.HTML = false
	require.Empty(t, heads(j))
	for _, m := range []int{5, -1} {
		j = drawing(t, []int{0, m}, nil)
		j.Progress = func(string, int, int) { t.Error("something ran") }
		_, err := experiment.Run(t.Context(), j)
		require.EqualError(t, err, fmt.Sprintf("experiment: the timelines of mini-batch %d cannot be drawn; expected 0 to 4", m))
	}
}

// TestHostilePage: names are escaped as text.
func TestHostilePage(t *testing.T) {
	const hostile = `<script>alert('1')</script>"&]]>` + "\x01\xff{{.}}"
	r := run(t, drawing(t, nil, nil))
	r.Config, r.Data, r.Version, r.Machine, r.Profile, r.Source.Path = hostile, hostile, hostile, hostile, hostile, hostile
	r.Systems[0].System, r.Systems[1].System = hostile+strings.Repeat(" long", 50), strings.Repeat("W", 500)
	r.Systems[0].Phases[0].Label, r.Systems[0].Phases[0].BoundBy = hostile, hostile
	same := false
	r.Systems[1].Identical, r.Systems[1].Difference = &same, hostile
	r.SpeedUps[0].Profile, r.SpeedUps[0].System, r.SpeedUps[0].Depends[0].Constant = hostile, hostile, hostile
	r.Tables[0].Name = hostile
	r.Configuration[hostile] = map[string]any{"x": hostile}
	text := reporttest.Text(t, pageOf(t, r))
	shown := strings.NewReplacer("\x01", "\ufffd", "\xff", "\ufffd").Replace(hostile)
	require.GreaterOrEqual(t, strings.Count(text, shown), 15)
	require.Contains(t, text, "\n"+shown+"\n\n")
}

// TestPageOfResumed: the page of a resumed run says so and numbers the run's own mini-batches.
// Evaluations are placed after all mini-batches on which the model was trained.
func TestPageOfResumed(t *testing.T) {
	j := functional(t, nil)
	_, path := saving(t, &j, 2)
	run(t, j)
	rest := drawing(t, []int{0, 2}, nil)
	var err error
	rest.From, err = rest.Resume(path(2))
	require.NoError(t, err)
	rest.Config.Training.HeldOut, rest.EvaluateEvery = 100, 1
	r := run(t, rest)
	page := pageOf(t, r)
	text := reporttest.Text(t, page)
	require.True(t, reporttest.Has(text, "behind 2 mini-batches; those of this page are counted from there"))
	require.True(t, reporttest.Has(text, "Mini-batch 2"))
	first, last := r.Systems[0].Evaluations[0], r.Systems[0].Evaluations[2]
	require.True(t, reporttest.Has(text, fmt.Sprintf("hybrid, hotline: from %.4f to %.4f.", first.LogLoss, last.LogLoss)))
	require.True(t, reporttest.Has(text, fmt.Sprintf("hybrid, hotline: from %.4f to %.4f.", *first.AUC, *last.AUC)))
	require.Contains(t, page, "<title>Held-out log loss</title>")
	svg := regexp.MustCompile(`(?s)<title>Held-out AUC</title>.*?</svg>`).FindString(page)
	var ticks []string
	for _, m := range regexp.MustCompile(`y="312.0" text-anchor="middle" class="small">([^<]*)<`).FindAllStringSubmatch(svg, -1) {
		ticks = append(ticks, m[1])
	}
	require.Equal(t, []string{"3", "4", "5"}, ticks)
	rest = drawing(t, []int{3}, nil)
	rest.From, err = rest.Resume(path(2))
	require.NoError(t, err)
	_, err = experiment.Run(t.Context(), rest)
	require.EqualError(t, err, "experiment: the timelines of mini-batch 3 cannot be drawn; expected 0 to 2")
}

// TestArrows: an arrow leads from the doorbell to each command of the accelerator, and another from
// the command to its interrupt. Arrows are in the main plot or in a close-up.
func TestArrows(t *testing.T) {
	page := pageOf(t, run(t, drawing(t, []int{1}, nil)))
	to, from := map[string]bool{}, map[string]bool{}
	for _, svg := range regexp.MustCompile(`(?s)<title>hotline, mini-batch 1: .*?</svg>`).FindAllString(page, -1) {
		arrows := regexp.MustCompile(`class="arrow" d="M([\d.]+) [\d.]+L([\d.]+) `).FindAllStringSubmatch(svg, -1)
		for _, e := range regexp.MustCompile(`<title>accelerator: (\w+), [^<]*</title><rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)"`).FindAllStringSubmatch(svg, -1) {
			start, end := number(t, e[2]), number(t, e[2])+number(t, e[3])
			for _, a := range arrows {
				from[e[1]] = from[e[1]] || math.Abs(number(t, a[1])-end) < 0.2
				to[e[1]] = to[e[1]] || math.Abs(number(t, a[2])-start) < 0.2
			}
		}
	}
	all := map[string]bool{"classify": true, "gather": true, "update": true}
	require.Equal(t, all, to)
	require.Equal(t, all, from)
}
