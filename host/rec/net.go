package rec

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"iter"
	"math"
	"slices"
)

// Net is the dense part of a DLRM: the parameters of both MLPs.
type Net struct {
	cfg         Config
	bottom, top []layer
}

// NewNet returns a network with the initial values of a seed: weights normal with standard deviation sqrt(2/(in+out)), biases
// with sqrt(1/out), as in the DLRM reference. It returns the error of Config.Validate.
func NewNet(cfg Config, seed uint64) (*Net, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	n := &Net{
		cfg:    cfg,
		bottom: newLayers(cfg.Bottom),
		top:    newLayers(append([]int{cfg.TopIn()}, cfg.Top...)),
	}
	n.init(seed)
	return n, nil
}

// Config returns the model that the network belongs to.
func (n *Net) Config() Config { return n.cfg }

// Clone returns an independent copy, such as the replica of another GPU.
func (n *Net) Clone() *Net {
	c := &Net{cfg: n.cfg, bottom: slices.Clone(n.bottom), top: slices.Clone(n.top)}
	for _, layers := range [][]layer{c.bottom, c.top} {
		for i := range layers {
			layers[i].w, layers[i].b = slices.Clone(layers[i].w), slices.Clone(layers[i].b)
		}
	}
	return c
}

// Params visits the live parameters in a fixed order, as "bottom.0.weight" (out x in, row-major), "bottom.0.bias", ...,
// "top.0.weight", ....
func (n *Net) Params() iter.Seq2[string, []float32] {
	return func(yield func(string, []float32) bool) {
		for _, part := range []struct {
			name   string
			layers []layer
		}{{"bottom", n.bottom}, {"top", n.top}} {
			for i, l := range part.layers {
				if !yield(fmt.Sprintf("%s.%d.weight", part.name, i), l.w) ||
					!yield(fmt.Sprintf("%s.%d.bias", part.name, i), l.b) {
					return
				}
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

// Equal reports whether both networks have the same shape and the same bits.
func (n *Net) Equal(o *Net) bool { return n.Diff(o) == nil }

// Diff returns nil if both networks have the same shape and the same bits, else an error that names the first difference.
func (n *Net) Diff(o *Net) error {
	next, stop := iter.Pull2(o.Params())
	defer stop()
	for name, a := range n.Params() {
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

// FirstDiff returns the first index at which two vectors of equal length differ in a bit, -1 if there is none.
func FirstDiff(a, b []float32) int {
	for i := range a {
		if math.Float32bits(a[i]) != math.Float32bits(b[i]) {
			return i
		}
	}
	return -1
}

// Hash returns the SHA-256, in hexadecimal, of all parameters' names, lengths and bits.
func (n *Net) Hash() string {
	h := sha256.New()
	var buf []byte
	for name, values := range n.Params() {
		fmt.Fprintf(h, "%s %d\n", name, len(values))
		buf = buf[:0]
		for _, v := range values {
			buf = binary.LittleEndian.AppendUint32(buf, math.Float32bits(v))
		}
		h.Write(buf)
	}
	return hex.EncodeToString(h.Sum(nil))
}
