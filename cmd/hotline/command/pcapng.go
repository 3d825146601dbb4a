package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/gen/outfile"
	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/rootport"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/capture"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/host/train/registry"
)

// flushInterval is the maximum part of a capture, in time, that is lost if this process is killed.
const flushInterval = time.Second

// captureFlag contains --pcapng and --pcapng-last.
type captureFlag struct {
	file string
	last byteCount
}

func (f *captureFlag) define(c *cobra.Command) {
	c.Flags().StringVar(&f.file, "pcapng", "", "write all TLPs on the accelerator's link to `FILE` (see above)")
	c.Flags().Var(&f.last, "pcapng-last", "keep only the first and the last `bytes` of --pcapng (docs/how-to/captures.md)")
}

// check returns an error if no system has a link to capture.
func (f captureFlag) check(systems []registry.Description) error {
	if f.file == "" || slices.ContainsFunc(systems, func(s registry.Description) bool { return s.Accelerated }) {
		return nil
	}
	return errors.New("--pcapng captures the link of an accelerator, which no system of --system has; add the system hotline")
}

// byteCount is a flag for a number of bytes, such as 64MB.
type byteCount int64

var byteUnits = []struct {
	name  string
	bytes int64
}{{"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}}

// String implements pflag.Value.
func (n *byteCount) String() string {
	if *n == 0 {
		return ""
	}
	return strconv.FormatInt(int64(*n), 10)
}

// Set implements pflag.Value.
func (n *byteCount) Set(text string) error {
	number, factor := text, int64(1)
	for _, u := range byteUnits {
		if rest, ok := strings.CutSuffix(text, u.name); ok {
			number, factor = rest, u.bytes
		}
	}
	v, err := strconv.ParseInt(number, 10, 64)
	if err != nil || number[0] == '+' || v > (1<<50)/factor || v*factor < capture.LeastRing {
		return fmt.Errorf("expected a number of bytes from %d on, as 64MB (KB, MB, GB)", capture.LeastRing)
	}
	*n = byteCount(v * factor)
	return nil
}

// Type implements pflag.Value.
func (n *byteCount) Type() string { return "bytes" }

// recording is a capture in progress; nil without a capture.
type recording struct {
	file   *captureFile
	writer *capture.Writer
	ticker *time.Ticker
	ended  sync.Once
	err    error // error of closing
}

// captureFile is the file of a recording.
type captureFile struct {
	path string
	*os.File
}

// Replace implements capture.File.
func (f *captureFile) Replace(write func(io.Writer) error) error {
	file, err := outfile.Replace(f.path, write)
	if err != nil {
		return err
	}
	err = f.Close()
	f.File = file
	return err
}

// open starts the capture.
func (f captureFlag) open() (*recording, error) {
	if f.file == "" && f.last != 0 {
		return nil, errors.New("--pcapng-last needs --pcapng FILE")
	}
	if f.file == "" {
		return nil, nil
	}
	file, err := outfile.Stream(f.file)
	if err != nil {
		return nil, err
	}
	r := &recording{file: &captureFile{f.file, file}}
	if r.writer, err = f.writer(r.file); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	r.writer.Flush()
	r.ticker = time.NewTicker(flushInterval)
	go r.writer.FlushAt(r.ticker.C)
	return r, nil
}

// writer returns the writer for the capture's file.
func (f captureFlag) writer(file *captureFile) (*capture.Writer, error) {
	const name = "accelerator"
	if f.last == 0 {
		return capture.NewWriter(file, name)
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("--pcapng-last needs a regular file, but %s is not one", f.file)
	}
	if err != nil {
		return nil, err
	}
	return capture.NewRing(file, name, int64(f.last))
}

// slot returns the callback for an experiment, or nil without a recording.
func (r *recording) slot() func(*server.Server) {
	if r == nil {
		return nil
	}
	return r.record
}

// record records the traffic on the link of a machine's slot.
func (r *recording) record(s *server.Server) {
	e := s.Config.Endpoint
	r.writer.Function(capture.Function{ID: e.ID, BAR: e.BAR, MSIXOffset: e.MSIXOffset})
	capture.Record(s.Slot(), r.writer)
}

// follow records the traffic of a card at a root port. Its host may move the device's BAR.
func (r *recording) follow(c rootport.Inserted, msix uint64) {
	var bar link.Window
	c.Link.Observe(func(link.Direction, des.Time, *pcie.TLP) {
		if now := c.Endpoint.BAR(); now != bar {
			bar = now
			r.writer.Function(capture.Function{ID: c.Endpoint.ID(), BAR: bar, MSIXOffset: msix})
		}
	})
	capture.Record(c.Link, r.writer)
}

// during runs work and then closes the capture, even if work panics. It also returns an error if
// the capture is incomplete.
func (r *recording) during(work func() error) (err error) {
	defer func() { err = errors.Join(err, r.close()) }()
	return work()
}

// crash closes the capture for a goroutine that panics.
func (r *recording) crash() { _ = r.close() }

// close closes the capture. It returns an error if the capture is incomplete.
func (r *recording) close() error {
	if r == nil {
		return nil
	}
	r.ended.Do(func() {
		r.ticker.Stop()
		if err := errors.Join(r.writer.Close(), r.file.Close()); err != nil {
			r.err = fmt.Errorf("the capture is incomplete: %w", err)
		}
	})
	return r.err
}
