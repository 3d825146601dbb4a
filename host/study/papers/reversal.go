package papers

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/host/train/timing"
)

// Reversal is two systems that are the other way round than in the paper, and what
// makes them so: all of it is computed.
type Reversal struct {
	Faster   string  `json:"faster"` // in the paper
	Slower   string  `json:"slower"`
	Resource string  `json:"resource"` // that the paper's faster one waits for longer than the other, by the most
	Waits    float64 `json:"waits_ms"`
	Other    float64 `json:"other_ms"` // how long the other one waits for it
	// Changes, each by itself, with which the two are as in the paper: of the software,
	// and of a constant to an end of its range; or else each two of the software together.
	Changes []string `json:"changes"`
}

// explain tells what makes two systems the wrong way round.
func (o Order) explain(k *clock, p timing.Profile, names [2]string, times map[string][]float64) (Reversal, error) {
	r := Reversal{Faster: names[0], Slower: names[1]}
	waits, err := k.waits(o.mixes[names[0]], p)
	if err != nil {
		return r, err
	}
	others, err := k.waits(o.mixes[names[1]], p)
	if err != nil {
		return r, err
	}
	for _, resource := range slices.Sorted(maps.Keys(waits)) {
		if r.Resource == "" || waits[resource]-others[resource] > r.Waits-r.Other {
			r.Resource, r.Waits, r.Other = resource, waits[resource], others[resource]
		}
	}
	if r.Changes, err = o.software(k, changes(p), names); err != nil {
		return r, err
	}
	r.Changes = append(r.Changes, constants(k, times[names[0]], times[names[1]])...)
	if len(r.Changes) == 0 {
		r.Changes, err = o.software(k, twice(p), names)
	}
	return r, err
}

// software are the changes, of those of a profile, with which two systems are as in the paper.
func (o Order) software(k *clock, changes []change, names [2]string) ([]string, error) {
	right := []string{}
	for _, c := range changes {
		a, err := k.now(o.mixes[names[0]], c.profile)
		if err != nil {
			return nil, err
		}
		b, err := k.now(o.mixes[names[1]], c.profile)
		if err != nil {
			return nil, err
		}
		if a <= b {
			right = append(right, c.name)
		}
	}
	return right, nil
}

// constants are the ends of ranges with which the first times are below the second ones.
func constants(k *clock, a, b []float64) []string {
	var right []string
	others := k.variants.Dependences(b)
	for i, d := range k.variants.Dependences(a) {
		if d.AtLow <= others[i].AtLow {
			right = append(right, fmt.Sprintf("%s %v", d.Constant, d.Low))
		}
		if d.AtHigh <= others[i].AtHigh {
			right = append(right, fmt.Sprintf("%s %v", d.Constant, d.High))
		}
	}
	return right
}

// change is a profile with another value of one attribute.
type change struct {
	name    string
	profile timing.Profile
}

// changes are all of a profile.
func changes(p timing.Profile) []change {
	var list []change
	for _, a := range []struct {
		name string
		of   func(p *timing.Profile) *string
	}{
		{"loader", func(p *timing.Profile) *string { return &p.Loader }},
		{"cpu", func(p *timing.Profile) *string { return &p.CPU }},
		{"launch", func(p *timing.Profile) *string { return &p.Launch }},
		{"tables", func(p *timing.Profile) *string { return &p.Tables }},
		{"copies", func(p *timing.Profile) *string { return &p.Copies }},
		{"hot_exchange", func(p *timing.Profile) *string { return &p.HotExchange }},
		{"processes", func(p *timing.Profile) *string { return &p.Processes }},
		{"slices", func(p *timing.Profile) *string { return &p.Slices }},
		{"misses", func(p *timing.Profile) *string { return &p.Misses }},
	} {
		for _, choice := range timing.Choices[a.name] {
			if c := p; choice[0] != *a.of(&p) {
				*a.of(&c) = choice[0]
				list = append(list, change{a.name + " " + choice[0], c})
			}
		}
	}
	replicated, ahead := p, p
	replicated.Replicate, ahead.Pipelined = !p.Replicate, !p.Pipelined
	return append(list, change{fmt.Sprintf("replicate %v", replicated.Replicate), replicated}, change{fmt.Sprintf("pipelined %v", ahead.Pipelined), ahead})
}

// twice are all two changes of a profile together.
func twice(p timing.Profile) []change {
	var list []change
	of := func(c change) string { name, _, _ := strings.Cut(c.name, " "); return name }
	for _, a := range changes(p) {
		for _, b := range changes(a.profile) {
			if of(a) < of(b) {
				list = append(list, change{a.name + " and " + b.name, b.profile})
			}
		}
	}
	return list
}

// waits is how long a mini-batch waits for each resource, in ms: its chain, which adds up to
// its time.
func (k *clock) waits(x mix, p timing.Profile) (map[string]float64, error) {
	waits := map[string]float64{}
	for _, part := range x {
		l, err := k.load(part.source)
		if err != nil {
			return nil, err
		}
		run, err := l.run(k.variants[0], p)
		if err != nil {
			return nil, err
		}
		for _, share := range run.Chain {
			waits[share.Resource] += part.share * share.Time.Seconds() * 1e3 / float64(len(l.works))
		}
	}
	return waits, nil
}
