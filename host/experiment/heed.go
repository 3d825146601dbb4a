package experiment

import (
	"context"

	"github.com/hotline-rtl/hotline/host/rec"
	"github.com/hotline-rtl/hotline/host/rec/data"
)

// heeding is a source whose readers end with the context, also while they wait
// for a pipe.
type heeding struct {
	data.Source
	ctx context.Context
}

// Open implements data.Source.
func (h heeding) Open(at int64) (data.Reader, error) {
	var r data.Reader
	err := h.heed(func() (err error) {
		r, err = h.Source.Open(at)
		return err
	})
	return &heedingReader{r, h}, err
}

// heed is what work returns, or why the context ended before it did.
func (h heeding) heed(work func() error) error {
	done := make(chan error, 1)
	go func() { done <- work() }()
	select {
	case err := <-done:
		return err
	case <-h.ctx.Done():
		return context.Cause(h.ctx)
	}
}

type heedingReader struct {
	data.Reader
	h heeding
}

// Close implements data.Reader. A reader that still waits is left alone.
func (r *heedingReader) Close() error {
	if r.Reader == nil || context.Cause(r.h.ctx) != nil {
		return nil
	}
	return r.Reader.Close()
}

// Read implements data.Reader. What is read after the context has ended goes
// nowhere.
func (r *heedingReader) Read(b *rec.Batch, n int) error {
	var next rec.Batch
	err := r.h.heed(func() error { return r.Reader.Read(&next, n) })
	if context.Cause(r.h.ctx) != nil {
		return context.Cause(r.h.ctx)
	}
	b.Dense, b.Sparse, b.Labels = append(b.Dense, next.Dense...), append(b.Sparse, next.Sparse...), append(b.Labels, next.Labels...)
	return err
}
