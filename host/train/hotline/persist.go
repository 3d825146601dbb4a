package hotline

import (
	"errors"
	"fmt"

	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/dlrm"
)

// wrongAnswer is an answer of the accelerator that cannot be, or that has not arrived.
type wrongAnswer struct{ error }

func (w wrongAnswer) Unwrap() error { return w.error }

func wrong(format string, args ...any) error { return wrongAnswer{fmt.Errorf(format, args...)} }

// persist does a part of the training that can be done again, until it succeeds: each
// time but the first on an accelerator that was reset and has its registers, but has
// learned nothing. The error is the latest, after as many times as there are to be,
// or one about something else than the accelerator.
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

// survivable tells that an error is about the accelerator or the way to it.
func survivable(err error) bool {
	var w wrongAnswer
	return driver.Survivable(err) || errors.As(err, &w)
}

// restart resets the accelerator because of an error, unless that is that the driver
// has done so, and writes its registers.
func (h *System) restart(cause error) error {
	if !errors.Is(cause, driver.ErrReset) {
		if err := h.drv.Reset(cause); err != nil {
			return err
		}
	}
	h.failed, h.claims, h.blank = nil, nil, true
	return h.configure()
}

// saved are cold rows as they were before their update, which may fail when it has
// changed some of them.
type saved struct {
	h      *System
	rows   []dlrm.RowGrad
	values []float32
}

// save reads cold rows, unless the first fault is to end the run.
func (h *System) save(cold []dlrm.RowGrad) (saved, error) {
	s := saved{h: h, rows: cold}
	if h.opts.Retries == 0 {
		return s, nil
	}
	s.values = make([]float32, len(cold)*h.model.Dim)
	for i, r := range cold {
		if err := h.Tables.Read(r.Table, r.Index, s.row(i)); err != nil {
			return s, err
		}
	}
	return s, nil
}

func (s saved) row(i int) []float32 { return s.values[i*s.h.model.Dim:][:s.h.model.Dim] }

// restore brings n rows back.
func (s saved) restore(from, n int) error {
	for i := from; i < from+n; i++ {
		if err := s.h.Tables.Write(s.rows[i].Table, s.rows[i].Index, s.row(i)); err != nil {
			return err
		}
	}
	return nil
}
