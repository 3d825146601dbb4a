package sim

import (
	"io"
	"math/rand/v2"
	"slices"
	"strings"
)

// Stimulus produces the inputs of one cycle after another.
type Stimulus interface {
	// Next gives the inputs of the next cycle by changing frame, which holds
	// those of the cycle before, zeros at first. It returns io.EOF at the end.
	Next(frame []uint64) error
}

// Random is an endless Stimulus: bits of ports that shake hands (of one bit, or
// named valid, ready, ...) are 1 with a density that is drawn anew every few
// hundred cycles; other ports change often and take values of several kinds.
// Reset is on at the start and, rarely, later; ports that reset (rst, reset or flr
// in their name) are as rarely 1, or as rarely 0 if they are active low (_n behind the
// name). A clock that is a port has edges like any handshake.
func Random(f *Format, seed uint64) Stimulus {
	r := &random{Rand: rand.New(rand.NewPCG(seed, 0x686f746c696e65)), f: f, reset: 3}
	for _, x := range f.In {
		p := f.Ports[x.Port]
		r.inputs = append(r.inputs, randomInput{Field: x, bits: p.Type.Bits(), handshake: handshake(p), resets: resets(p), activeLow: activeLow(p)})
	}
	return r
}

// resets tells whether p resets the design, or a part of it.
func resets(p Port) bool {
	words := strings.Split(p.Name, "_")
	return p.Type.Bits() == 1 && slices.ContainsFunc(words, func(w string) bool { return w == "rst" || w == "reset" || w == "flr" || w == "aresetn" })
}

// activeLow tells whether a port that resets does so while it is 0.
func activeLow(p Port) bool {
	return strings.HasSuffix(p.Name, "_n") || strings.HasSuffix(p.Name, "aresetn")
}

// handshake tells whether the bits of p say whether something happens.
func handshake(p Port) bool {
	if p.Type.Bits() == 1 {
		return true
	}
	for _, word := range strings.Split(p.Name, "_") {
		switch word {
		case "valid", "ready", "req", "grant", "en", "enable":
			return true
		}
	}
	return false
}

type random struct {
	*rand.Rand
	f      *Format
	inputs []randomInput
	reset  int // cycles that it stays on
}

type randomInput struct {
	Field
	bits      int
	handshake bool
	resets    bool
	activeLow bool
	density   float64 // of ones, or of changes
	left      int     // cycles before the next density
}

func (r *random) Next(frame []uint64) error {
	if r.reset == 0 && r.IntN(1500) == 0 {
		r.reset = 1 + r.IntN(3)
	}
	frame[0] = 0
	if r.reset > 0 {
		frame[0] = 1
		r.reset--
	}
	for i := range r.inputs {
		in := &r.inputs[i]
		if in.left == 0 {
			in.density = []float64{0, 0.05, 0.3, 0.5, 0.8, 0.97, 1}[r.IntN(7)]
			in.left = 20 + r.IntN(400)
			if in.resets {
				in.density = 1. / 1500
			}
			if in.resets && in.activeLow {
				in.density = 1 - in.density
			}
		}
		in.left--
		switch v := in.Of(frame); {
		case in.handshake:
			clear(v)
			for b := range in.bits {
				if r.Float64() < in.density {
					v[b/64] |= 1 << (b % 64)
				}
			}
		case r.Float64() < max(in.density, 0.1):
			r.value(v, in)
		}
	}
	return nil
}

// value draws a new value: any, with few or many ones, the next number, or in
// the low values of its range.
func (r *random) value(v []uint64, in *randomInput) {
	kind := r.IntN(6)
	if kind == 5 {
		v[0]++
	}
	for i := range v {
		switch kind {
		case 0:
			v[i] = r.Uint64() & r.Uint64() & r.Uint64()
		case 1:
			v[i] = r.Uint64() | r.Uint64() | r.Uint64()
		case 2:
			v[i] = 0
			if i == 0 {
				v[i] = r.Uint64N(16)
			}
		case 5:
		default:
			v[i] = r.Uint64()
		}
	}
	if rest := in.bits % 64; rest != 0 {
		v[len(v)-1] &= 1<<rest - 1
	}
}

// Drive applies up to cycles cycles of stimulus to s, clock edges included. It
// stops early without an error when the stimulus ends.
func Drive(s Simulator, stimulus Stimulus, cycles uint64) error {
	f := NewFormat(s.Ports())
	d := newDriver(s, f)
	frame := make([]uint64, f.InWords)
	for range cycles {
		if err := stimulus.Next(frame); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		d.apply(frame)
		if err := s.Step(); err != nil {
			return err
		}
	}
	return nil
}
