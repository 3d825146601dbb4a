package external

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os/exec"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bv"
)

// codec is the protocol of a child process.
type codec interface {
	// send requests the given number of cycles, with one input frame per cycle. With 0 cycles, it
	// requests the outputs for a single input frame.
	send(w *bufio.Writer, f *sim.Format, cycles int, frames []uint64) error
	// write sets a variable, or a word of a memory.
	write(w *bufio.Writer, path string, word int, value []uint64)
	// receive reads the response: an output frame, and its unknown bits, for each input frame.
	receive(r *bufio.Reader, f *sim.Format, cycles int, out, unknown []uint64) error
}

// Process is a Verilog simulator, or a compiled model, in a child process. It implements sim.Batch,
// sim.Unknowns, sim.Simulator and sim.Writable.
type Process struct {
	kind   string
	format *sim.Format
	codec  codec
	design *ir.Design
	states *states // nil before the first State
	cmd    *exec.Cmd
	pipe   io.Closer
	w      *bufio.Writer
	r      *bufio.Reader
	stderr bytes.Buffer

	unknown []uint64 // mask of the unknown bits of the last block
	anyX    bool     // unknown is not zero
	frame   []uint64 // current inputs
	outputs []uint64 // outputs for frame, unless dirty
	dirty   bool
	cycle   uint64
	failed  error
}

// start runs a built simulator.
func start(kind string, s *source, c codec, command ...string) (*Process, error) {
	f := s.format
	p := &Process{kind: kind, format: f, codec: c, design: s.design, cmd: exec.Command(command[0], command[1:]...),
		frame: make([]uint64, f.InWords), outputs: make([]uint64, f.OutWords), dirty: true}
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("external: %w", err)
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("external: %w", err)
	}
	p.pipe, p.w, p.r = in, bufio.NewWriterSize(in, 1<<16), bufio.NewReaderSize(out, 1<<16)
	p.cmd.Stderr = &p.stderr
	p.cmd.SysProcAttr = apart() // the child exits at the end of its input
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("external: %w", err)
	}
	return p, nil
}

// request sends a request and reads the response. It sends concurrently, because the child may
// respond before it has read the whole request.
func (p *Process) request(cycles int, frames, out, unknown []uint64) error {
	if p.failed != nil {
		return p.failed
	}
	p.sendState()
	sent := make(chan error, 1)
	go func() { sent <- p.codec.send(p.w, p.format, cycles, frames) }()
	err := p.codec.receive(p.r, p.format, cycles, out, unknown)
	if err != nil {
		p.pipe.Close() // lets send return
	}
	if sendErr := <-sent; err == nil {
		err = sendErr
	}
	if err != nil {
		p.failed = p.explain(err)
	}
	return p.failed
}

// explain returns an error with the reason why the child does not respond.
func (p *Process) explain(err error) error {
	ended := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
	if !ended {
		p.cmd.Process.Kill()
	}
	if exit := p.cmd.Wait(); exit != nil && ended {
		err = exit
	}
	return fmt.Errorf("external: %s stopped: %w\n%s", p.kind, err, tail(p.stderr.Bytes(), 2000))
}

// Ports implements sim.Batch and sim.Simulator.
func (p *Process) Ports() []sim.Port { return p.format.Ports }

// RunBlock implements sim.Batch.
func (p *Process) RunBlock(in, out []uint64) error {
	cycles := len(in) / p.format.InWords
	if cycles == 0 {
		return nil
	}
	out = out[:cycles*p.format.OutWords]
	if len(p.unknown) != len(out) {
		p.unknown = make([]uint64, len(out))
	}
	if err := p.request(cycles, in, out, p.unknown); err != nil {
		return err
	}
	p.anyX = !bv.IsZero(p.unknown)
	copy(p.frame, in[len(in)-p.format.InWords:])
	p.dirty = true
	p.cycle += uint64(cycles)
	return nil
}

// Unknown implements sim.Unknowns.
func (p *Process) Unknown() []uint64 {
	if !p.anyX {
		return nil
	}
	return p.unknown
}

// Set implements sim.Simulator.
func (p *Process) Set(port int, value []uint64) {
	for _, x := range p.format.In {
		if x.Port == port {
			v := x.Of(p.frame)
			copy(v, value)
			bv.Mask(v, p.format.Ports[port].Type.Bits())
			p.dirty = true
			return
		}
	}
	panic("external: Set of output " + p.format.Ports[port].Name)
}

// Get implements sim.Simulator. Unknown bits read as 0. After a failure of the child, which Step
// reports, everything reads as 0.
func (p *Process) Get(port int, value []uint64) {
	if p.dirty {
		p.dirty = p.request(0, p.frame, p.outputs, make([]uint64, len(p.outputs))) != nil
	}
	for _, x := range p.format.Out {
		if x.Port == port {
			copy(value, x.Of(p.outputs))
			return
		}
	}
	for _, x := range p.format.In {
		if x.Port == port {
			copy(value, x.Of(p.frame))
		}
	}
}

// SetReset implements sim.Simulator.
func (p *Process) SetReset(on bool) {
	p.frame[0] = 0
	if on {
		p.frame[0] = 1
	}
	p.dirty = true
}

// Step implements sim.Simulator.
func (p *Process) Step() error { return p.RunBlock(p.frame, p.outputs) }

// Cycle implements sim.Simulator.
func (p *Process) Cycle() uint64 { return p.cycle }

// Quiet implements sim.Simulator. It always returns false, because it cannot know.
func (p *Process) Quiet() bool { return false }

// Close terminates the child.
func (p *Process) Close() error {
	if p.failed != nil {
		return nil // the child has exited, which was reported
	}
	p.failed = fmt.Errorf("external: %s is closed", p.kind)
	p.pipe.Close()
	io.Copy(io.Discard, p.r)
	if err := p.cmd.Wait(); err != nil {
		return fmt.Errorf("external: %s: %w\n%s", p.kind, err, tail(p.stderr.Bytes(), 2000))
	}
	return nil
}
