package netlist

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/drivers"
)

// frame is one copy of a scope: an instance of a module body, or an iteration of a loop in it.
type frame struct {
	mod    *drivers.Module
	scope  *ir.Scope
	outer  *frame // the enclosing scope's frame; nil for a module body
	iter   int    // iteration of the loop whose body is scope
	up     *frame // module body: the frame that contains the instance; nil for the top
	inst   *ir.Instance
	path   []string
	copy   *Copy
	loops  map[*ir.For][]*frame
	insts  map[*ir.Instance]*frame
	memo   map[*ir.Expr][]Net
	sigs   map[*ir.Signal]*signalNets
	memIDs map[*ir.Mem]int
}

// signalNets are the nets of a signal in a frame, resolved on demand.
type signalNets struct {
	nets  []Net
	state []state
	from  []source // driver of each element
}

type state uint8

const (
	unresolved state = iota
	resolving
	resolved
)

// source is a drive and its frame.
type source struct {
	drive *drivers.Drive
	frame *frame
}

func (b *builder) newFrame(mod *drivers.Module, scope *ir.Scope, path []string, copy *Copy) *frame {
	f := &frame{mod: mod, scope: scope, path: path, copy: copy,
		loops: map[*ir.For][]*frame{}, insts: map[*ir.Instance]*frame{},
		memo: map[*ir.Expr][]Net{}, sigs: map[*ir.Signal]*signalNets{}, memIDs: map[*ir.Mem]int{}}
	b.frames = append(b.frames, f)
	for _, m := range scope.Mems {
		if !b.written[m] && m.Init == nil {
			continue // reads as zero
		}
		f.memIDs[m] = len(b.d.Mems)
		b.d.Mems = append(b.d.Mems, Mem{IR: m, Path: join(f.sub(m.Name)), Copy: copy})
	}
	for _, l := range scope.Fors {
		for i := range l.N {
			c := b.newFrame(mod, l.Body, f.sub(fmt.Sprintf("%s[%d]", l.Name, i)), copy.iteration(l, i))
			c.outer, c.iter = f, i
			f.loops[l] = append(f.loops[l], c)
		}
	}
	for _, in := range scope.Insts {
		m := b.lowered.Modules[in.Of]
		c := b.newFrame(m, m.IR.Body, f.sub(in.Name), copy.instance(in))
		c.up, c.inst = f, in
		f.insts[in] = c
	}
	return f
}

func (f *frame) sub(name string) []string {
	return append(append(make([]string, 0, len(f.path)+1), f.path...), name)
}

// of returns the frame of scope s that contains f.
func (f *frame) of(s *ir.Scope) *frame {
	for f.scope != s {
		f = f.outer
	}
	return f
}

// index evaluates an affine index in f.
func (f *frame) index(a ir.Affine) int {
	return a.At(func(l *ir.For) int { return f.of(l.Body).iter })
}

// signal returns the record of sig, which f's scope declares.
func (f *frame) signal(sig *ir.Signal) *signalNets {
	if s, ok := f.sigs[sig]; ok {
		return s
	}
	n := sig.Type.Count()
	s := &signalNets{nets: make([]Net, n), state: make([]state, n), from: make([]source, n)}
	f.sigs[sig] = s
	for _, d := range f.mod.Drivers[sig] {
		f.attach(s, d, f, d.Scope)
	}
	return s
}

// attach records d as the driver of its elements, for each copy of its scope inside at.
func (f *frame) attach(s *signalNets, d *drivers.Drive, at *frame, scope *ir.Scope) {
	if at.scope == scope {
		if d.LHS.Part {
			s.from[at.index(d.LHS.Index)] = source{d, at}
			return
		}
		for k := range s.from {
			s.from[k] = source{d, at}
		}
		return
	}
	next := scope
	for next.Parent != at.scope {
		next = next.Parent
	}
	for _, c := range at.loops[next.Loop] {
		f.attach(s, d, c, scope)
	}
}

func join(path []string) string {
	s := ""
	for i, p := range path {
		if i > 0 {
			s += "."
		}
		s += p
	}
	return s
}
