package netlist

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/drivers"
)

// Flatten flattens d. The problems are its combinational loops.
func Flatten(d *drivers.Design) (*Design, []ir.Problem) {
	b := newBuilder(d, true)
	b.registers()
	b.d.Prune()
	return b.d, b.problems
}

// FlattenAll flattens d like Flatten, but keeps every named signal in Design.Vars.
func FlattenAll(d *drivers.Design) (*Design, []ir.Problem) {
	b := newBuilder(d, true)
	b.signals(func(f *frame, s *ir.Signal, nets []Net) {
		b.d.Vars = append(b.d.Vars, Var{Path: f.sub(s.Name), Sig: s, Nets: nets})
	})
	b.registers()
	b.d.Prune()
	return b.d, b.problems
}

// Loops returns the combinational loops of d, including loops in logic without an observable
// effect.
func Loops(d *drivers.Design) []ir.Problem {
	b := newBuilder(d, false)
	b.signals(func(*frame, *ir.Signal, []Net) {})
	b.registers()
	return b.problems
}

type builder struct {
	lowered  *drivers.Design
	models   bool // external modules are left to models
	d        *Design
	frames   []*frame // parents before children, iterations in order
	written  map[*ir.Mem]bool
	consts   map[string]Net
	fixed    map[Net][]uint64 // values of constants
	cuts     map[Net]cut      // results of Slice
	joins    map[Net][]Net    // operands of Concat
	scalars  map[scalarOp]Net // operations by code and operands
	shared   map[string][]Net // operations that do not fit scalarOp
	stack    []visit          // signals being resolved
	problems []ir.Problem
	looped   map[*ir.Signal]bool
	pending  []visit // the register element of each entry of d.Regs

	expressions map[any]*ir.Expr // see builder.made
}

// visit is a signal element that is being resolved.
type visit struct {
	frame *frame
	sig   *ir.Signal
	elem  int
}

// scalarOp identifies an operation with one result and at most three operands.
type scalarOp struct {
	code      ir.Op
	width, lo int32
	args      [3]Net // net plus 1; 0 for none
}

// newBuilder resolves the inputs of ports, memories, assertions and kept registers. models selects
// whether external modules are left to their models or represented by their placeholder bodies.
func newBuilder(lowered *drivers.Design, models bool) *builder {
	b := &builder{lowered: lowered, models: models, d: &Design{Top: lowered.IR.Top},
		written: map[*ir.Mem]bool{}, consts: map[string]Net{}, fixed: map[Net][]uint64{}, cuts: map[Net]cut{}, joins: map[Net][]Net{},
		scalars: map[scalarOp]Net{}, shared: map[string][]Net{}, looped: map[*ir.Signal]bool{}, expressions: map[any]*ir.Expr{}}
	for _, m := range lowered.Modules {
		for _, s := range m.Scopes {
			for _, w := range s.Writes {
				b.written[w.Mem] = true
			}
		}
	}
	mod := lowered.Modules[lowered.IR.Top]
	top := b.newFrame(mod, mod.IR.Body, nil, &Copy{})
	for _, p := range mod.IR.Ports {
		b.d.Ports = append(b.d.Ports, Var{Path: []string{p.Name}, Sig: p, Nets: b.all(top, p)})
	}
	b.effects()
	if models {
		b.externs()
	}
	return b
}

// effects resolves the inputs of memory writes, assertions and kept registers.
func (b *builder) effects() {
	for _, f := range b.frames {
		s := f.mod.Scopes[f.scope]
		for _, g := range f.scope.Signals {
			if g.Kept {
				b.all(f, g)
			}
		}
		for _, w := range s.Writes {
			b.d.Writes = append(b.d.Writes, Write{
				Mem: f.memIDs[w.Mem], Enable: b.ticking(f, w.Mem.Domain, w, w.Pos, b.scalar(f, w.Enable)), Addr: b.scalar(f, w.Addr), Data: b.scalar(f, w.Data), Copy: f.copy})
		}
		for _, c := range s.Checks {
			b.d.Checks = append(b.d.Checks, Check{Enable: b.enable(f, c), Cond: b.scalar(f, c.Cond), Text: c.Text, Path: join(f.path), Pos: c.Pos, Copy: f.copy})
		}
	}
}

// signals calls f for all signals of the design.
func (b *builder) signals(f func(*frame, *ir.Signal, []Net)) {
	for _, fr := range b.frames {
		for _, s := range fr.scope.Signals {
			if !b.modelled(fr) || s.Kind != ir.Reg {
				f(fr, s, b.all(fr, s))
			}
		}
	}
}

// registers computes the next values of all reached registers, which may reach further registers.
func (b *builder) registers() {
	for i := 0; i < len(b.d.Regs); i++ {
		r := b.pending[i]
		src := r.frame.signal(r.sig).from[r.elem]
		b.follow(i, b.driven(src, r.elem))
	}
}

func (b *builder) newNet(width int) Net {
	b.d.Width = append(b.d.Width, int32(width))
	return Net(len(b.d.Width) - 1)
}

// constNet returns the net of a constant.
func (b *builder) constNet(width int, val []uint64) Net {
	key := binary.AppendVarint(nil, int64(width))
	for _, w := range val {
		key = binary.LittleEndian.AppendUint64(key, w)
	}
	if n, ok := b.consts[string(key)]; ok {
		return n
	}
	n := b.newNet(width)
	b.consts[string(key)], b.fixed[n] = n, val
	b.d.Consts = append(b.d.Consts, Const{n, val})
	return n
}

// allSet reports whether all bits of n are constant ones.
func (b *builder) allSet(n Net) bool {
	set := 0
	for _, w := range b.fixed[n] {
		set += bits.OnesCount64(w)
	}
	return set == int(b.d.Width[n])
}

// origin is the source of an operation: an element of an expression in a frame.
type origin struct {
	f    *frame
	e    *ir.Expr
	elem int
}

// emit adds an operation with nout results of width bits, or returns an equal existing operation.
func (b *builder) emit(from origin, code ir.Op, width, nout, lo int, args ...Net) []Net {
	key := make([]byte, 0, 64)
	for _, k := range []int{int(code), width, nout, lo} {
		key = binary.AppendVarint(key, int64(k))
	}
	for _, a := range args {
		key = binary.AppendVarint(key, int64(a))
	}
	if out, ok := b.shared[string(key)]; ok {
		return out
	}
	out := b.operation(from, code, width, nout, lo, args)
	b.shared[string(key)] = out
	return out
}

// one calls emit for a single result. It is faster for operations with few operands.
func (b *builder) one(from origin, code ir.Op, width, lo int, args ...Net) Net {
	if len(args) > len(scalarOp{}.args) {
		return b.emit(from, code, width, 1, lo, args...)[0]
	}
	key := scalarOp{code: code, width: int32(width), lo: int32(lo)}
	for i, a := range args {
		key.args[i] = a + 1
	}
	if n, ok := b.scalars[key]; ok {
		return n
	}
	n := b.operation(from, code, width, 1, lo, slices.Clone(args))[0]
	b.scalars[key] = n
	return n
}

func (b *builder) operation(from origin, code ir.Op, width, nout, lo int, args []Net) []Net {
	out := make([]Net, nout)
	for i := range out {
		out[i] = b.newNet(width)
	}
	b.d.Ops = append(b.d.Ops, Op{Code: code, Out: out[0], NOut: int32(nout), Lo: int32(lo), Args: args,
		From: from.e, Copy: from.f.copy, Elem: int32(from.elem)})
	return out
}

// all returns the nets of sig, which f's scope declares.
func (b *builder) all(f *frame, sig *ir.Signal) []Net {
	out := make([]Net, sig.Type.Count())
	for k := range out {
		out[k] = b.element(f, sig, k)
	}
	return out
}

// element returns the net of element k of sig, which f's scope declares.
func (b *builder) element(f *frame, sig *ir.Signal, k int) Net {
	s := f.signal(sig)
	switch s.state[k] {
	case resolved:
		return s.nets[k]
	case resolving:
		b.loop(visit{f, sig, k})
		return b.constNet(sig.Type.Width, make([]uint64, ir.Words(sig.Type.Width)))
	}
	if sig.Kind == ir.Reg {
		q := b.newNet(sig.Type.Width)
		path := join(f.sub(sig.Name))
		if sig.Type.IsVec() {
			path += fmt.Sprintf("[%d]", k)
		}
		b.d.Regs = append(b.d.Regs, Reg{Q: q, D: None, Clear: None, Reset: sig.HasReset, Init: sig.Init, Path: path, Sig: sig, Copy: f.copy, Elem: int32(k)})
		b.pending = append(b.pending, visit{f, sig, k})
		return b.resolving(f, sig, s, k, func() Net { return b.present(f, sig, k, q) })
	}
	return b.resolving(f, sig, s, k, func() Net { return b.resolve(f, sig, s, k) })
}

// resolving marks element k of sig as in progress while find determines its net.
func (b *builder) resolving(f *frame, sig *ir.Signal, s *signalNets, k int, find func() Net) Net {
	s.state[k] = resolving
	b.stack = append(b.stack, visit{f, sig, k})
	n := find()
	b.stack = b.stack[:len(b.stack)-1]
	s.state[k], s.nets[k] = resolved, n
	return n
}

// resolve follows a wire or port to its driver.
func (b *builder) resolve(f *frame, sig *ir.Signal, s *signalNets, k int) Net {
	switch {
	case sig.Pin != nil && sig.Pin.Port.Kind == ir.Output:
		return b.element(f.insts[sig.Pin.Inst], sig.Pin.Port, k)
	case sig.Kind == ir.Input && f.up != nil:
		for i, p := range f.mod.IR.Ports {
			if p == sig {
				return b.element(f.up, f.inst.Pins[i], k)
			}
		}
		panic("netlist: port " + sig.Name + " is not in the port list")
	case sig.Kind == ir.Input, b.modelled(f):
		return b.newNet(sig.Type.Width)
	}
	return b.driven(s.from[k], k)
}

// driven returns the net of the value that src assigns to element k.
func (b *builder) driven(src source, k int) Net {
	if src.drive.LHS.Part {
		return b.scalar(src.frame, src.drive.Value)
	}
	return b.elementOf(src.frame, src.drive.Value, k)
}

// loop reports the signals from the first visit of v to the top of the stack.
func (b *builder) loop(v visit) {
	start := slices.Index(b.stack, v)
	cycle := b.stack[start:]
	for _, c := range cycle {
		if b.looped[c.sig] { // one report for each loop
			return
		}
	}
	var hops []string
	for _, c := range append(slices.Clone(cycle), v) {
		b.looped[c.sig] = true
		name := join(c.frame.sub(c.sig.Name))
		if c.sig.Type.IsVec() {
			name += fmt.Sprintf("[%d]", c.elem)
		}
		hops = append(hops, fmt.Sprintf("%s (%s)", name, c.sig.Pos))
	}
	b.problems = append(b.problems, ir.Problem{ID: "loop", Module: v.frame.mod.IR.Name, Pos: v.sig.Pos,
		Text: "combinational loop: " + strings.Join(hops, " <- ")})
}
