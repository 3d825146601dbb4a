package sim

import (
	"fmt"
	"io"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/bv"
)

// blockCycles is the number of cycles per call of RunBlock.
const blockCycles = 1024

// NamedBatch is a Batch with a name for reports.
type NamedBatch struct {
	Name string
	Batch
}

// Verification compares two engines on the same inputs, in blocks of cycles.
type Verification struct {
	Design   *ir.Design
	A, B     NamedBatch
	Stimulus Stimulus
	Cycles   uint64
	Progress func(done uint64) // called after each block, if not nil
	// Payload, if not nil, supports engines with different or unknown initial states. Outputs are
	// then compared only after the first clock edge in reset, and payload only while it is valid in
	// A.
	Payload Payload
}

// Report is the result of a Verification.
type Report struct {
	Cycles      uint64 // compared, up to the end of the block with the first divergence
	Ports       int    // number of outputs
	Differences uint64 // number of differing outputs, summed over these cycles
	First       *Divergence
	Assertions  uint64 // number of cycles in which A failed an assertion of the design
	Assertion   error  // the first such failure
}

// String summarizes the report in one line. It does not include the first divergence.
func (r Report) String() string {
	s := fmt.Sprintf("%d cycles, %d outputs, %d differences", r.Cycles, r.Ports, r.Differences)
	if r.Assertions > 0 {
		s += fmt.Sprintf(", an assertion failed in %d cycles", r.Assertions)
	}
	return s
}

// Run compares until the block with the first divergence, the end of the stimulus or the limit
// Cycles. It returns an error of an engine or of the stimulus.
func (v Verification) Run() (Report, error) {
	if err := samePorts(v.A.Name, v.A.Ports(), v.B.Name, v.B.Ports()); err != nil {
		return Report{}, err
	}
	f := NewFormat(v.A.Ports())
	c := &comparison{Verification: v, f: f, history: newHistory(f, v.Design, v.A.Name, v.B.Name)}
	c.report.Ports = len(f.Out)
	if v.Payload != nil {
		c.masker = newMasker(f, v.Payload)
	}
	err := c.run()
	if x, ok := v.A.Batch.(interface{ Assertions() (uint64, error) }); ok {
		c.report.Assertions, c.report.Assertion = x.Assertions()
	}
	return c.report, err
}

// comparison is a running Verification.
type comparison struct {
	Verification
	f       *Format
	history *history
	report  Report
	masker  *masker // nil if all outputs are always compared
	reset   bool    // a clock edge in reset has occurred
}

func (c *comparison) run() error {
	in := make([]uint64, blockCycles*c.f.InWords)
	a, b := make([]uint64, blockCycles*c.f.OutWords), make([]uint64, blockCycles*c.f.OutWords)
	frame := make([]uint64, c.f.InWords)
	for c.report.Cycles < c.Cycles && c.report.First == nil {
		n, err := c.fill(in, frame)
		if n == 0 || err != nil {
			return err
		}
		in, a, b := in[:n*c.f.InWords], a[:n*c.f.OutWords], b[:n*c.f.OutWords]
		second := make(chan error, 1)
		go func() { second <- c.B.RunBlock(in, b) }()
		errA, errB := c.A.RunBlock(in, a), <-second
		if errA != nil {
			return fmt.Errorf("%s: %w", c.A.Name, errA)
		}
		if errB != nil {
			return fmt.Errorf("%s: %w", c.B.Name, errB)
		}
		c.compare(in, a, b)
		c.report.Cycles += uint64(n)
		if c.Progress != nil {
			c.Progress(c.report.Cycles)
		}
	}
	return nil
}

// fill reads the next block from the stimulus and returns its length in cycles.
func (c *comparison) fill(in, frame []uint64) (int, error) {
	limit := int(min(blockCycles, c.Cycles-c.report.Cycles))
	for n := range limit {
		switch err := c.Stimulus.Next(frame); err {
		case nil:
			copy(in[n*c.f.InWords:], frame)
		case io.EOF:
			return n, nil
		default:
			return n, err
		}
	}
	return limit, nil
}

// defined clears invalid payload and reports whether there was a reset in an earlier cycle.
func (c *comparison) defined(in, a, b, unknown []uint64) bool {
	c.masker.cycle(in, a, a, b, unknown)
	was := c.reset
	c.reset = was || in[0]&1 != 0
	return was
}

// compare counts the differences in a block and records the first divergence.
func (c *comparison) compare(in, a, b []uint64) {
	var unknown []uint64
	if x, ok := c.B.Batch.(Unknowns); ok {
		unknown = x.Unknown()
	}
	ni, no := c.f.InWords, c.f.OutWords
	none := make([]uint64, no)
	for i := range len(in) / ni {
		x, y, u := a[i*no:][:no], b[i*no:][:no], none
		if unknown != nil {
			u = unknown[i*no:][:no]
		}
		if c.masker != nil && !c.defined(in[i*ni:][:ni], x, y, u) {
			continue
		}
		if c.report.First == nil {
			c.history.push(in[i*ni:][:ni], x, y, u)
		}
		if bv.Equal(x, y) && bv.IsZero(u) {
			continue
		}
		for _, field := range c.f.Out {
			if !bv.Equal(field.Of(x), field.Of(y)) || !bv.IsZero(field.Of(u)) {
				c.report.Differences++
				if c.report.First == nil {
					c.report.First = c.history.port(c.report.Cycles+uint64(i), field)
				}
			}
		}
	}
}
