package papers

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data/gen"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/hotline/randomizer"
)

// Sizes of the EAL's experiments: blocks, samples, and the factor by which the tables and EALs of
// Figure 27 are smaller than in the paper.
const (
	ealBlocks = 1 << 16
	ealInputs = 100_000
	ealScale  = 16
)

// tracking is an EAL that processes every lookup and counts its hits.
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

// key returns the key by which the EAL finds a row.
func (t *tracking) key(table int, row uint32) uint32 {
	return randomizer.Permute(t.bits, t.base[table]+row)
}

func (t *tracking) access(_, table int, row uint32) {
	t.n++
	if hit, _ := t.tracker.Access(t.key(table, row)); hit {
		t.hits++
	}
}

// percent returns the hits in percent.
func (t *tracking) percent() float64 { return 100 * float64(t.hits) / float64(t.n) }

// ealHeld returns the percentage of the most-read rows that the EAL contains at the end. The number
// of these rows is a share of the EAL's blocks.
func ealHeld(_ *bench, r Record) (float64, string, error) {
	clicks, _, err := clicksOf(r.first().Clicks)
	if err != nil {
		return 0, "", err
	}
	held, reads := newTracking(ealBlocks, clicks.Shape().Tables), map[uint32]int{}
	if err := eachLookup(clicks, ealInputs, func(input, table int, row uint32) {
		held.access(input, table, row)
		reads[held.key(table, row)]++
	}); err != nil {
		return 0, "", err
	}
	keys := make([]uint32, 0, len(reads))
	for key := range reads {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b uint32) int { return cmp.Or(cmp.Compare(reads[b], reads[a]), cmp.Compare(a, b)) })
	n, hits := int(r.first().Share*ealBlocks), 0
	for _, key := range keys[:n] {
		if hit, _ := held.tracker.Probe(key); hit {
			hits++
		}
	}
	return 100 * float64(hits) / float64(n), fmt.Sprintf("%d rows, %d samples", n, ealInputs), nil
}

// multiHot returns the decrease of the hit rate, in percentage points, if a sample has five lookups
// of a table.
func multiHot(_ *bench, r Record) (float64, string, error) {
	var hits [2]float64
	for i, lookups := range []int{1, 5} {
		_, p, err := clicksOf(r.first().Clicks)
		if err != nil {
			return 0, "", err
		}
		for t := range p.Params.Tables {
			p.Params.Tables[t].Lookups = lookups
		}
		clicks, err := gen.New(p.Params, p.Inputs)
		if err != nil {
			return 0, "", err
		}
		x := newTracking(ealBlocks, clicks.Shape().Tables)
		if err := eachLookup(clicks, ealInputs/lookups, x.access); err != nil {
			return 0, "", err
		}
		hits[i] = x.percent()
	}
	return hits[0] - hits[1], fmt.Sprintf("%.1f %% and %.1f %%", hits[0], hits[1]), nil
}

// ealHits returns the hits of an EAL of 2 MB as a percentage of the hits of 4 MB. For part
// "doubling", it returns the ratio of the gain of 8 MB over 4 MB to the gain of 4 MB over 2 MB.
func ealHits(_ *bench, r Record) (float64, string, error) {
	p, err := gen.Named(r.first().Clicks, Seed)
	if err != nil {
		return 0, "", err
	}
	for t := range p.Params.Tables {
		p.Params.Tables[t].Rows = max(1, p.Params.Tables[t].Rows/ealScale)
	}
	clicks, err := gen.New(p.Params, p.Inputs)
	if err != nil {
		return 0, "", err
	}
	var list [3]*tracking
	for i := range list {
		list[i] = newTracking((2<<i)*mib/2/ealScale, clicks.Shape().Tables)
	}
	if err := eachLookup(clicks, ealInputs, func(input, table int, row uint32) {
		for _, x := range list {
			x.access(input, table, row)
		}
	}); err != nil {
		return 0, "", err
	}
	two, four, eight := list[0].percent(), list[1].percent(), list[2].percent()
	note := fmt.Sprintf("%.1f %%, %.1f %% and %.1f %% with 2, 4 and 8 MB", two, four, eight)
	if r.Part == "doubling" {
		return (eight - four) / (four - two), note, nil
	}
	return 100 * two / four, note, nil
}
