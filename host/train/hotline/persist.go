package hotline

import (
	"errors"
	"fmt"

	"github.com/hotline-rtl/hotline/host/driver"
	"github.com/hotline-rtl/hotline/host/rec"
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

// undoable keeps cold rows as they are. What it gives brings them back, except for the
// first time: an update that has failed has changed some of them and not others.
func (h *System) undoable(cold []rec.RowGrad) (undo func() error, err error) {
	if h.opts.Retries == 0 {
		return func() error { return nil }, nil
	}
	saved := make([]float32, len(cold)*h.model.Dim)
	row := func(i int) []float32 { return saved[i*h.model.Dim:][:h.model.Dim] }
	for i, r := range cold {
		if err := h.tables.Read(r.Table, r.Index, row(i)); err != nil {
			return nil, err
		}
	}
	first := true
	return func() error {
		if first {
			first = false
			return nil
		}
		for i, r := range cold {
			if err := h.tables.Write(r.Table, r.Index, row(i)); err != nil {
				return err
			}
		}
		return nil
	}, nil
}
