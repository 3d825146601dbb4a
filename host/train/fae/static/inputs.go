package static

import (
	"errors"
	"io"
	"runtime"
	"sync"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
)

// Inputs is which inputs of some mini-batches are hot. They are numbered from 0.
type Inputs struct {
	bits   []uint32
	n, hot int64
}

// Len is how many inputs there are, and Popular how many are hot.
func (s *Inputs) Len() int64     { return s.n }
func (s *Inputs) Popular() int64 { return s.hot }

// Hot tells whether an input is hot. There are none behind the last one.
func (s *Inputs) Hot(input int64) bool { return s.bits[input/32]>>(input%32)&1 != 0 }

func (s *Inputs) add(hot bool) {
	if s.n%32 == 0 {
		s.bits = append(s.bits, 0)
	}
	if hot {
		s.bits[s.n/32] |= 1 << (s.n % 32)
		s.hot++
	}
	s.n++
}

// classifyInputs reads all mini-batches. Cores share the inputs of each.
func classifyInputs(b *train.Batches, model dlrm.Config, hot *Hot) (*Inputs, error) {
	all, slots := &Inputs{}, slotTables(model)
	return all, eachBatch(b, func(batch dlrm.Batch) {
		popular := make([]bool, batch.Len())
		share := (batch.Len() + runtime.GOMAXPROCS(0) - 1) / runtime.GOMAXPROCS(0)
		var cores sync.WaitGroup
		for from := 0; from < batch.Len(); from += share {
			cores.Go(func() {
				for i := from; i < min(from+share, batch.Len()); i++ {
					popular[i] = hot.all(slots, batch.At(i))
				}
			})
		}
		cores.Wait()
		for _, p := range popular {
			all.add(p)
		}
	})
}

// eachBatch reads the mini-batches by a reader of its own.
func eachBatch(b *train.Batches, f func(batch dlrm.Batch)) error {
	own := b.Again()
	defer own.Close()
	for m := own.First(); ; m++ {
		batch, err := own.At(m)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		f(batch)
	}
}
