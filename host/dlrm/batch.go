package dlrm

// Sample is one input with its label.
type Sample struct {
	Label  float32   // 1 is a click, 0 is none
	Dense  []float32 // Config.DenseWidth values: dense features of one time step after the other
	Sparse []uint32  // Config.Lookups row indices: bag after bag, in the order of Config.Bags
}

// Batch is inputs of one model side by side.
type Batch struct {
	Dense  []float32 // Len x Config.DenseWidth
	Sparse []uint32  // Len x Config.Lookups
	Labels []float32 // Len
}

// Len returns the number of inputs.
func (b Batch) Len() int { return len(b.Labels) }

// All returns the numbers of all inputs.
func (b Batch) All() []int {
	all := make([]int, b.Len())
	for i := range all {
		all[i] = i
	}
	return all
}

// At returns input i, a view of the batch.
func (b Batch) At(i int) Sample {
	one := b.Slice(i, i+1)
	return Sample{Label: b.Labels[i], Dense: one.Dense, Sparse: one.Sparse}
}

// Slice returns the inputs from, from+1, ..., to-1, a view of the batch. What is appended to it does not change the batch.
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

// Select makes b, whose memory it uses again, a copy of the inputs of another batch with these numbers.
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
