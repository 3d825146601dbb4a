package hotline

import (
	"errors"
	"fmt"

	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/dlrm"
)

// wrongAnswer is an impossible or missing answer of the accelerator.
type wrongAnswer struct{ error }

func (w wrongAnswer) Unwrap() error { return w.error }

func wrong(format string, args ...any) error { return wrongAnswer{fmt.Errorf(format, args...)} }

// persist runs a repeatable part of the training until it succeeds, at most Retries+1 times. Before
// each retry it resets the accelerator and writes its registers; the accelerator has then learned
// nothing. It returns the latest error, or the first error that does not concern the accelerator.
func (h *System) persist(part func() error) error {
	err := part()
	for range h.opts.Retries {
		if !survivable(err) {
			return err
		}
		if err = h.restart(err); err == nil {
			err = part()
		}
	}
	return err
}

// survivable reports whether an error concerns the accelerator or its link.
func survivable(err error) bool {
	var w wrongAnswer
	return driver.Survivable(err) || errors.As(err, &w)
}

// restart resets the accelerator because of an error, unless the driver has already done so, and
// writes its registers.
func (h *System) restart(cause error) error {
	if !errors.Is(cause, driver.ErrReset) {
		if err := h.drv.Reset(cause); err != nil {
			return err
		}
	}
	h.failed, h.claims, h.blank = nil, nil, true
	return h.configure()
}

// saved holds cold rows from before their update. A failed update may have changed some of them.
type saved struct {
	h      *System
	rows   []dlrm.RowGrad
	values []float32
}

// save reads cold rows, unless the options allow no retry.
func (h *System) save(cold []dlrm.RowGrad) (saved, error) {
	s := saved{h: h, rows: cold}
	if h.opts.Retries == 0 {
		return s, nil
	}
	s.values = make([]float32, len(cold)*h.model.Dim)
	for i, r := range cold {
		if err := h.Tables.Inspect(r.Table, r.Index, s.row(i)); err != nil {
			return s, err
		}
	}
	return s, nil
}

func (s saved) row(i int) []float32 { return s.values[i*s.h.model.Dim:][:s.h.model.Dim] }

// restore writes n rows back.
func (s saved) restore(from, n int) error {
	for i := from; i < from+n; i++ {
		if err := s.h.Tables.Overwrite(s.rows[i].Table, s.rows[i].Index, s.row(i)); err != nil {
			return err
		}
	}
	return nil
}
