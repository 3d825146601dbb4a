package papers

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/hotline-rtl/hotline/host/device/functional"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/dlrm/data/gen"
	"github.com/hotline-rtl/hotline/host/dlrm/data/profile"
	"github.com/hotline-rtl/hotline/host/train"
	accelerated "github.com/hotline-rtl/hotline/host/train/hotline"
	"github.com/hotline-rtl/hotline/host/train/hybrid"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/hotline/randomizer"
)

// hotlineSystem is Hotline with the functional model of the accelerator, which learns anew after
// so many mini-batches.
func hotlineSystem(relearn int) constructor {
	return func(s *server.Server, from *train.State) (train.System, error) {
		card, err := functional.New(s.Kernel, arch.Paper(), s.Config.Period, s.Config.Endpoint)
		if err != nil {
			return nil, err
		}
		dev, err := s.Insert(card)
		if err != nil {
			return nil, err
		}
		o := accelerated.DefaultOptions()
		o.Relearn = relearn
		return accelerated.New(s, dev, from, o)
	}
}

// identity trains Hotline and the baseline, and compares all parameters (Table V).
func identity(ctx context.Context) (f Finding, err error) {
	for _, d := range faeData {
		t, err := trainingOf(d.model, 2, 32, 24)
		if err != nil {
			return f, err
		}
		t.values = true
		if t.model.Kind == dlrm.DLRM {
			t.model.Bottom, t.model.Top = []int{t.model.Dense, t.model.Dim}, []int{1}
		}
		differ, n, err := t.differences(ctx, hotlineSystem(10), func(s *server.Server, from *train.State) (train.System, error) { return hybrid.New(s, from), nil })
		if err != nil {
			return f, err
		}
		f.add(id("hotline", "Table V", "parameters of Hotline that differ from the baseline's", d.name), differ, fmt.Sprintf("%d parameters, %d mini-batches of 64 inputs on 2 GPUs", n, t.batches))
	}
	return f, nil
}

// differences is 1 if two systems end with other parameters, of which there are n.
func (t training) differences(ctx context.Context, a, b constructor) (differ float64, n int64, err error) {
	x, err := t.run(ctx, a, nil)
	if err != nil {
		return 0, 0, err
	}
	y, err := t.run(ctx, b, nil)
	if err != nil {
		return 0, 0, err
	}
	n, err = train.Compare(x.system, y.system)
	if d := (*train.Difference)(nil); errors.As(err, &d) {
		return 1, n, nil
	}
	return 0, n, err
}

// eachLookup calls with the lookups of inputs of a source, from one on, by table.
func eachLookup(source data.Source, from int64, inputs int, f func(input, table int, row uint32)) error {
	var table []int
	for t, x := range source.Shape().Tables {
		for range x.Lookups {
			table = append(table, t)
		}
	}
	r, err := source.Open(from)
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

// skew is how much more often one row is read than another (Figure 6).
func skew(context.Context) (f Finding, err error) {
	clicks, _, err := clicksOf("kaggle")
	if err != nil {
		return f, err
	}
	const large = 2 // C3, of ten million rows
	reads := map[uint32]int{}
	if err := eachLookup(clicks, 0, trackedInputs, func(_, table int, row uint32) {
		if table == large {
			reads[row]++
		}
	}); err != nil {
		return f, err
	}
	counts := slices.Sorted(maps.Values(reads))
	f.add("hotline/figure-6/accesses-of-the-most-popular-row-over-those-of-the-median-one/kaggle", float64(counts[len(counts)-1])/float64(counts[len(counts)/2]), fmt.Sprintf("of C3, the first %d inputs", trackedInputs))
	for name, model := range map[string]string{"Kaggle": "rm2", "Avazu": "rm4"} {
		_, p, err := clicksOf(logs[model])
		if err != nil {
			return f, err
		}
		m := presets(model)[0]
		share := min(1, 512*mib/float64(4*m.Dim)/float64(m.Rows()))
		fit := p.Params.Fit([]profile.Target{{Kind: profile.Popular, Rows: share}})
		f.add(id("hotline", "Figure 6", "inputs that 512 MB of rows serve", name), 100*fit[0].Reached, fmt.Sprintf("%.0f %% of the rows", 100*share))
	}
	return f, nil
}

// drift is how much less the rows serve that were hot on the first day (Figure 9).
func drift(context.Context) (f Finding, err error) {
	clicks, p, err := clicksOf("terabyte")
	if err != nil {
		return f, err
	}
	const inputs = 20_000
	hot := map[uint64]bool{}
	served := func(from int64) (share float64, err error) {
		hits, all := 0, 0
		err = eachLookup(clicks, from, inputs, func(_, table int, row uint32) {
			if all++; hot[uint64(table)<<32|uint64(row)] {
				hits++
			}
		})
		return 100 * float64(hits) / float64(all), err
	}
	if err := eachLookup(clicks, 0, inputs, func(_, table int, row uint32) { hot[uint64(table)<<32|uint64(row)] = true }); err != nil {
		return f, err
	}
	first, err := served(inputs)
	if err != nil {
		return f, err
	}
	last, err := served(p.Inputs - inputs)
	if err != nil {
		return f, err
	}
	f.add("hotline/figure-9/accesses-that-rows-of-the-first-day-serve-last-day-less-first/terabyte-hot-set-drifts", last-first, fmt.Sprintf("%.1f %% and %.1f %%, of %d inputs each", last, first, inputs))
	return f, nil
}

// sampled is how many of the hot rows occur in one of twenty mini-batches (Section IV).
func sampled(context.Context) (f Finding, err error) {
	clicks, _, err := clicksOf("kaggle")
	if err != nil {
		return f, err
	}
	const inputs = 10 * trackedInputs / 4
	reads, seen := map[uint64]int{}, map[uint64]bool{}
	all := 0
	if err := eachLookup(clicks, 0, inputs, func(input, table int, row uint32) {
		key := uint64(table)<<32 | uint64(row)
		reads[key]++
		all++
		if input/perGPU%20 == 0 {
			seen[key] = true
		}
	}); err != nil {
		return f, err
	}
	hot, found := 0, 0
	for key, n := range reads {
		if float64(n) >= 1e-5*float64(all) {
			hot++
			if seen[key] {
				found++
			}
		}
	}
	f.add("hotline/section-iv/hot-rows-found-in-5-of-the-mini-batches/kaggle", 100*float64(found)/float64(hot), fmt.Sprintf("%d hot rows of the first %d inputs", hot, inputs))
	return f, nil
}

// tracking is an EAL with so many blocks, and how often it hits.
type tracking struct {
	tracker *eal.Tracker
	bits    int
	base    []uint32
	n, hits int
}

func newTracking(blocks int, tables []dlrm.Table) *tracking {
	p := arch.Small()
	p.Blocks = blocks
	t := &tracking{tracker: eal.NewTracker(p), bits: p.IDBits()}
	next := uint32(0)
	for _, x := range tables {
		t.base = append(t.base, next)
		next += uint32(x.Rows)
	}
	return t
}

// key is what the EAL knows a row by.
func (t *tracking) key(table int, row uint32) uint32 {
	return randomizer.Permute(t.bits, t.base[table]+row)
}

func (t *tracking) access(_, table int, row uint32) {
	t.n++
	if hit, _ := t.tracker.Access(t.key(table, row)); hit {
		t.hits++
	}
}

func (t *tracking) share() float64 { return 100 * float64(t.hits) / float64(t.n) }

// multiHot is how much rarer lookups hit if an input has several of a table (Section IV).
func multiHot(context.Context) (f Finding, err error) {
	const lookups = 5
	var share [2]float64
	for i, n := range []int{1, lookups} {
		_, p, err := clicksOf("kaggle")
		if err != nil {
			return f, err
		}
		for t := range p.Params.Tables {
			p.Params.Tables[t].Lookups = n
		}
		clicks, err := gen.New(p.Params, p.Inputs)
		if err != nil {
			return f, err
		}
		x := newTracking(trackedBlocks, clicks.Shape().Tables)
		if err := eachLookup(clicks, 0, trackedInputs/n, x.access); err != nil {
			return f, err
		}
		share[i] = x.share()
	}
	f.add("hotline/section-iv/eal-hits-of-multi-hot-inputs-below-one-hot-ones/at-most", share[0]-share[1], fmt.Sprintf("%.1f %% and %.1f %%", share[0], share[1]))
	return f, nil
}

// smaller is by how much the tables and EALs of Figure 27 are smaller here.
const smaller = 16

// ealSizes are hits of EALs of several sizes on smaller tables (Figure 27).
func ealSizes(context.Context) (f Finding, err error) {
	enough := id("hotline", "Figure 27", "hits of an EAL over those of one twice as large")
	for on, log := range map[string]string{"2 MB, Criteo": "kaggle", "2 MB, Avazu": "avazu"} {
		share, err := ealHits(log, 2, 4)
		if err != nil {
			return f, err
		}
		f.add(enough+"/"+slug(on), 100*share[0]/share[1], fmt.Sprintf("%.1f %% and %.1f %% of the lookups of %d inputs", share[0], share[1], trackedInputs))
	}
	share, err := ealHits("taobao", 2, 4, 8)
	if err != nil {
		return f, err
	}
	f.add("hotline/figure-27/hits-that-doubling-an-eal-gains-over-those-of-doubling-it-before/from-4-mb-taobao", (share[2]-share[1])/(share[1]-share[0]), fmt.Sprintf("%.1f %%, %.1f %% and %.1f %% with 2, 4 and 8 MB", share[0], share[1], share[2]))
	return f, nil
}

// ealHits are the hits, in percent, of EALs of some MB.
func ealHits(log string, mb ...int) (share []float64, err error) {
	clicks, err := dividedClicks(log, smaller)
	if err != nil {
		return nil, err
	}
	var list []*tracking
	for _, n := range mb {
		list = append(list, newTracking(n*mib/2/smaller, clicks.Shape().Tables))
	}
	err = eachLookup(clicks, 0, trackedInputs, func(input, table int, row uint32) {
		for _, x := range list {
			x.access(input, table, row)
		}
	})
	for _, x := range list {
		share = append(share, x.share())
	}
	return share, err
}
