package dlrm

// Sample is one input with its label.
type Sample struct {
	Label  float32   // 1 for a click, 0 for no click
	Dense  []float32 // Config.DenseWidth values: the dense features, one time step after another
	Sparse []uint32  // Config.Lookups row indices, bag by bag in the order of Config.Bags
}

// Batch is a batch of inputs of one model.
type Batch struct {
	Dense  []float32 // Len x Config.DenseWidth
	Sparse []uint32  // Len x Config.Lookups
	Labels []float32 // Len
}

// Len returns the number of inputs.
func (b Batch) Len() int { return len(b.Labels) }

// All returns the indices of all inputs.
func (b Batch) All() []int {
	all := make([]int, b.Len())
	for i := range all {
		all[i] = i
	}
	return all
}

// At returns input i, as a view of the batch.
func (b Batch) At(i int) Sample {
	one := b.Slice(i, i+1)
	return Sample{Label: b.Labels[i], Dense: one.Dense, Sparse: one.Sparse}
}

// Slice returns the inputs from, from+1, ..., to-1, as a view of the batch. Appending to it does
// not change the batch.
func (b Batch) Slice(from, to int) Batch {
	n := max(1, b.Len())
	dense, sparse := len(b.Dense)/n, len(b.Sparse)/n
	return Batch{
		Dense:  b.Dense[from*dense : to*dense : to*dense],
		Sparse: b.Sparse[from*sparse : to*sparse : to*sparse],
		Labels: b.Labels[from:to:to],
	}
}

// Append adds a copy of an input.
func (b *Batch) Append(s Sample) {
	b.Dense = append(b.Dense, s.Dense...)
	b.Sparse = append(b.Sparse, s.Sparse...)
	b.Labels = append(b.Labels, s.Label)
}

// Select replaces the contents of b by copies of the inputs of another batch with these indices. It
// reuses the memory of b.
func (b *Batch) Select(of Batch, inputs []int) {
	b.Reset()
	for _, i := range inputs {
		b.Append(of.At(i))
	}
}

// Reset removes all inputs and keeps the memory.
func (b *Batch) Reset() {
	b.Dense, b.Sparse, b.Labels = b.Dense[:0], b.Sparse[:0], b.Labels[:0]
}
