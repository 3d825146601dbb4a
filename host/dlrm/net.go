package dlrm

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"iter"
	"math"
	"slices"
)

// Net is the dense part of a model: the parameters of its MLPs and their optimiser state.
type Net struct {
	cfg    Config
	layers [][]layer   // of each part
	state  [][]float32 // of the parameters, in the order of Tensors
}

// NewNet returns a network with the initial values of a seed. Weights are normal with standard
// deviation sqrt(2/(in+out)), biases with sqrt(1/out), as in the DLRM reference. It returns the
// error of Config.Validate.
func NewNet(cfg Config, seed uint64) (*Net, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	n := &Net{cfg: cfg}
	for part, widths := range cfg.widths() {
		n.layers = append(n.layers, newLayers(widths))
		if part == inner {
			n.layers[part][0].b = nil
		}
	}
	n.init(seed)
	for _, values := range n.Params() {
		n.state = append(n.state, make([]float32, cfg.Optimiser.StateLen(len(values))))
	}
	return n, nil
}

// Config returns the network's model.
func (n *Net) Config() Config { return n.cfg }

// Clone returns an independent copy, such as the replica of another GPU.
func (n *Net) Clone() *Net {
	c := &Net{cfg: n.cfg}
	for _, layers := range n.layers {
		layers = slices.Clone(layers)
		for i := range layers {
			layers[i].w, layers[i].b = slices.Clone(layers[i].w), slices.Clone(layers[i].b)
		}
		c.layers = append(c.layers, layers)
	}
	for _, state := range n.state {
		c.state = append(c.state, slices.Clone(state))
	}
	return c
}

// Tensor is a parameter of a network. Values and State are not copies.
type Tensor struct {
	Name   string
	Shape  []int // of Values: out x in for a weight, row-major; out for a bias
	Values []float32
	State  []float32 // optimiser state: StateLen values
}

// Tensors visits the parameters in a fixed order, as "bottom.0.weight", "bottom.0.bias", ...,
// "top.0.weight", .... A TBSM also has "inner.0.weight", without bias, "attention.0.weight", ...,
// "head.0.weight", ....
func (n *Net) Tensors() iter.Seq[Tensor] {
	return func(yield func(Tensor) bool) {
		next := 0
		visit := func(part, i int, kind string, values []float32, shape ...int) bool {
			t := Tensor{fmt.Sprintf("%s.%d.%s", partNames[part], i, kind), shape, values, nil}
			if next < len(n.state) {
				t.State = n.state[next]
			}
			next++
			return yield(t)
		}
		for part, layers := range n.layers {
			for i, l := range layers {
				if !visit(part, i, "weight", l.w, l.out, l.in) || l.b != nil && !visit(part, i, "bias", l.b, l.out) {
					return
				}
			}
		}
	}
}

// Params visits the names and values of the Tensors.
func (n *Net) Params() iter.Seq2[string, []float32] {
	return func(yield func(string, []float32) bool) {
		for t := range n.Tensors() {
			if !yield(t.Name, t.Values) {
				return
			}
		}
	}
}

// all visits the parameters, each followed by its optimiser state, if any.
func (n *Net) all() iter.Seq2[string, []float32] {
	return func(yield func(string, []float32) bool) {
		for t := range n.Tensors() {
			if !yield(t.Name, t.Values) || len(t.State) > 0 && !yield("optimiser state of "+t.Name, t.State) {
				return
			}
		}
	}
}

// Len returns the number of dense parameters.
func (n *Net) Len() int {
	total := 0
	for _, values := range n.Params() {
		total += len(values)
	}
	return total
}

// Equal reports whether both networks have the same shape and the same bits, including the
// optimiser state.
func (n *Net) Equal(o *Net) bool { return n.Diff(o) == nil }

// Diff returns nil if both networks are Equal, or an error that names the first difference.
func (n *Net) Diff(o *Net) error {
	next, stop := iter.Pull2(o.all())
	defer stop()
	for name, a := range n.all() {
		other, b, _ := next()
		if other != name || len(a) != len(b) {
			return fmt.Errorf("%s has %d values, the other network has %q with %d", name, len(a), other, len(b))
		}
		if i := FirstDiff(a, b); i >= 0 {
			return fmt.Errorf("%s[%d] is %v (%#08x), in the other network %v (%#08x)",
				name, i, a[i], math.Float32bits(a[i]), b[i], math.Float32bits(b[i]))
		}
	}
	if name, b, more := next(); more {
		return fmt.Errorf("the other network also has %s with %d values", name, len(b))
	}
	return nil
}

// FirstDiff returns the first index at which two vectors of equal length differ in a bit, or -1.
func FirstDiff(a, b []float32) int {
	for i := range a {
		if math.Float32bits(a[i]) != math.Float32bits(b[i]) {
			return i
		}
	}
	return -1
}

// Hash returns the SHA-256, in hexadecimal, of the names, lengths and bits of all values that Diff
// compares.
func (n *Net) Hash() string {
	h := sha256.New()
	var buf []byte
	for name, values := range n.all() {
		fmt.Fprintf(h, "%s %d\n", name, len(values))
		buf = buf[:0]
		for _, v := range values {
			buf = binary.LittleEndian.AppendUint32(buf, math.Float32bits(v))
		}
		h.Write(buf)
	}
	return hex.EncodeToString(h.Sum(nil))
}
