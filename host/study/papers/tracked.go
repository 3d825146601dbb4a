package papers

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// What Figure 15 is counted on: blocks of an EAL, and inputs.
const (
	trackedBlocks = 1 << 16
	trackedInputs = 100_000
)

// tracked is how many of the rows that are read most the EAL holds in the end (Figure 15).
func tracked(context.Context) (f Finding, err error) {
	clicks, _, err := clicksOf("kaggle")
	if err != nil {
		return f, err
	}
	held, reads := newTracking(trackedBlocks, clicks.Shape().Tables), map[uint32]int{}
	err = eachLookup(clicks, 0, trackedInputs, func(input, table int, row uint32) {
		held.access(input, table, row)
		reads[held.key(table, row)]++
	})
	if err != nil {
		return f, err
	}
	keys := make([]uint32, 0, len(reads))
	for key := range reads {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b uint32) int { return cmp.Or(cmp.Compare(reads[b], reads[a]), cmp.Compare(a, b)) })
	share := func(n int) float64 {
		hits := 0
		for _, key := range keys[:n] {
			if hit, _ := held.tracker.Probe(key); hit {
				hits++
			}
		}
		return 100 * float64(hits) / float64(n)
	}
	for record, rows := range map[string]int{
		"hotline/figure-15/rows-read-most-that-the-eal-holds/a-quarter-of-the-blocks": trackedBlocks / 4,
		"hotline/section-iv/rows-read-most-that-the-eal-holds/half-of-the-blocks":     trackedBlocks / 2,
		"hotline/section-iv/rows-read-most-that-the-eal-holds/a-tenth-of-the-blocks":  trackedBlocks / 10,
	} {
		f.add(record, share(rows), "", sixteenths(published(record), share)...)
	}
	return f, nil
}

// sixteenths is with how many rows that are asked for a record holds, if it does with any.
func sixteenths(r Record, share func(rows int) float64) []string {
	for i := 1; i <= 16; i++ {
		if v := share(i * trackedBlocks / 16); r.holds(v) {
			return []string{fmt.Sprintf("of as many rows as %d sixteenths of the blocks: %.1f %%", i, v)}
		}
	}
	return nil
}
