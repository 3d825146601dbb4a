package data

import (
	"io"

	"github.com/hotline-rtl/hotline/host/dlrm"
)

// InMemory returns a source of inputs in memory. It does not copy them.
func InMemory(name string, shape Shape, inputs dlrm.Batch) Source { return memory{name, shape, inputs} }

type memory struct {
	name   string
	shape  Shape
	inputs dlrm.Batch
}

func (m memory) Name() string       { return m.name }
func (m memory) Shape() Shape       { return m.shape }
func (m memory) Len() (int64, bool) { return int64(m.inputs.Len()), true }

func (m memory) Open(at int64) (Reader, error) {
	n := m.inputs.Len()
	return &memoryReader{m.inputs.Slice(int(min(at, int64(n))), n)}, nil
}

type memoryReader struct{ left dlrm.Batch }

func (r *memoryReader) Read(b *dlrm.Batch, n int) error {
	n = min(n, r.left.Len())
	if n == 0 {
		return io.EOF
	}
	next := r.left.Slice(0, n)
	b.Dense = append(b.Dense, next.Dense...)
	b.Sparse = append(b.Sparse, next.Sparse...)
	b.Labels = append(b.Labels, next.Labels...)
	r.left = r.left.Slice(n, r.left.Len())
	return nil
}

func (r *memoryReader) Close() error { return nil }
