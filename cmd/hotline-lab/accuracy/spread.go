package accuracy

import (
	"math"
	"sync"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
)

// spread watches how far apart the replicas of rows are when they are read: inputs of
// a mini-batch that read the same row have vectors that differ if their GPUs have
// different replicas of it. Each table is read once by an input.
type spread struct {
	train.Unwatched
	dim     int
	batches map[int]dlrm.Batch // under way, by number

	mu     sync.Mutex
	pooled map[int][]float32 // of the mini-batch that is trained on, by input
	apart  float64           // sum of the squares of what the vectors differ by from their mean, of each row
	whole  float64           // and of the vectors
}

func newSpread(model dlrm.Config) *spread {
	return &spread{dim: model.Dim, batches: map[int]dlrm.Batch{}, pooled: map[int][]float32{}}
}

// Begin implements train.Watch.
func (s *spread) Begin(m int, batch dlrm.Batch) { s.batches[m] = batch }

// Pooled implements train.Watch.
func (s *spread) Pooled(_, input int, pooled []float32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pooled[input] = append(s.pooled[input][:0], pooled...)
}

// End implements train.Watch.
func (s *spread) End(m int) {
	batch := s.batches[m]
	delete(s.batches, m)
	for table := range len(s.pooled[0]) / s.dim {
		readers := map[uint32][]int{}
		for i := range batch.Len() {
			index := batch.At(i).Sparse[table]
			readers[index] = append(readers[index], i)
		}
		for i := range batch.Len() { // in an order that is the same in every run
			index := batch.At(i).Sparse[table]
			s.add(table, readers[index])
			delete(readers, index)
		}
	}
}

// add adds the vectors of a row, that the inputs have read.
func (s *spread) add(table int, inputs []int) {
	for e := table * s.dim; e < (table+1)*s.dim; e++ {
		// Distances from the first vector are exactly 0 if all are alike.
		var sum, squares float64
		for _, i := range inputs {
			v := float64(s.pooled[i][e])
			d := v - float64(s.pooled[inputs[0]][e])
			sum += d
			squares += float64(d * d)
			s.whole += float64(v * v)
		}
		if len(inputs) > 0 {
			s.apart += squares - float64(sum*sum)/float64(len(inputs))
		}
	}
}

// share is the distance of the vectors from the mean of those of their row, as a share
// of the vectors: root mean squares over all reads.
func (s *spread) share() float64 { return math.Sqrt(s.apart / s.whole) }
