package sim

import (
	"io"
	"math/rand/v2"
	"slices"
	"strings"
)

// Stimulus generates the inputs of consecutive cycles.
type Stimulus interface {
	// Next updates frame from the inputs of the previous cycle, initially zero, to the inputs of
	// the next cycle. It returns io.EOF at the end.
	Next(frame []uint64) error
}

// Random returns an endless pseudo-random Stimulus.
//
// Handshake bits are 1 with a density that is resampled every few hundred cycles. These are one-bit
// ports and ports named valid, ready and so on. Other ports change often, with values from several
// distributions.
//
// The reset is on at the start and, rarely, later. Reset ports, with a word such as rst, arst,
// reset, resetn or flr in the name, are active as rarely; an active-low reset port (suffix _n, rstn
// or resetn) is 0 then. A clock port has edges like any handshake.
func Random(f *Format, seed uint64) Stimulus {
	r := &random{Rand: rand.New(rand.NewPCG(seed, 0x686f746c696e65)), f: f, reset: 3}
	for _, x := range f.In {
		p := f.Ports[x.Port]
		r.inputs = append(r.inputs, randomInput{Field: x, bits: p.Type.Bits(), handshake: handshake(p), resets: resets(p), activeLow: activeLow(p)})
	}
	return r
}

// resets reports whether p resets the design, or a part of it.
func resets(p Port) bool {
	words := strings.Split(p.Name, "_")
	return p.Type.Bits() == 1 && slices.ContainsFunc(words, func(w string) bool {
		w = strings.TrimPrefix(strings.TrimSuffix(w, "n"), "a")
		return w == "rst" || w == "reset" || w == "flr"
	})
}

// activeLow reports whether a reset port is active while it is 0.
func activeLow(p Port) bool {
	return strings.HasSuffix(p.Name, "_n") || strings.HasSuffix(p.Name, "rstn") || strings.HasSuffix(p.Name, "resetn")
}

// handshake reports whether the bits of p are handshake bits.
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
	reset  int // remaining cycles of an active reset
}

type randomInput struct {
	Field
	bits      int
	handshake bool
	resets    bool
	activeLow bool
	density   float64 // of ones, or of changes
	left      int     // cycles until the density is resampled
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

// value sets v to a new value: uniformly random, with few or many ones, the successor of the old
// value, or a small number.
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

// Drive runs up to the given number of cycles of stimulus on s, including clock edges. It returns
// nil early if the stimulus ends.
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
