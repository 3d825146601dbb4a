package data

import (
	"errors"
	"fmt"
	"math"

	"github.com/hotline-rtl/hotline/host/rec"
	"github.com/hotline-rtl/hotline/host/rec/repro"
)

// GenTable is a table of the generator.
type GenTable struct {
	rec.Table
	Zipf float64 // exponent of its popularity: row r (from 0) is read about (r+1)^-Zipf as often as row 0
}

// Params describe generated clicks. An input belongs to a context, such as a kind of user on a kind of page. Each of its lookups
// comes, with probability Rho, from a short list of rows that belongs to the context, else from the whole table; lists hold rows
// as popular as the table's own draws. Contexts correlate the tables, which independent draws would not.
type Params struct {
	Name        string
	Seed        uint64
	Dense       int // dense features
	Tables      []GenTable
	Contexts    int     // number of contexts, at least 1
	ContextZipf float64 // exponent of the contexts' popularity
	List        int     // rows in the list of a context and a table, at least 1
	Rho         float64 // 0 to 1
	Signal      float64 // standard deviation of the logit of a click, half of its variance from dense features, half from rows
	Bias        float64 // mean of that logit
	Day         int     // inputs in a day; 0 if nothing changes from day to day
	Drift       float64 // share of the contexts' list entries that are replaced each day, 0 to 1
}

// Validate returns nil, or all that is wrong with the parameters, joined.
func (p Params) Validate() error {
	var errs []error
	wrong := func(format string, args ...any) { errs = append(errs, fmt.Errorf("generator: "+format, args...)) }
	if p.Dense < 1 {
		wrong("%d dense features, expected at least 1", p.Dense)
	}
	if len(p.Tables) == 0 {
		wrong("no tables, expected at least 1")
	}
	for i, t := range p.Tables {
		if t.Rows < 1 || uint64(t.Rows) > 1<<32 {
			wrong("table %d (%q) has %d rows, expected 1 to 2^32", i, t.Name, t.Rows)
		}
		if t.Lookups < 1 {
			wrong("table %d (%q) has %d lookups per input, expected at least 1", i, t.Name, t.Lookups)
		}
		if !(t.Zipf >= 0 && t.Zipf <= maxZipf) {
			wrong("table %d (%q) has Zipf exponent %v, expected 0 to %d", i, t.Name, t.Zipf, maxZipf)
		}
	}
	if p.Contexts < 1 || p.List < 1 {
		wrong("%d contexts with lists of %d rows, expected at least 1 of each", p.Contexts, p.List)
	}
	if !(p.ContextZipf >= 0 && p.ContextZipf <= maxZipf) {
		wrong("contexts have Zipf exponent %v, expected 0 to %d", p.ContextZipf, maxZipf)
	}
	if !(p.Rho >= 0 && p.Rho <= 1) {
		wrong("rho is %v, expected 0 to 1", p.Rho)
	}
	if !(p.Signal >= 0 && p.Signal <= math.MaxFloat32) || p.Bias-p.Bias != 0 {
		wrong("signal is %v and bias %v, expected finite numbers, the signal not negative", p.Signal, p.Bias)
	}
	if p.Day < 0 {
		wrong("a day of %d inputs, expected 0 or more", p.Day)
	}
	if !(p.Drift >= 0 && p.Drift <= 1) {
		wrong("drift is %v, expected 0 to 1", p.Drift)
	}
	return errors.Join(errs...)
}

// Generator makes the inputs that Params describe, one after the other. Input i does not depend on how it is reached.
type Generator struct {
	p        Params
	next     int
	contexts zipf
	tables   []zipf
	plant    plant
}

// NewGenerator returns a generator at input 0, or the error of Params.Validate.
func NewGenerator(p Params) (*Generator, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	g := &Generator{p: p, contexts: newZipf(p.Contexts, p.ContextZipf)}
	for _, t := range p.Tables {
		g.tables = append(g.tables, newZipf(t.Rows, t.Zipf))
	}
	g.plant = newPlant(p, g.tables)
	return g, nil
}

// Tables returns the tables of the samples.
func (g *Generator) Tables() []rec.Table {
	tables := make([]rec.Table, len(g.p.Tables))
	for i, t := range g.p.Tables {
		tables[i] = t.Table
	}
	return tables
}

// Next returns the next input.
func (g *Generator) Next() rec.Sample {
	s := g.At(g.next)
	g.next++
	return s
}

// Generate returns the first n inputs as a set, or the error of Params.Validate.
func Generate(p Params, n int) (*Set, error) {
	g, err := NewGenerator(p)
	if err != nil {
		return nil, err
	}
	set := &Set{Name: p.Name, Dense: p.Dense, Tables: g.Tables(), Samples: make([]rec.Sample, n)}
	for i := range set.Samples {
		set.Samples[i] = g.Next()
	}
	return set, nil
}

// Kinds of random numbers, the second word of their keys.
const (
	keySample uint64 = iota
	keyList
	keyRedraw
	keyMood
	keyDenseWeight
	keyRowWeight
)

// At returns input i.
func (g *Generator) At(i int) rec.Sample {
	r := repro.NewStream(g.p.Seed, keySample, uint64(i))
	context := g.contexts.rank(r.Float64())
	day := 0
	if g.p.Day > 0 {
		day = i / g.p.Day
	}
	s := rec.Sample{Dense: make([]float32, g.p.Dense)}
	signal := g.drawDense(r, context, s.Dense) + g.drawRows(r, context, day, &s.Sparse)
	logit := g.p.Bias + float64(g.p.Signal*math.Sqrt(0.5)*signal)
	if r.Float64() < 1/(1+repro.Exp(-logit)) {
		s.Label = 1
	}
	return s
}

// drawDense fills the dense features, which look like ln(1+x) of counts and whose means depend on the context, and returns their
// part of the planted signal.
func (g *Generator) drawDense(r *repro.Stream, context uint32, dense []float32) float64 {
	signal := 0.0
	for j := range dense {
		mood := normal(g.p.Seed, keyMood, uint64(context), uint64(j))
		z := math.Sqrt(0.5) * (mood + r.Normal())
		dense[j] = float32(max(0, 2+float64(1.5*z)))
		signal += float64(z * g.plant.dense[j])
	}
	return signal
}

// drawRows makes the lookups of an input and returns their part of the planted signal.
func (g *Generator) drawRows(r *repro.Stream, context uint32, day int, sparse *[]uint32) float64 {
	signal := 0.0
	for t, table := range g.p.Tables {
		for range table.Lookups {
			u := r.Float64()
			if r.Float64() < g.p.Rho {
				u = g.listed(context, t, int(u*float64(g.p.List)), day)
			}
			row := g.tables[t].rank(u)
			*sparse = append(*sparse, row)
			signal += g.plant.row(t, row)
		}
	}
	return signal
}

// listed returns an entry, as a quantile of the table's popularity, of the list of a context and a table on a day: as drawn on
// the last day on which it was replaced.
func (g *Generator) listed(context uint32, table, entry, day int) float64 {
	key := func(kind uint64) uint64 {
		return repro.Hash(g.p.Seed, kind, uint64(context), uint64(table), uint64(entry), uint64(day))
	}
	for ; day > 0; day-- {
		if repro.Unit(key(keyRedraw)) < g.p.Drift {
			break
		}
	}
	return repro.Unit(key(keyList))
}
