package profile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
)

// Options are the parameters of Run.
type Options struct {
	Inputs   int64    // number of inputs, from the first; 0 for all
	Windows  int      // number of parts in which hot sets are compared; 0 for 8
	Counters int      // maximum number of counters; 0 for 2^28, which take 2.3 GB
	Targets  []Target // to compare with

	// Progress, if not nil, is called now and then with the number of inputs done and their total.
	// Each of the two passes counts half of an input.
	Progress func(done, all int64)
}

// batch is the number of inputs per read.
const batch = 1024

// parts lists the shares of the read rows for which hot sets and tables are measured.
var parts = []float64{0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1}

// windowPart is the size of the hot set of a window, as a share of the rows read in it.
const windowPart = 0.1

// Run profiles a source.
func Run(ctx context.Context, s data.Source, o Options) (*Report, error) {
	n, err := inputs(s, o.Inputs)
	if err != nil {
		return nil, err
	}
	if o.Windows == 0 {
		o.Windows = 8
	}
	if o.Counters == 0 {
		o.Counters = 1 << 28
	}
	shape := s.Shape()
	p := &run{Options: o, ctx: ctx, source: s, n: n, layout: newLayout(shape.Tables, shape.Lookups(), o.Counters)}
	p.report = &Report{Name: s.Name(), Inputs: n, Lookups: shape.Lookups()}
	if err := p.count(); err != nil {
		return nil, err
	}
	p.describeTables(shape.Tables)
	if err := p.measureHotSets(); err != nil {
		return nil, err
	}
	return p.report, p.compare()
}

// inputs returns the number of inputs of a source to read.
func inputs(s data.Source, limit int64) (int64, error) {
	n, known := s.Len()
	switch {
	case known && limit > 0:
		n = min(n, limit)
	case !known && limit > 0:
		n = limit
	case !known:
		return 0, fmt.Errorf("%s: it is not known how many inputs there are; say how many to profile, or index the log by a first pass",
			s.Name())
	}
	if n == 0 {
		return 0, fmt.Errorf("%s has no inputs", s.Name())
	}
	return n, nil
}

// run is the state of a running profile.
type run struct {
	Options
	ctx    context.Context
	source data.Source
	n      int64 // number of inputs
	layout layout
	counts []uint32
	done   int64 // inputs read, in both passes
	report *Report
}

// each reads the inputs and calls f for each, with its index and the counters of its lookups.
func (p *run) each(f func(i int64, label float32, at []int)) error {
	r, err := p.source.Open(0)
	if err != nil {
		return err
	}
	defer r.Close()
	var b dlrm.Batch
	at := make([]int, p.layout.width)
	for i := int64(0); i < p.n; {
		b.Reset()
		if err := r.Read(&b, int(min(batch, p.n-i))); errors.Is(err, io.EOF) {
			return fmt.Errorf("%s ends after %d inputs, expected %d", p.source.Name(), i, p.n)
		} else if err != nil {
			return err
		}
		for j := range b.Len() {
			p.layout.places(at, b.Sparse[j*p.layout.width:][:p.layout.width])
			f(i, b.Labels[j], at)
			i++
		}
		p.done += int64(b.Len())
		if p.Progress != nil {
			p.Progress(p.done/2, p.n)
		}
		if err := p.ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// count counts the reads of each row, and measures the windows.
func (p *run) count() error {
	p.counts = make([]uint32, p.layout.n)
	w := newWindows(p.layout.n, min(int64(p.Windows), p.n), p.n)
	clicks := 0.0
	err := p.each(func(i int64, label float32, at []int) {
		clicks += float64(label)
		for _, c := range at {
			add(&p.counts[c])
		}
		w.input(i, at)
	})
	p.report.Clicks = clicks / float64(p.n)
	p.report.Windows = w.done
	return err
}

// describeTables adds the results for each table to the report.
func (p *run) describeTables(tables []dlrm.Table) {
	for t, table := range tables {
		h := newHistogram(p.table(t))
		seen, reads := h.all()
		d := Table{Name: table.Name, Rows: table.Rows, Seen: seen, Accesses: reads, Exact: p.layout.exact(t)}
		for _, part := range parts {
			_, top := h.top(max(1, int64(part*float64(seen))))
			d.Top = append(d.Top, Share{part, float64(top) / float64(reads)})
		}
		p.report.Tables = append(p.report.Tables, d)
		p.report.Rows += int64(table.Rows)
		p.report.Seen += seen
	}
}

// table returns the counters of a table.
func (p *run) table(t int) []uint32 { return p.counts[p.layout.first[t]:][:p.layout.counts[t]] }

// hotRows returns the size of a hot set that is a share of some rows.
func (p *run) hotRows(part float64, rows int64) int64 {
	return min(max(1, int64(math.Round(part*float64(rows)))), p.report.Seen)
}

// targetRows returns the size of the hot set of a target.
func (p *run) targetRows(t Target) int64 {
	if t.OfRead {
		return p.hotRows(t.Rows, p.report.Seen)
	}
	return p.hotRows(t.Rows, p.report.Rows)
}

// measureHotSets measures the shares that hot sets of many sizes serve.
func (p *run) measureHotSets() error {
	var sizes []int64
	for _, part := range parts {
		sizes = append(sizes, p.hotRows(part, p.report.Seen))
	}
	for _, t := range p.Targets {
		if t.Table != "" {
			continue
		}
		sizes = append(sizes, p.targetRows(t))
	}
	slices.Sort(sizes)
	sizes = slices.Compact(sizes)
	if len(sizes) > math.MaxUint8 {
		return fmt.Errorf("%s: targets ask for %d sizes of hot sets, expected at most %d", p.report.Name, len(sizes), math.MaxUint8)
	}
	class := classes(p.counts, sizes)
	served := make([]int64, len(sizes)+1) // number of inputs by the smallest hot set that serves them
	if err := p.each(func(_ int64, _ float32, at []int) {
		worst := uint8(0)
		for _, c := range at {
			worst = max(worst, class[c])
		}
		served[worst]++
	}); err != nil {
		return err
	}
	p.describeHotSets(sizes, class, served)
	return nil
}

func (p *run) describeHotSets(sizes []int64, class []uint8, served []int64) {
	hits := make([][]int64, len(p.layout.first)) // accesses by table and hot set
	for t := range hits {
		hits[t] = make([]int64, len(sizes)+1)
		for i, reads := range p.table(t) {
			hits[t][class[p.layout.first[t]+i]] += int64(reads)
		}
	}
	reads := make([]int64, len(hits)) // accesses of each table up to the current hot set
	popular := int64(0)
	for c, size := range sizes {
		h := HotSet{Rows: size, Independent: 1}
		h.OfSeen, h.OfAll = float64(size)/float64(p.report.Seen), float64(size)/float64(p.report.Rows)
		all, hot := int64(0), int64(0)
		for t := range hits {
			reads[t] += hits[t][c]
			hot += reads[t]
			all += p.report.Tables[t].Accesses
			lookups := float64(p.report.Tables[t].Accesses) / float64(p.n)
			h.Independent *= math.Pow(float64(reads[t])/float64(p.report.Tables[t].Accesses), lookups)
		}
		popular += served[c]
		h.Accesses, h.Inputs = float64(hot)/float64(all), float64(popular)/float64(p.n)
		if popular < p.n {
			h.ColdLookups = float64(all-hot) / float64(p.n-popular)
		}
		p.report.HotSets = append(p.report.HotSets, h)
	}
}

// compare compares the results with the targets.
func (p *run) compare() error {
	for _, t := range p.Targets {
		compare := p.compareTable
		if t.Table == "" {
			compare = p.compareAll
		}
		r, err := compare(t)
		if err != nil {
			return err
		}
		p.report.Targets = append(p.report.Targets, r)
	}
	return nil
}

// compareAll compares the results over all tables with a target.
func (p *run) compareAll(t Target) (Reached, error) {
	size := p.targetRows(t)
	i := slices.IndexFunc(p.report.HotSets, func(h HotSet) bool { return h.Rows == size })
	h := p.report.HotSets[i]
	if t.Kind == Popular {
		return t.Compare(size, h.Inputs), nil
	}
	return t.Compare(size, h.Accesses), nil
}

// compareTable compares the results of one table with a target.
func (p *run) compareTable(t Target) (Reached, error) {
	i := slices.IndexFunc(p.report.Tables, func(d Table) bool { return d.Name == t.Table })
	if i < 0 || t.Kind != Accesses {
		return Reached{}, fmt.Errorf("%s: there is no %v", p.report.Name, t)
	}
	d := p.report.Tables[i]
	rows := int64(math.Round(t.Rows * float64(d.Rows)))
	if t.OfRead {
		rows = max(1, int64(t.Rows*float64(d.Seen)))
	}
	_, top := newHistogram(p.table(i)).top(rows)
	return t.Compare(rows, float64(top)/float64(d.Accesses)), nil
}
