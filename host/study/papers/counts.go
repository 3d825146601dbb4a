package papers

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/cdlrm"
	"github.com/hotline-rtl/hotline/host/train/elrec"
	"github.com/hotline-rtl/hotline/host/train/fae"
	"github.com/hotline-rtl/hotline/host/train/fae/static"
	"github.com/hotline-rtl/hotline/host/train/scratchpipe"
)

// count is a measure without simulated time. The note describes the counted items.
type count func(b *bench, r Record) (ours float64, note string, err error)

// counts lists the measures that count in a run or follow from sizes.
var counts = map[string]count{
	"dense parameters": denseParameters,
	"tensor train":     tensorTrain,
	"GPU memory":       gpuMemory,
	"scratchpad":       scratchpad,
	"bank lookups":     func(*bench, Record) (float64, string, error) { return bankLookups(512, 64), "", nil },
	"synthesis":        synthesis,

	"skew":               skew,
	"sampled hot rows":   sampledRows,
	"multi-hot EAL":      multiHot,
	"EAL held":           ealHeld,
	"EAL hits":           ealHits,
	"other parameters":   otherParameters,
	"FAE's optimiser":    optimiser,
	"rows cached":        rowsCached,
	"old rows":           oldRows,
	"lost updates":       lostUpdates,
	"distinct rows":      ttCount(elrec.CountRows, elrec.CountLookups),
	"shared products":    ttCount(elrec.CountPrefixes, elrec.CountRows),
	"reordered products": reordered,
	"hazards":            hazards,
}

// first returns the first case of a row.
func (r Record) first() Case { return r.cases[0][0] }

// outcome trains the system of a row in its first case.
func (b *bench) outcome(r Record) (outcome, error) {
	o, _, err := b.run(trained[r.Of], r.first())
	return o, err
}

// otherParameters trains Hotline and the hybrid system, and returns 1 if any parameter differs.
func otherParameters(b *bench, r Record) (float64, string, error) {
	t, err := trainingOf(r.first())
	if err != nil {
		return 0, "", err
	}
	t.values = true
	if t.model.Kind == dlrm.DLRM {
		t.model.Bottom, t.model.Top = []int{t.model.Dense, t.model.Dim}, []int{1}
	}
	_, ours := hotlineRun(r.first())
	_, base := hybridRun(r.first())
	x, err := t.run(b.ctx, ours)
	if err != nil {
		return 0, "", err
	}
	y, err := t.run(b.ctx, base)
	if err != nil {
		return 0, "", err
	}
	n, err := train.Compare(x.system, y.system)
	note := fmt.Sprintf("%d parameters after %d mini-batches of %d samples", n, t.batches, t.gpus*t.batch)
	if d := (*train.Difference)(nil); errors.As(err, &d) {
		return 1, note, nil
	}
	return 0, note, err
}

// eachLookup calls f with the lookups of a number of samples, by table.
func eachLookup(source data.Source, inputs int, f func(input, table int, row uint32)) error {
	var table []int
	for t, x := range source.Shape().Tables {
		for range x.Lookups {
			table = append(table, t)
		}
	}
	r, err := source.Open(0)
	if err != nil {
		return err
	}
	defer r.Close()
	var b dlrm.Batch
	if err := r.Read(&b, inputs); err != nil {
		return err
	}
	for i := range b.Len() {
		for j, row := range b.At(i).Sparse {
			f(i, table[j%len(table)], row)
		}
	}
	return nil
}

// skew returns the ratio of the reads of the most popular row of a large table to the reads of the
// median row.
func skew(_ *bench, r Record) (float64, string, error) {
	clicks, _, err := clicksOf(r.first().Clicks)
	if err != nil {
		return 0, "", err
	}
	const inputs, large = 100_000, 2
	reads := map[uint32]int{}
	err = eachLookup(clicks, inputs, func(_, table int, row uint32) {
		if table == large {
			reads[row]++
		}
	})
	sorted := slices.Sorted(maps.Values(reads))
	return float64(sorted[len(sorted)-1]) / float64(sorted[len(sorted)/2]), fmt.Sprintf("table C3, the first %d samples", inputs), err
}

// sampledRows returns the percentage of hot rows that occur in one of twenty mini-batches.
func sampledRows(_ *bench, r Record) (float64, string, error) {
	c := r.first()
	clicks, _, err := clicksOf(c.Clicks)
	if err != nil {
		return 0, "", err
	}
	const inputs = 250_000
	reads, seen, all := map[uint64]int{}, map[uint64]bool{}, 0
	err = eachLookup(clicks, inputs, func(input, table int, row uint32) {
		key := uint64(table)<<32 | uint64(row)
		reads[key]++
		all++
		if input/c.Batch%20 == 0 {
			seen[key] = true
		}
	})
	hot, found := 0, 0
	for key, n := range reads {
		if float64(n) >= 1e-5*float64(all) {
			hot++
			if seen[key] {
				found++
			}
		}
	}
	return 100 * float64(found) / float64(hot), fmt.Sprintf("%d hot rows of the first %d samples", hot, inputs), err
}

// sample holds the hot rows and inputs that FAE finds in the first samples of a log.
type sample struct {
	*static.Prepared
	inputs int
	model  dlrm.Config
}

// optimiser returns a figure of FAE's static optimiser on the first samples of a log.
func optimiser(b *bench, r Record) (float64, string, error) {
	c := r.first()
	p, err := b.samples.get(c.Name, func() (*sample, error) {
		t, err := trainingOf(c)
		if err != nil {
			return nil, err
		}
		const profiled = 26 << 19 // lookups, which take seconds
		s := &sample{inputs: profiled / t.model.Lookups(), model: t.model}
		batches, err := train.NewBatches(t.model, t.clicks, 4096, int64(s.inputs))
		if err != nil {
			return nil, err
		}
		s.Prepared, err = static.Prepare(batches, t.model, fae.DefaultOptions().Static(0))
		return s, err
	})
	if err != nil {
		return 0, "", err
	}
	note := fmt.Sprintf("the first %d samples", p.inputs)
	e := p.Figures.Estimate
	switch r.Part {
	case "estimate":
		return 100 * math.Abs(e.Rows/float64(p.Figures.Rows)-1), note, nil
	case "scanned":
		return float64(e.Entries) / float64(e.Scanned), note, nil
	case "copied":
		const swaps = 3
		cold := 1 - float64(p.Inputs.Popular())/float64(p.Inputs.Len())
		vectors := c.Inputs * float64(len(p.model.Tables)*4*p.model.Dim)
		return (vectors*cold + swaps*float64(p.Hot.Len())*float64(4*p.model.Dim)) / gib, fmt.Sprintf("%s, %.0f %% of them cold", note, 100*cold), nil
	}
	return 0, "", fmt.Errorf("papers: %s: there is no part %q", r.ID, r.Part)
}

// rowsCached returns the smallest factor by which the number of cached rows falls from one case to
// the next.
func rowsCached(b *bench, r Record) (float64, string, error) {
	var shares []float64
	note := "cached:"
	for _, step := range r.cases {
		o, _, err := b.run(trained[r.Of], step[0])
		if err != nil {
			return 0, "", err
		}
		shares = append(shares, 1-float64(o.Count(cdlrm.CountVictims))/float64(max(1, o.Count(cdlrm.CountReads))))
		note += fmt.Sprintf(" %.1f %%", 100*shares[len(shares)-1])
	}
	slices.Reverse(shares)
	return leastStep(shares), note, nil
}

// oldRows returns the percentage of rows that cDLRM's released program reads too late.
func oldRows(b *bench, r Record) (float64, string, error) {
	o, err := b.outcome(r)
	if err != nil {
		return 0, "", err
	}
	sum := int64(0)
	for _, label := range []string{cdlrm.CountAge1, cdlrm.CountAge2, cdlrm.CountAge4, cdlrm.CountAge8, cdlrm.CountAgeMore} {
		sum += o.Count(label)
	}
	return 100 * float64(sum) / float64(o.Count(cdlrm.CountReads)), "", nil
}

func lostUpdates(b *bench, r Record) (float64, string, error) {
	o, err := b.outcome(r)
	return float64(o.Count(cdlrm.CountLost)), "", err
}

// ttCount returns a count of EL-Rec as a percentage of another count.
func ttCount(of, over string) count {
	return func(b *bench, r Record) (float64, string, error) {
		o, err := b.outcome(r)
		return 100 * float64(o.Count(of)) / float64(max(1, o.Count(over))), fmt.Sprintf("%d of %d", o.Count(of), o.Count(over)), err
	}
}

// reordered returns the products of two slices with reordered rows, as a percentage of the products
// without reordering.
func reordered(b *bench, r Record) (float64, string, error) {
	with, _, err := b.run(trained[r.Of], r.first())
	if err != nil {
		return 0, "", err
	}
	without, _, err := b.run(trained[r.Over], r.first())
	return 100 * float64(with.Count(elrec.CountPrefixes)) / float64(max(1, without.Count(elrec.CountPrefixes))), "", err
}

// hazards counts stale reads and lost updates in ScratchPipe with the minimum number of slots.
func hazards(*bench, Record) (float64, string, error) {
	t, err := watchable()
	if err != nil {
		return 0, "", err
	}
	o := scratchpipe.DefaultOptions()
	o.Share = 0
	found, err := t.hazards(func(s *server.Server, from *train.State) (train.System, error) { return scratchpipe.New(s, from, o) })
	return found, fmt.Sprintf("%d mini-batches of %d samples", t.batches, t.batch), err
}
