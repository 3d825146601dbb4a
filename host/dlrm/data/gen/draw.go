package gen

import (
	"math"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/detmath"
)

// drawing is the state of the generation of one input.
type drawing struct {
	*Source
	random  *detmath.Stream
	context uint32
	level   float64
	lists   uint64 // key of the lists of context and level
	day     int64
	signal  float64 // logit of the plant for the features sampled so far
}

// draw appends input i to b.
func (s *Source) draw(i int64, b *dlrm.Batch) {
	d := drawing{Source: s, random: detmath.NewStream(s.p.Seed, keyInput, uint64(i))}
	quantile := d.random.Float64()
	d.context = s.contexts.rank(quantile)
	d.level = math.Floor(quantile * float64(s.p.Levels))
	d.lists = detmath.Hash(s.p.Seed, keyList, uint64(d.context), uint64(d.level))
	if s.p.Day > 0 {
		d.day = i / s.p.Day
	}
	if steps := s.p.steps(); steps == 1 {
		b.Dense = d.dense(b.Dense)
	} else {
		b.Dense = s.times(b.Dense, steps)
	}
	first := len(b.Sparse)
	for step := range s.p.steps() {
		for t := range s.p.Tables {
			if step > 0 && s.p.Tables[t].PerInput {
				from := first + s.slots[t]
				b.Sparse = append(b.Sparse, b.Sparse[from:from+s.p.Tables[t].Lookups]...)
				continue
			}
			b.Sparse = d.rows(t, b.Sparse)
		}
	}
	label := float32(0)
	if logit := s.p.Bias + float64(s.p.Signal*d.signal); d.random.Float64() < 1/(1+detmath.Exp(-logit)) {
		label = 1
	}
	b.Labels = append(b.Labels, label)
}

// dense appends dense features that resemble ln(1+x) of counts. Their means depend on the context.
func (d *drawing) dense(to []float32) []float32 {
	moods := detmath.NewStream(d.p.Seed, keyMood, uint64(d.context))
	for _, weight := range d.plant.dense {
		own := coins(d.random.Uint64()) + (d.random.Float64()-0.5)/4
		z := math.Sqrt(0.5) * (coins(moods.Uint64()) + own)
		to = append(to, float32(max(0, 2+float64(1.5*z))))
		d.signal += float64(z * weight)
	}
	return to
}

// times appends dense features that encode the time step as a fraction of all time steps.
func (s *Source) times(to []float32, steps int) []float32 {
	for step := range steps {
		for range s.p.Dense {
			to = append(to, float32(step)/float32(steps))
		}
	}
	return to
}

// rows appends the lookups in a table.
func (d *drawing) rows(table int, to []uint32) []uint32 {
	for range d.p.Tables[table].Lookups {
		u := d.random.Float64()
		if d.random.Float64() < d.p.Rho {
			u = d.listed(table, int(u*float64(d.p.List)))
		}
		rank := d.laws[table].rank(u)
		d.signal += d.plant.row(table, rank)
		to = append(to, d.row(table, rank))
	}
	return to
}

// listed returns an entry of the list of the context and a table, as a quantile of the table's
// accesses.
func (d *drawing) listed(table, entry int) float64 {
	u := detmath.Unit(detmath.Hash(d.lists, uint64(table)<<32|uint64(entry)))
	return (d.level + u) / float64(d.p.Levels)
}

// row returns the row that has a rank on the current day. The popularity of a rank moves to another
// row every 1/Drift days. The day of the move differs between ranks.
func (d *drawing) row(table int, rank uint32) uint32 {
	if d.day == 0 || d.p.Drift == 0 {
		return rank
	}
	phase := detmath.Unit(detmath.Hash(d.p.Seed, keyPhase, uint64(table)<<32|uint64(rank)))
	moves := uint64(float64(d.p.Drift*float64(d.day)) + phase)
	rows := uint64(d.p.Tables[table].Rows)
	return uint32((uint64(rank) + moves*stride(rows)) % rows)
}

// stride returns the distance by which popularity moves in a table. The target rows are less
// popular, and the moves do not return soon.
func stride(rows uint64) uint64 { return rows*5/13 + 1 }
