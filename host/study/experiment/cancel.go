package experiment

import (
	"context"

	"github.com/hotline-rtl/hotline/host/des/await"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
)

// cancelable is a source whose readers return when the context ends, even while they wait for a
// pipe.
type cancelable struct {
	data.Source
	ctx context.Context
}

// Open implements data.Source.
func (h cancelable) Open(at int64) (data.Reader, error) {
	r, err := await.Call(h.ctx, func() (data.Reader, error) { return h.Source.Open(at) })
	return &cancelableReader{r, h.ctx}, err
}

type cancelableReader struct {
	data.Reader
	ctx context.Context
}

// Close implements data.Reader. It does not close a reader that may still be waiting.
func (r *cancelableReader) Close() error {
	if r.Reader == nil || context.Cause(r.ctx) != nil {
		return nil
	}
	return r.Reader.Close()
}

// Read implements data.Reader.
func (r *cancelableReader) Read(b *dlrm.Batch, n int) error {
	next, err := await.Call(r.ctx, func() (dlrm.Batch, error) {
		var next dlrm.Batch
		err := r.Reader.Read(&next, n)
		return next, err
	})
	b.Dense, b.Sparse, b.Labels = append(b.Dense, next.Dense...), append(b.Sparse, next.Sparse...), append(b.Labels, next.Labels...)
	return err
}
