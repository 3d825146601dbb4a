package sim

import (
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/bv"
)

// Format defines the layout of a cycle's port values in frames. An input frame begins with a word
// whose bit 0 is the reset. The input ports follow in order, each in ir.Words(bits) little-endian
// words with unused high bits zero. An output frame contains only the output ports.
type Format struct {
	Ports             []Port
	In, Out           []Field
	InWords, OutWords int // lengths of a frame
}

// Field is the location of a port in a frame.
type Field struct {
	Port        int // index in Ports
	Word, Words int
}

// NewFormat returns the format of the given ports.
func NewFormat(ports []Port) *Format {
	f := &Format{Ports: ports, InWords: 1}
	for i, p := range ports {
		n := ir.Words(p.Type.Bits())
		if p.Input {
			f.In = append(f.In, Field{i, f.InWords, n})
			f.InWords += n
		} else {
			f.Out = append(f.Out, Field{i, f.OutWords, n})
			f.OutWords += n
		}
	}
	return f
}

// Of returns the words of the field in a frame. The result aliases frame.
func (x Field) Of(frame []uint64) []uint64 { return frame[x.Word : x.Word+x.Words] }

// input returns the field of an input port. It panics if the port is an output.
func (f *Format) input(port int) Field {
	for _, x := range f.In {
		if x.Port == port {
			return x
		}
	}
	panic("sim: Set of output " + f.Ports[port].Name)
}

// driver applies input frames to a Simulator and reads output frames.
type driver struct {
	s      Simulator
	f      *Format
	framed Framed   // nil if s is not Framed
	last   []uint64 // frame applied last, used only if framed is nil; nil before the first
}

func newDriver(s Simulator, f *Format) driver {
	d := driver{s: s, f: f}
	d.framed, _ = s.(Framed)
	return d
}

func (d *driver) apply(frame []uint64) {
	if d.framed != nil {
		d.framed.SetFrame(frame)
		return
	}
	first := d.last == nil
	if first {
		d.last = make([]uint64, d.f.InWords)
	}
	if first || frame[0] != d.last[0] {
		d.s.SetReset(frame[0]&1 != 0)
	}
	for _, x := range d.f.In {
		if v := x.Of(frame); first || !bv.Equal(v, x.Of(d.last)) {
			d.s.Set(x.Port, v)
		}
	}
	copy(d.last, frame)
}

func (d *driver) read(frame []uint64) {
	if d.framed != nil {
		d.framed.GetFrame(frame)
		return
	}
	d.f.read(d.s, frame)
}

func (f *Format) read(s Simulator, frame []uint64) {
	for _, x := range f.Out {
		s.Get(x.Port, x.Of(frame))
	}
}
