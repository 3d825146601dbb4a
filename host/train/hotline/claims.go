package hotline

import (
	"errors"

	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
)

// claim is what a command says that it has written, and where.
type claim struct {
	completion driver.Completion
	each       func(add func(p []byte)) error // piece of memory
	undo       func() error                   // makes memory as it was before the command; nil: it may be repeated as it is
}

// claim notes that what a command has written is to be verified.
func (h *System) claim(c driver.Completion, each func(add func(p []byte)) error) {
	h.claims = append(h.claims, claim{completion: c, each: each})
}

// verify compares what commands have written with what is there.
func (h *System) verify() error {
	claims := h.claims
	h.claims = nil
	for _, c := range claims {
		if err := h.verifyClaim(c); err != nil {
			return err
		}
	}
	return nil
}

// verifyClaim compares what a command has written with what is there. If some of it was
// lost on its way, the command is repeated: the accelerator has what it needs for that.
func (h *System) verifyClaim(c claim) error {
	err := h.drv.Verify(c.completion, c.each)
	for range h.opts.Driver.Retries {
		var lost *driver.LostWriteError
		if !errors.As(err, &lost) {
			break
		}
		if err = h.repeat(&c); err == nil {
			err = h.drv.Verify(c.completion, c.each)
		}
	}
	return err
}

// repeat carries a command out again and waits for what it writes.
func (h *System) repeat(c *claim) (err error) {
	if c.undo != nil {
		if err := c.undo(); err != nil {
			return err
		}
	}
	if c.completion, err = h.drv.Repeat(c.completion.Command); err != nil {
		return err
	}
	return h.s.FlushGPUs()
}

// start is the first n bytes of an area.
type start struct {
	area *server.Region
	n    int
}

// pieces visits the starts of areas.
func pieces(of ...start) func(add func(p []byte)) error {
	return func(add func(p []byte)) error {
		for _, s := range of {
			p := make([]byte, s.n)
			if err := s.area.Read(0, p); err != nil {
				return err
			}
			add(p)
		}
		return nil
	}
}

// bitmaps are those of a half with n inputs, in host memory and in all mailboxes.
func (h *System) bitmaps(half, n int) func(add func(p []byte)) error {
	bytes := h.drv.Geometry().BitmapBytes(n)
	list := []start{{h.bitmap[half], bytes}}
	for _, gpu := range h.gpu {
		list = append(list, start{gpu.mailbox, bytes})
	}
	return pieces(list...)
}

// vectors are the pooled vectors of so many non-popular inputs.
func (h *System) vectors(others int) func(add func(p []byte)) error {
	var list []start
	for g, gpu := range h.gpu {
		list = append(list, start{gpu.pooled, h.Cluster.Share(others, g) * len(h.model.Bags()) * h.rowBytes()})
	}
	return pieces(list...)
}

// rows are cold rows.
func (h *System) rows(of []dlrm.RowGrad) func(add func(p []byte)) error {
	return func(add func(p []byte)) error {
		p := make([]byte, h.rowBytes())
		for _, r := range of {
			if err := h.Tables.ReadBytes(r.Table, r.Index, p); err != nil {
				return err
			}
			add(p)
		}
		return nil
	}
}
