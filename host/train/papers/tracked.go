package papers

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/host/rec"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/hotline/randomizer"
)

// What Figure 15 is counted on: blocks of an EAL, and inputs.
const (
	trackedBlocks = 1 << 16
	trackedInputs = 100_000
)

// tracked is how many of the rows that are read most the EAL holds in the end (Figure 15).
func tracked(context.Context) ([]Result, error) {
	p := arch.Small()
	p.Blocks = trackedBlocks
	held, reads := eal.NewTracker(p), map[uint32]int{}
	err := eachID("kaggle", trackedInputs, func(id uint32) {
		key := randomizer.Permute(p.IDBits(), id)
		held.Access(key)
		reads[key]++
	})
	if err != nil {
		return nil, err
	}
	keys := make([]uint32, 0, len(reads))
	for key := range reads {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b uint32) int { return cmp.Or(cmp.Compare(reads[b], reads[a]), cmp.Compare(a, b)) })
	share := func(n int) float64 {
		hits := 0
		for _, key := range keys[:n] {
			if hit, _ := held.Probe(key); hit {
				hits++
			}
		}
		return 100 * float64(hits) / float64(n)
	}
	of := fmt.Sprintf("%d blocks of 8 ways, the first %d inputs of clicks like Kaggle's", trackedBlocks, trackedInputs)
	return []Result{
		counted("Figure 15: of the rows read most, a quarter of the blocks, in the EAL", "90", 85, 95, share(trackedBlocks/4), 1, "%", of+"; the fewer rows are asked for the more are held, and the paper does not say how many"),
		counted("Sec. IV: half as many as there are blocks", "70", 65, 75, share(trackedBlocks/2), 1, "%", "the same"),
		counted("Sec. IV: a tenth as many", "more than 99", 99, 100, share(trackedBlocks/10), 1, "%", ""),
	}, nil
}

// eachID calls with the number of each row that the first inputs of a log read: rows of all
// tables are numbered one table after the other.
func eachID(log string, inputs int, f func(id uint32)) error {
	clicks, _, err := clicksOf(log)
	if err != nil {
		return err
	}
	var base []uint32
	next := uint32(0)
	for _, t := range clicks.Shape().Tables {
		for range t.Lookups {
			base = append(base, next)
		}
		next += uint32(t.Rows)
	}
	r, err := clicks.Open(0)
	if err != nil {
		return err
	}
	defer r.Close()
	var b rec.Batch
	if err := r.Read(&b, inputs); err != nil {
		return err
	}
	for i := range b.Len() {
		for j, index := range b.At(i).Sparse {
			f(base[j] + index)
		}
	}
	return nil
}
