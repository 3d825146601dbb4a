package papers

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/host/train/timing"
)

// Order is the order of systems at a paper's default workload.
type Order struct {
	Name  string     `json:"name"`  // where the paper has it
	Title string     `json:"title"` // the workload
	Note  string     `json:"note"`
	Paper []Place    `json:"paper"` // fastest first
	Rows  []OrderRow `json:"rows"`  // by profile

	record   string // ID
	profiles []timing.Profile
	mixes    map[string]mix
}

// Place is a system's place in a paper.
type Place struct {
	System string  `json:"system"`
	Time   float64 `json:"time"` // published, in times of the first
}

// OrderRow is the order here with a profile.
type OrderRow struct {
	Profile string     `json:"profile"`
	Systems []Timed    `json:"systems"` // fastest first
	Same    bool       `json:"same"`    // no two systems are the other way round
	Draws   float64    `json:"draws"`   // share of the draws from the constants' ranges in which it is the same
	Swapped []Reversal `json:"swapped"` // two systems that are; not those that follow from others
}

// Timed is the time of a system's mini-batch, in ms, with its range.
type Timed struct {
	System string  `json:"system"`
	Value  float64 `json:"value"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
}

// newOrder is an order that is evaluated with all profiles.
func newOrder(o Order, profiles []timing.Profile, mixes map[string]mix) Order {
	o.profiles, o.mixes = profiles, mixes
	for _, p := range profiles {
		o.Rows = append(o.Rows, OrderRow{Profile: p.Name})
	}
	return o
}

// find evaluates an order with all profiles, and counts for the record that names it the pairs of
// systems that are the other way round with one of them.
func (o Order) find(ctx context.Context, k *clock, profile string) (Finding, error) {
	f := Finding{Order: &o}
	for i := range o.Rows {
		if err := context.Cause(ctx); err != nil {
			return f, err
		}
		r := &o.Rows[i]
		times, err := o.evaluate(k, r)
		if err != nil {
			return f, err
		}
		if r.Profile == profile {
			f.Outcomes = append(f.Outcomes, o.outcome(k, *r, times))
		}
	}
	return f, nil
}

// outcome is an order with a profile as what is found for its record. It is explained if each
// of the pairs is.
func (o Order) outcome(k *clock, r OrderRow, times map[string][]float64) Outcome {
	wrong := make([]float64, 1+timing.Draws)
	for i := range wrong {
		wrong[i] = float64(len(o.wrong(times, i)))
	}
	draws := slices.Sorted(slices.Values(wrong[1:]))
	x := Outcome{Record: o.record, Ours: wrong[0], Low: draws[timing.Draws/10], High: draws[timing.Draws-1-timing.Draws/10]}
	var names []string
	for _, s := range r.Systems {
		names = append(names, s.System)
	}
	x.Text = strings.Join(names, ", ")
	var because []string
	for _, s := range r.Swapped {
		if len(s.Changes) == 0 {
			return x
		}
		because = append(because, fmt.Sprintf("%s before %s: %s", s.Faster, s.Slower, s.changes()))
	}
	x.Because = because
	return x
}

// evaluate fills a row in. It gives the times of the systems, in seconds, on each variant.
func (o Order) evaluate(k *clock, r *OrderRow) (map[string][]float64, error) {
	p := o.profiles[slices.IndexFunc(o.profiles, func(p timing.Profile) bool { return p.Name == r.Profile })]
	times := map[string][]float64{}
	for _, place := range o.Paper {
		values, err := k.mix(o.mixes[place.System], p)
		if err != nil {
			return nil, err
		}
		times[place.System] = values
		s := k.variants.Spread(values)
		r.Systems = append(r.Systems, Timed{place.System, 1e3 * s.Value, 1e3 * s.Low, 1e3 * s.High})
	}
	slices.SortStableFunc(r.Systems, func(a, b Timed) int { return cmp.Compare(a.Value, b.Value) })
	wrong := o.wrong(times, 0)
	r.Same, r.Swapped = len(wrong) == 0, []Reversal{}
	for i := range timing.Draws {
		if len(o.wrong(times, 1+i)) == 0 {
			r.Draws += 1. / timing.Draws
		}
	}
	for _, w := range r.nearest(wrong) {
		reversal, err := o.explain(k, p, w, times)
		if err != nil {
			return nil, err
		}
		r.Swapped = append(r.Swapped, reversal)
	}
	return times, nil
}

// wrong are the pairs of systems, the paper's faster one first, that are the other way
// round on a variant.
func (o Order) wrong(times map[string][]float64, variant int) [][2]string {
	var list [][2]string
	for i, a := range o.Paper {
		for _, b := range o.Paper[i+1:] {
			if a.Time < b.Time && times[a.System][variant] > times[b.System][variant] {
				list = append(list, [2]string{a.System, b.System})
			}
		}
	}
	return list
}

// nearest are the pairs between which no system is with which they are the other way round,
// too.
func (r OrderRow) nearest(wrong [][2]string) [][2]string {
	return slices.DeleteFunc(slices.Clone(wrong), func(p [2]string) bool {
		return slices.ContainsFunc(r.Systems, func(between Timed) bool {
			return slices.Contains(wrong, [2]string{p[0], between.System}) && slices.Contains(wrong, [2]string{between.System, p[1]})
		})
	})
}
