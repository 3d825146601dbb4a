package command

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/host/experiment"
	"github.com/hotline-rtl/hotline/host/node"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/capture"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/host/server"
	"github.com/hotline-rtl/hotline/internal/outfile"
)

// captureFlag is --pcapng.
type captureFlag struct{ file string }

func (f *captureFlag) define(c *cobra.Command) {
	c.Flags().StringVar(&f.file, "pcapng", "", "write all TLPs on the accelerator's link to `FILE` (see above)")
}

// check reports that none of the systems has a link to write.
func (f captureFlag) check(systems []experiment.System) error {
	if f.file == "" || slices.ContainsFunc(systems, func(s experiment.System) bool { return s.Accelerated }) {
		return nil
	}
	return errors.New("--pcapng is for the link of an accelerator, but no system of --system has one; hotline has")
}

// recording is a capture that is written; nil for none.
type recording struct {
	file   *os.File
	writer *capture.Writer
}

// open begins the file.
func (f captureFlag) open() (*recording, error) {
	if f.file == "" {
		return nil, nil
	}
	file, err := outfile.Stream(f.file)
	if err != nil {
		return nil, err
	}
	w, err := capture.NewWriter(file, "accelerator")
	return &recording{file, w}, err
}

// slot is what an experiment calls; nil for no recording.
func (r *recording) slot() func(*server.Server) {
	if r == nil {
		return nil
	}
	return r.record
}

// record writes what the link of a machine's slot carries.
func (r *recording) record(s *server.Server) {
	e := s.Config.Endpoint
	r.writer.Function(capture.Function{ID: e.ID, BAR: e.BAR, MSIXOffset: e.MSIXOffset})
	capture.Record(s.Slot(), r.writer)
}

// follow is what a root port calls with the link of each card, whose host may move its
// BAR; nil for no recording.
func (r *recording) follow(msix uint64) func(*link.Link, *link.Endpoint) {
	if r == nil {
		return nil
	}
	return func(l *link.Link, e *link.Endpoint) {
		var bar link.Window
		l.Observe(func(link.Direction, node.Time, *pcie.TLP) {
			if now := e.BAR(); now != bar {
				bar = now
				r.writer.Function(capture.Function{ID: e.ID(), BAR: bar, MSIXOffset: msix})
			}
		})
		capture.Record(l, r.writer)
	}
}

// close ends the file. The error is that it is not whole.
func (r *recording) close() error {
	if r == nil {
		return nil
	}
	if err := errors.Join(r.writer.Close(), r.file.Close()); err != nil {
		return fmt.Errorf("the capture is not whole: %w", err)
	}
	return nil
}
