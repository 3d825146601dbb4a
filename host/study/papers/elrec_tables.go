package papers

import (
	"fmt"
	"math"
	"strings"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data/gen"
	"github.com/hotline-rtl/hotline/host/train/elrec"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// Of the paper's Figures 14, 17 and 18: rows of its tables, and mini-batches.
var ttRows = []int{2_500_000, 5_000_000, 10_000_000}

const ttBatch = 8192

// variant is EL-Rec without one of its parts.
type variant struct {
	name      string
	unordered bool               // rows keep their numbers
	naive     bool               // TT-Rec
	change    func(*timing.Work) // of what a mini-batch asks for
}

var (
	whole        = variant{name: "EL-Rec"}
	ttRec        = variant{name: "of TT-Rec", naive: true, unordered: true}
	unaggregated = variant{name: "without aggregated gradients", change: func(w *timing.Work) { w.TTBackward = w.TTLookups }}
	unordered    = variant{name: "without reordering", unordered: true}
	unshared     = variant{name: "without reuse", change: func(w *timing.Work) { w.TTPrefixes, w.TTRows = w.TTLookups, w.TTLookups }}
	plainLookups = variant{name: "without reuse and reordering", unordered: true, change: unshared.change}
)

// one is a table in tensor-train form with MLPs, as often read as one of Kaggle's large ones.
func one(rows, batch int, mlps bool) (training, error) {
	m := dlrm.Config{Name: fmt.Sprintf("%d rows", rows), Dense: 13, Dim: 64, Bottom: []int{13, 64}, Top: []int{1}, LearningRate: 0.1}
	if mlps {
		m.Bottom, m.Top = []int{13, 512, 256, 64}, []int{512, 512, 256, 1}
	}
	m.Tables = []dlrm.Table{{Name: "t", Rows: rows, Lookups: 1}}
	_, kaggle, err := clicksOf("kaggle")
	if err != nil {
		return training{}, err
	}
	p := kaggle.Params
	p.Tables = []gen.Table{{Table: m.Tables[0], Zipf: p.Tables[2].Zipf}}
	clicks, err := gen.New(p, math.MaxInt64)
	return training{model: m, clicks: clicks, gpus: 1, batch: batch, batches: elrecBatches}, err
}

// of is a variant on a table.
func (e *elrecRuns) of(v variant, rows, batch int, mlps bool) source {
	name := fmt.Sprintf("%s, %d rows, %d inputs, %v", v.name, rows, batch, mlps)
	return source{name, func() (load, error) {
		t, err := one(rows, batch, mlps)
		if err != nil {
			return load{}, err
		}
		o := elrec.DefaultOptions()
		if v.unordered {
			o.Groups = 0
		}
		c := elrecSystem(o)
		if v.naive {
			c = ttrecSystem
		}
		x, err := e.run(fmt.Sprintf("%d rows, %d inputs, %v, %v, %v", rows, batch, mlps, v.unordered, v.naive), t, c)
		if err != nil {
			return load{}, err
		}
		l := t.load(x)
		l.works = append([]timing.Work{}, l.works...)
		for i := range l.works {
			if v.change != nil {
				v.change(&l.works[i])
			}
		}
		return l, nil
	}}
}

// eachTable is the mean of a figure over the paper's tables.
func eachTable(of func(rows int) measure) measure {
	var list []measure
	for _, rows := range ttRows {
		list = append(list, of(rows))
	}
	return extreme(average, list...)
}

func average(values []float64) float64 {
	sum := 0.
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// figure14 is what EL-Rec loses without its parts.
func (e *elrecRuns) figure14() Figure {
	f := Figure{
		Name: "EL-Rec Figure 14", Title: "percent of EL-Rec's rate that is lost without a part of it",
		Note: "Mean of tables of 2.5M, 5M and 10M rows of 64 values, rank 128, mini-batches of 8,192 inputs, MLPs of rm3; the paper does not say which. Without reuse every lookup " +
			"is multiplied by itself.",
		Labels: []string{"without"}, Columns: columns(e.profiles),
	}
	for _, v := range []variant{unaggregated, unordered, unshared} {
		on := strings.TrimPrefix(v.name, "without ")
		record := id("elrec", "Figure 14", "rate lost without", on)
		r := row(e.profiles, beside(record), func(p timing.Profile) measure {
			return eachTable(func(rows int) measure {
				return lost(speedUp(p, pair{all(e.of(whole, rows, ttBatch, true)), all(e.of(v, rows, ttBatch, true))}))
			})
		}, on)
		r.readings = tooMuch(published(record), v)
		f.Rows = append(f.Rows, r)
	}
	return f
}

// tooMuch tells if more of the rate is lost than both ways can lose that the paper has elsewhere.
func tooMuch(r Record, v variant) []reading {
	times := 1.
	for _, way := range []string{id("elrec", "Figure 17", "lookups, time over that of EL-Rec", v.name), id("elrec", "Figure 18", "backward, time over that of EL-Rec", v.name)} {
		if other, ok := library().byID[way]; ok {
			times = max(times, *other.Value)
		}
	}
	if most := 100 * (1 - 1/times); most < r.From {
		return []reading{{name: fmt.Sprintf("the paper's own lookups and ways back take %v times as long at most without it, which loses %.1f %%", times, most)}}
	}
	return nil
}

// lost is the percentage that a speed-up stands for.
func lost(m measure) measure {
	return func(c *clock) ([]float64, error) {
		values, err := m(c)
		for i, v := range values {
			values[i] = 100 * (1 - 1/v)
		}
		return values, err
	}
}

// phaseRatio is how much longer a phase of a variant takes than EL-Rec's.
func (e *elrecRuns) phaseRatio(v variant, label string, rows, batch int, p timing.Profile) measure {
	in := func(v variant) measure {
		return ofRuns(e.of(v, rows, batch, false), p, func(_ load, run timing.Run) float64 { return phase(run, label) })
	}
	return ratio(in(v), in(whole))
}

// figure17 is about lookups.
func (e *elrecRuns) figure17() Figure {
	f := Figure{
		Name: "EL-Rec Figure 17", Title: "time of the way forward over that of EL-Rec",
		Note:   "Mean of mini-batches of 1,024, 2,048 and 4,096 inputs of a table of 5M rows, with hardly an MLP.",
		Labels: []string{"lookups"}, Columns: columns(e.profiles),
	}
	for _, v := range []variant{plainLookups, unshared, unordered} {
		f.Rows = append(f.Rows, row(e.profiles, beside(id("elrec", "Figure 17", "lookups, time over that of EL-Rec", v.name)), func(p timing.Profile) measure {
			var list []measure
			for _, batch := range []int{1024, 2048, 4096} {
				list = append(list, e.phaseRatio(v, "GPU", ttRows[1], batch, p))
			}
			return extreme(average, list...)
		}, v.name))
	}
	return f
}

// figure18 is about the way back.
func (e *elrecRuns) figure18() Figure {
	f := Figure{
		Name: "EL-Rec Figure 18", Title: "time of the way back over that of EL-Rec",
		Note:   "Mean of the tables of Figure 14, mini-batches of 8,192 inputs.",
		Labels: []string{"backward"}, Columns: columns(e.profiles),
	}
	for _, v := range []variant{ttRec, unaggregated} {
		on := v.name
		f.Rows = append(f.Rows, row(e.profiles, beside(id("elrec", "Figure 18", "backward, time over that of EL-Rec", on)), func(p timing.Profile) measure {
			return eachTable(func(rows int) measure { return e.phaseRatio(v, "TT backward", rows, ttBatch, p) })
		}, on))
	}
	return f
}
