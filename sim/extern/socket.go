package extern

import (
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/netlist"
	"github.com/hotline-rtl/hotline/sim/bv"
)

// socket is an instance of an external module with its model.
type socket struct {
	at        netlist.Extern
	behaviour ir.Behaviour
	terminals []*terminal
	through   map[*ir.Signal][]*ir.Signal
	news      []*ir.Signal // inputs that have changed
	begun     bool         // Eval has been called
	ticks     bool         // has a clock edge in this step,
	resets    bool         // with its own reset active
}

func newSocket(x netlist.Extern) *socket {
	s := &socket{at: x, through: x.Module.Through()}
	for i, p := range x.Module.Ports {
		n := ir.Words(p.Type.Bits())
		s.terminals = append(s.terminals, &terminal{sig: p, port: x.Ports[i], input: p.Kind == ir.Input, buf: make([]uint64, n), last: make([]uint64, n)})
	}
	s.behaviour = x.Module.Extern.Model(func(port string) ir.Terminal {
		for _, t := range s.terminals {
			if t.sig.Name == port {
				return t
			}
		}
		panic(fmt.Sprintf("extern: module %s has no port %s", x.Module.Name, port))
	})
	return s
}

// follows reports whether an output may depend on one of the changed inputs.
func (s *socket) follows(output *ir.Signal) bool {
	return slices.ContainsFunc(s.news, func(x *ir.Signal) bool { return slices.Contains(s.through[output], x) || s.actsAtOnce(x) })
}

// actsAtOnce reports whether an input is an asynchronous reset, which affects all outputs.
func (s *socket) actsAtOnce(input *ir.Signal) bool {
	return slices.ContainsFunc(s.at.Module.Domains, func(d *ir.Domain) bool { return d.Async && d.Reset == input })
}

// terminal is a port of a model. It implements ir.Terminal.
type terminal struct {
	sig       *ir.Signal
	port      int // of the engine
	input     bool
	buf, last []uint64
}

// changed reports whether the value has changed since the last call.
func (t *terminal) changed() bool {
	if bv.Equal(t.buf, t.last) {
		return false
	}
	copy(t.last, t.buf)
	return true
}

// Set implements ir.Terminal.
func (t *terminal) Set(v uint64) {
	words := make([]uint64, len(t.buf))
	words[0] = v
	t.SetWords(words)
}

// SetWords implements ir.Terminal. It panics if the value does not fit or the port is an input of
// the model.
func (t *terminal) SetWords(v []uint64) {
	bits, last := t.sig.Type.Bits(), len(t.buf)-1
	switch {
	case t.input:
		panic(fmt.Sprintf("extern: the model drives input %s of module %s", t.sig.Name, t.sig.Scope.Module.Name))
	case len(v) != len(t.buf) || v[last]>>(bits-64*last) != 0:
		panic(fmt.Sprintf("extern: %#x does not fit in port %s of %d bits", v, t.sig.Name, bits))
	}
	copy(t.buf, v)
}

// Get implements ir.Terminal.
func (t *terminal) Get() uint64 { return t.buf[0] }

// Words implements ir.Terminal.
func (t *terminal) Words() []uint64 { return t.buf }
