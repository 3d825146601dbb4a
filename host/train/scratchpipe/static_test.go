package scratchpipe_test

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/train/hybrid"
	"github.com/hotline-rtl/hotline/host/train/machine"
	"github.com/hotline-rtl/hotline/host/train/scratchpipe"
	"github.com/hotline-rtl/hotline/host/train/staticcache"
	"github.com/hotline-rtl/hotline/host/train/timing"
	"github.com/hotline-rtl/hotline/host/ui/picture"
)

var update = flag.Bool("update", false, "write the pictures of the document")

// static returns a trace on a static cache for a share of the rows, which are the most popular of
// all mini-batches, as in the paper.
func static(t *testing.T, clicks string, share float64) trace {
	j, b := scaled(t, clicks)
	s, err := staticcache.New(j.Server(t), j.Initial(t), staticcache.Options{Share: share, Sample: 1})
	require.NoError(t, err)
	during, works := countLast(t, s, b)
	hits, misses := during(staticcache.CountHits), during(staticcache.CountMisses)
	m := trace{hits: float64(hits) / float64(hits+misses), work: timing.Work{Inputs: 2048, HotTable: scale * works[0].HotTable}}
	var own staticcache.Work
	missed := func(w timing.Work) staticcache.Work { return timing.Own[staticcache.Work](w) }
	for _, x := range []struct {
		to *int
		of func(timing.Work) int
	}{
		{&own.Missed, func(w timing.Work) int { return missed(w).Missed }}, {&own.MissedBags, func(w timing.Work) int { return missed(w).MissedBags }},
		{&m.work.ColdCopies, func(w timing.Work) int { return w.ColdCopies }}, {&m.work.HotRows, func(w timing.Work) int { return w.HotRows }},
		{&m.work.ColdRows, func(w timing.Work) int { return w.ColdRows }}, {&m.work.Listed, func(w timing.Work) int { return w.Listed }},
	} {
		*x.to = mean(works, x.of)
	}
	m.work.Own = own
	return m
}

// kinds are the parts of a mini-batch by the resource that bounds them, with their phases.
var kinds = []struct {
	name   string
	phases []string
}{
	{"load", []string{"loading inputs"}},
	{"ids", []string{"hits and misses", "plan"}},
	{"CPU", []string{"CPU embedding", "CPU embedding of misses", "collect", "insert"}},
	{"copies", []string{"copies", "exchange rows"}},
	{"GPU", []string{"GPU", "optimiser"}},
}

// bar is the time of a system for a mini-batch.
type bar struct {
	name  string
	ms    float64
	parts []float64 // by kind
}

// newBar measures a system; lean selects pinned copies and a hidden loader.
func newBar(t *testing.T, name string, lean bool, system timing.System, w timing.Work) bar {
	p, err := timing.LoadProfile("fae-2022")
	require.NoError(t, err)
	if lean {
		p.Copies, p.Loader = "pinned", "hidden"
	}
	ms, phases := perBatchOf(t, p, system, 1, w)
	b, sum := bar{name: name, ms: ms}, 0.0
	for _, k := range kinds {
		part := 0.0
		for _, p := range k.phases {
			part += phases[p]
		}
		b.parts, sum = append(b.parts, part), sum+part
	}
	require.InDelta(t, ms, sum, 1e-6, "all phases have a kind")
	return b
}

// bars returns the bars of the systems of Figure 13.
func (p point) bars(t *testing.T, lean bool) (base, static, strawman, pipelined bar) {
	return newBar(t, "hybrid", lean, hybrid.Order, p.pad.work),
		newBar(t, "static-cache", lean, staticcache.Order, p.static.work),
		newBar(t, "scratchpipe-strawman", lean, scratchpipe.StrawmanOrder, p.pad.work),
		newBar(t, "scratchpipe", lean, scratchpipe.Order, p.pad.work)
}

// stack returns a bar for a plot.
func (b bar) stack(clicks string) picture.Stack {
	s := picture.Stack{Name: b.name + ", " + clicks + " clicks", Value: fmt.Sprintf("%.1f ms", b.ms)}
	for i, k := range kinds {
		s.Parts = append(s.Parts, picture.Part{Label: k.name, Text: fmt.Sprintf("%s: %.1f ms", k.name, b.parts[i]), Size: b.parts[i], Colour: i})
	}
	return s
}

// TestMiniBatchesOfTheDocument: the document states the parts of a mini-batch of a static cache
// (Figures 5 and 12a) and the speedup of ScratchPipe (Figure 13). With pinned copies and a hidden
// loader, it states only the CPU's share of the parts.
func TestMiniBatchesOfTheDocument(t *testing.T) {
	checkText(t, fmt.Sprintf("`pageable_gb_per_s` is %v GB/s", machine.Default().PageableGBPerSecond))
	for _, lean := range []bool{false, true} {
		var parts, faster strings.Builder
		var cpu, overStatic, overHybrid []float64
		for _, p := range points(t) {
			hybrid, static, strawman, pipelined := p.bars(t, lean)
			fmt.Fprintf(&parts, "%s| %.1f %% ", p.label(), 100*(1-p.static.hits))
			for _, ms := range static.parts {
				fmt.Fprintf(&parts, "| %.1f ", ms)
			}
			fmt.Fprintf(&parts, "| %.1f | %.0f %% |\n", static.ms, 100*static.parts[2]/static.ms)
			fmt.Fprintf(&faster, "%s| %.2f | %.2f | %.2f |\n", p.label(), static.ms/hybrid.ms, static.ms/strawman.ms, static.ms/pipelined.ms)
			p.checkReasons(t, lean, hybrid, static, strawman)
			cpu = append(cpu, 100*static.parts[2]/static.ms)
			overStatic, overHybrid = append(overStatic, static.ms/pipelined.ms), append(overHybrid, hybrid.ms/pipelined.ms)
		}
		fmt.Fprintf(&faster, "\nScratchPipe is %.1f times as fast as `static-cache` on average, and %.1f times at most; %.1f and %.1f times as fast as `hybrid`.",
			average(overStatic), slices.Max(overStatic), average(overHybrid), slices.Max(overHybrid))
		if lean {
			parts.Reset()
			fmt.Fprintf(&parts, "the CPU's share is %.0f %% to %.0f %%.", slices.Min(cpu), slices.Max(cpu))
		}
		checkText(t, parts.String())
		checkText(t, faster.String())
	}
}

// checkReasons checks the document's explanations of the times.
func (p point) checkReasons(t *testing.T, lean bool, hybrid, static, strawman bar) {
	cpu := static.parts[2] / static.ms
	if lean {
		require.True(t, 0.67 < cpu && cpu < 0.94, "about as in the paper")
	} else {
		require.Less(t, cpu, 0.60, "less than in the paper")
		require.Greater(t, static.ms, strawman.ms, "as in the paper")
		require.Equal(t, p.static.hits < 0.4, static.ms > hybrid.ms, "where most lookups miss")
	}
	row := machine.Default().StockRowUs / 1e3
	require.InEpsilon(t, row*float64(timing.Own[staticcache.Work](p.static.work).Missed), static.parts[2], 0.06)
	require.InEpsilon(t, row*float64(fills(p.pad.work))*2/3, strawman.parts[2], 0.06)
}

// TestMiniBatchPictures checks the plots of the mini-batches, one per share.
func TestMiniBatchPictures(t *testing.T) {
	pictures := map[float64]*picture.Stacks{}
	for _, p := range points(t) {
		hybrid, static, strawman, pipelined := p.bars(t, false)
		if pictures[p.share] == nil {
			pictures[p.share] = &picture.Stacks{
				Title: fmt.Sprintf("A mini-batch, caches for %.0f %% of the rows", 100*p.share), Narrow: true, Axis: picture.Axis{Label: "ms"},
				Text:   "What systems take for a mini-batch, by what bounds it. The numbers are in the tables of the document.",
				Stacks: []picture.Stack{hybrid.stack("any")},
			}
		}
		for _, b := range []bar{static, strawman, pipelined} {
			s := pictures[p.share]
			s.Stacks = append(s.Stacks, b.stack(p.clicks))
		}
	}
	for share, s := range pictures {
		requirePicture(t, fmt.Sprintf("scratchpipe-%.0f.svg", 100*share), s.SVG())
	}
}

func average(list []float64) float64 {
	sum := 0.0
	for _, v := range list {
		sum += v
	}
	return sum / float64(len(list))
}

// curveShares are the shares of the hit-rate curves.
var curveShares = []float64{0.02, 0.10, 0.25, 0.50, 0.65, 1}

// TestHitRatesOfTheDocument: the document states the hit rate by the share of cached rows (Figure
// 6). The test measures the shares of the other tables; with HOTLINE_SCRATCHPIPE_CURVES it measures
// all shares, which takes a minute. The plots show the table.
func TestHitRatesOfTheDocument(t *testing.T) {
	for _, share := range curveShares {
		rates := hitRates(t, share)
		if len(rates) == 0 {
			continue
		}
		row := fmt.Sprintf("| %.0f %% |", 100*share)
		for _, hits := range rates {
			row += fmt.Sprintf(" %.1f %% |", 100*hits)
		}
		checkText(t, row+"\n")
	}
	_, table, found := strings.Cut(readDocument(t), "| share | random | low | medium | high | random | low | medium | high |\n")
	require.True(t, found)
	var charts [2]picture.Lines
	for i, system := range []string{"static-cache", "scratchpipe"} {
		charts[i] = picture.Lines{
			Title: "Lookups that hit: " + system, Text: "They rise with the share of the rows. The numbers are in the table of the document.",
			X: picture.Axis{Label: "share of the rows that there is room for", Zero: true, One: true, Text: percent},
			Y: picture.Axis{Label: "lookups that hit", Zero: true, One: true, Text: percent},
		}
		for _, clicks := range traces {
			charts[i].Lines = append(charts[i].Lines, picture.Line{Name: clicks})
		}
	}
	for i, line := range strings.Split(table, "\n")[1 : 1+len(curveShares)] {
		cells := regexp.MustCompile(`([\d.]+) %`).FindAllStringSubmatch(line, -1)
		require.Len(t, cells, 1+2*len(traces), line)
		for c, cell := range cells[1:] {
			hits, err := strconv.ParseFloat(cell[1], 64)
			require.NoError(t, err)
			l := &charts[c/len(traces)].Lines[c%len(traces)]
			l.X, l.Y = append(l.X, curveShares[i]), append(l.Y, hits/100)
		}
	}
	for i, name := range []string{"static-cache-hits.svg", "scratchpipe-hits.svg"} {
		requirePicture(t, name, charts[i].SVG())
	}
}

// hitRates returns the hit rates of a static cache and of ScratchPipe for a share, or none if it is
// not measured.
func hitRates(t *testing.T, share float64) []float64 {
	var list [2][]float64
	for _, p := range points(t) {
		if p.share == share {
			list[0], list[1] = append(list[0], p.static.hits), append(list[1], p.pad.hits)
		}
	}
	if len(list[0]) == 0 && os.Getenv("HOTLINE_SCRATCHPIPE_CURVES") != "" {
		for _, clicks := range traces {
			list[0], list[1] = append(list[0], static(t, clicks, share).hits), append(list[1], pad(t, clicks, share).hits)
		}
	}
	return slices.Concat(list[0], list[1])
}

func percent(v float64) string { return fmt.Sprintf("%.0f %%", 100*v) }

func readDocument(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../../docs/explanation/systems/scratchpipe.md")
	require.NoError(t, err)
	return string(text)
}

// checkText checks that the document contains a text.
func checkText(t *testing.T, text string) {
	t.Helper()
	if !strings.Contains(readDocument(t), text) {
		t.Errorf("docs/explanation/systems/scratchpipe.md lacks\n%s", text)
	}
}

// requirePicture checks a plot that the document shows.
func requirePicture(t *testing.T, name, svg string) {
	t.Helper()
	file := "../../../docs/explanation/systems/" + name
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(picture.File(svg)), 0o600))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), picture.File(svg), "%s; go test ./host/train/scratchpipe -update writes it", name)
	require.Contains(t, readDocument(t), "]("+name+")")
}
