// Package frames replays inputs and outputs that were computed earlier, one frame for each cycle.
package frames

import (
	"io"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
)

// Inputs is a stimulus of recorded frames.
type Inputs struct {
	Frames []uint64
	Words  int // 64-bit words of a frame
}

// Next implements sim.Stimulus.
func (i *Inputs) Next(frame []uint64) error {
	if len(i.Frames) == 0 {
		return io.EOF
	}
	copy(frame, i.Frames[:i.Words])
	i.Frames = i.Frames[i.Words:]
	return nil
}

// Compare compares an engine with known outputs on these inputs.
func Compare(d *ir.Design, in Inputs, known, x sim.NamedBatch, p sim.Payload) (sim.Report, error) {
	return sim.Verification{Design: d, A: known, B: x, Stimulus: &in, Cycles: uint64(len(in.Frames) / in.Words), Payload: p}.Run()
}

// Outputs is an engine that ignores its inputs and returns recorded outputs.
type Outputs struct {
	List   []sim.Port
	Frames []uint64
	Bits   []uint64 // unknown bits of the frames; may be nil

	last []uint64 // unknown bits of the latest block
}

// Ports implements sim.Batch.
func (o *Outputs) Ports() []sim.Port { return o.List }

// RunBlock implements sim.Batch.
func (o *Outputs) RunBlock(_, out []uint64) error {
	n := copy(out, o.Frames)
	o.Frames = o.Frames[n:]
	if o.Bits != nil {
		o.last, o.Bits = o.Bits[:n], o.Bits[n:]
	}
	return nil
}

// Unknown implements sim.Unknowns.
func (o *Outputs) Unknown() []uint64 { return o.last }

// Close implements sim.Batch.
func (o *Outputs) Close() error { return nil }
