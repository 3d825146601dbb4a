package accuracy

import (
	"math"
	"sync"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
)

// spread measures the distance between the replicas of rows when they are read. Inputs of a
// mini-batch that read the same row get different vectors if the replicas of their GPUs differ. An
// input reads each table once.
type spread struct {
	train.Unwatched
	dim     int
	batches map[int]dlrm.Batch // in flight, by number

	mu     sync.Mutex
	pooled map[int][]float32 // pooled vectors of the current mini-batch, by input
	apart  float64           // sum of the squared distances of the vectors of each row from their mean
	whole  float64           // sum of the squared vectors
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
		for i := range batch.Len() { // deterministic order
			index := batch.At(i).Sparse[table]
			s.add(table, readers[index])
			delete(readers, index)
		}
	}
}

// add accumulates the vectors that the inputs have read of one row.
func (s *spread) add(table int, inputs []int) {
	for e := table * s.dim; e < (table+1)*s.dim; e++ {
		// Distances from the first vector are exactly 0 if all vectors are equal.
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

// share returns the distance of the vectors from the mean over their row, relative to the vectors.
// Both are root mean squares over all reads.
func (s *spread) share() float64 { return math.Sqrt(s.apart / s.whole) }
