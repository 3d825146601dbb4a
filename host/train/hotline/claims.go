package hotline

import (
	"errors"

	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
)

// claim is a completion whose written data is not verified yet.
type claim struct {
	completion driver.Completion
	each       func(add func(p []byte)) error // visits the pieces of memory that the command has written
	undo       func() error                   // restores the memory from before the command; nil if the command can simply be repeated
}

// claim records that the data written by a command must be verified.
func (h *System) claim(c driver.Completion, each func(add func(p []byte)) error) {
	h.claims = append(h.claims, claim{completion: c, each: each})
}

// verify checks the data of all claims.
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

// verifyClaim compares the memory with the checksum of a completion. If writes were lost, it
// repeats the command, because the accelerator still has the inputs of the command.
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

// repeat executes a command again and waits for its writes.
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

// pieces returns a function that visits the starts of areas.
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

// bitmaps returns a function that visits the bitmaps of a half with n inputs, in host memory and in
// all mailboxes.
func (h *System) bitmaps(half, n int) func(add func(p []byte)) error {
	bytes := h.drv.Geometry().BitmapBytes(n)
	list := []start{{h.bitmap[half], bytes}}
	for _, gpu := range h.gpu {
		list = append(list, start{gpu.mailbox, bytes})
	}
	return pieces(list...)
}

// vectors returns a function that visits the pooled vectors of the given number of non-popular
// inputs.
func (h *System) vectors(others int) func(add func(p []byte)) error {
	var list []start
	for g, gpu := range h.gpu {
		list = append(list, start{gpu.pooled, h.Cluster.Share(others, g) * len(h.model.Bags()) * h.rowBytes()})
	}
	return pieces(list...)
}

// rows returns a function that visits cold rows.
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
