package bench

import (
	"bufio"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"github.com/hotline-rtl/hotline/gen/gosim"
	"io"
	"math/bits"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/top"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
)

//go:embed tap.go.txt
var tapMain string

// interval is a number of cycles that count together or not at all.
const interval = 256

// busyBlock returns the stimulus of a block in the session: the inputs of its instance in the
// accelerator. Intervals count if the block's outputs change at least half as much as in the most
// active interval.
func (b *bench) busyBlock(name string, d *ir.Design) (stimulus, error) {
	if b.taps == nil {
		t, err := b.newTaps()
		if err != nil {
			return stimulus{}, err
		}
		b.taps = t
	}
	defer progress("%s: taking its share of the session", name)()
	f := sim.NewFormat(sim.PortsOf(d))
	source, err := b.taps.of(name, f)
	if err != nil {
		return stimulus{}, err
	}
	counts, err := source.lively(f)
	if err = errors.Join(err, source.Close()); err != nil {
		return stimulus{}, err
	}
	if source, err = b.taps.of(name, f); err != nil {
		return stimulus{}, err
	}
	st, err := b.write(name, "busy", f, source, counts)
	return st, errors.Join(err, source.Close())
}

// lively returns which cycles count.
func (s *tapped) lively(f *sim.Format) ([]bool, error) {
	frame, last := make([]uint64, f.InWords+f.OutWords), make([]uint64, f.InWords+f.OutWords)
	var changes []int // changed output bits, by interval
	cycles := 0
	for ; ; cycles++ {
		if err := s.Next(frame); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		if cycles%interval == 0 {
			changes = append(changes, 0)
		}
		for i := f.InWords; i < len(frame); i++ {
			changes[cycles/interval] += bits.OnesCount64(frame[i] ^ last[i])
		}
		copy(last, frame)
	}
	out := make([]bool, cycles)
	most := slices.Max(append(changes, 0))
	for c := range out {
		out[c] = 2*changes[c/interval] >= most
	}
	return out, nil
}

// taps is a recording of the ports of all blocks in a session.
type taps struct {
	file string
	f    *sim.Format
}

// newTaps records a session. Then it records the ports of the blocks with a model that has them as
// outputs.
func (b *bench) newTaps() (*taps, error) {
	d, err := hw.Elaborate(top.Hotline{Params: arch.Paper()})
	if err != nil {
		return nil, err
	}
	r, err := session(d)
	if err != nil {
		return nil, err
	}
	all, err := b.write(whole, "session", r.format, r.awake(), r.awakeOf(anything))
	if err != nil {
		return nil, err
	}
	defer progress("%s: recording its blocks", whole)()
	if d, err = hw.Elaborate(top.Hotline{Params: arch.Paper()}); err != nil {
		return nil, err
	}
	tap(d)
	files, err := gosim.Generate(d, "design")
	if err != nil {
		return nil, err
	}
	program, err := b.goProgram("taps", "v1", d, files, tapMain, nil)
	if err != nil {
		return nil, err
	}
	t := &taps{filepath.Join(b.Dir, "taps"), sim.NewFormat(sim.PortsOf(d))}
	return t, run(exec.Command(program, all.file, t.file), "")
}

// tap adds the ports of all instances in the top module to its outputs.
func tap(d *ir.Design) {
	m := d.Top
	for _, inst := range m.Body.Insts {
		for _, pin := range inst.Pins {
			out := &ir.Signal{Name: tapName(inst.Name, pin.Pin.Port.Name), Kind: ir.Output, Type: pin.Type, Scope: m.Body, Pos: pin.Pos}
			m.Ports = append(m.Ports, out)
			m.Body.Signals = append(m.Body.Signals, out)
			value := &ir.Expr{Op: ir.Ref, Type: pin.Type, Sig: pin, Pos: pin.Pos}
			m.Body.Stmts = append(m.Body.Stmts, &ir.Assign{LHS: ir.LValue{Sig: out}, RHS: value, Pos: pin.Pos})
		}
	}
}

func tapName(inst, port string) string { return "tap_" + inst + "_" + port }

// of returns the recording of an instance, whose ports have format f. The caller must close it.
func (t *taps) of(inst string, f *sim.Format) (*tapped, error) {
	place := map[string]int{}
	for _, x := range f.In {
		place[tapName(inst, f.Ports[x.Port].Name)] = x.Word
	}
	for _, x := range f.Out {
		place[tapName(inst, f.Ports[x.Port].Name)] = f.InWords + x.Word
	}
	s := &tapped{fields: []tapField{{0, 1}}}
	for _, x := range t.f.Out {
		at, ok := place[t.f.Ports[x.Port].Name]
		if !ok {
			at = -1
		}
		delete(place, t.f.Ports[x.Port].Name)
		s.fields = append(s.fields, tapField{at, x.Words})
	}
	if len(place) > 0 {
		return nil, fmt.Errorf("the accelerator has no instance %s with these ports: %v", inst, place)
	}
	var err error
	s.file, err = os.Open(t.file)
	s.r = bufio.NewReaderSize(s.file, 1<<20)
	return s, err
}

// tapped is a stimulus of the inputs of an instance. Frames that are large enough also contain its
// outputs. For each cycle, the file contains the number of changed fields. For each of them it
// contains the number of the field (0 is the reset, 1 the first output of the model) and its words.
type tapped struct {
	file   *os.File
	r      *bufio.Reader
	fields []tapField
	err    error
}

// tapField is the offset of a field in a frame, or -1, and its number of words.
type tapField struct{ at, words int }

// Next implements sim.Stimulus.
func (s *tapped) Next(frame []uint64) error {
	n := s.word()
	if s.err != nil {
		return s.err
	}
	for range n {
		x := s.fields[s.word()]
		for i := range x.words {
			if w := s.word(); x.at >= 0 && x.at < len(frame) {
				frame[x.at+i] = w
			}
		}
	}
	return s.err
}

// word returns the next word, or zero after the end.
func (s *tapped) word() uint64 {
	var b [8]byte
	if s.err == nil {
		_, s.err = io.ReadFull(s.r, b[:])
	}
	return binary.LittleEndian.Uint64(b[:])
}

// Close closes the file.
func (s *tapped) Close() error { return s.file.Close() }
