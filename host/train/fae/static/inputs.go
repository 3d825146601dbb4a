package static

import (
	"errors"
	"io"
	"runtime"
	"sync"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
)

// Inputs is the set of hot inputs of some mini-batches. Inputs are numbered from 0.
type Inputs struct {
	bits   []uint32
	n, hot int64
}

// Len returns the number of inputs, and Popular the number of hot inputs.
func (s *Inputs) Len() int64     { return s.n }
func (s *Inputs) Popular() int64 { return s.hot }

// Hot reports whether an input is hot. The input must be less than Len.
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

// classifyInputs reads and classifies all mini-batches. The inputs of a mini-batch are classified
// in parallel.
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

// eachBatch visits the mini-batches with its own reader.
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
