package regbank

import (
	"strings"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/lib/axil"
	"github.com/hotline-rtl/hotline/hw/regmap"
)

// Bank is the registers of a map in a module. Fields is a value of T, of which a field
// stands for each field of the map.
type Bank[T any] struct {
	Fields T
	*bank
}

// bank is a Bank without its type.
type bank struct {
	m      *hw.Module
	name   string
	regs   *regmap.Map
	bus    axil.Access
	fields map[string]hw.Bits // by the names of places
	mask   hw.Bits            // of the bits that a write changes; for maps of whole words none
	whole  hw.Bits            // all strobes are set
}

// New describes the registers of regs, which was made of T, in m. The names of what it
// declares begin with name.
func New[T any](m *hw.Module, name string, regs *regmap.Map, bus axil.Access) Bank[T] {
	b := &bank{m: m, name: name, regs: regs, bus: bus, fields: map[string]hw.Bits{}}
	width := bus.WriteAddr.Width()
	if width < 3 || regs.End() > 1<<width {
		m.Errorf("the map %s ends at %#x, which addresses of %d bits do not reach", regs.Name, regs.End(), width)
		return Bank[T]{bank: b}
	}
	var fields T
	m.Scope(name, func() {
		var err error
		if fields, err = regmap.Fill[T](regs, b.declare); err != nil {
			m.Errorf("%v", err)
		}
		b.writes()
		b.reads()
	})
	return Bank[T]{fields, b}
}

// declare makes the signal of a field.
func (b *bank) declare(p regmap.Place) (x hw.Bits) {
	f := p.Field
	switch {
	case f.Access.Stores():
		x = b.m.Reg(p.Name(), f.Bits(), f.Reset)
	default:
		x = b.m.Wire(p.Name(), f.Bits())
	}
	doc := f.Doc
	if f.Name == "" {
		doc = p.Register.Doc
	}
	b.fields[p.Name()] = x.Doc(strings.TrimSpace(f.Access.String() + " " + doc))
	return x
}

// label is the offset of a word, as a constant with its name.
func (b *bank) label(r regmap.Register, element, word int) hw.Bits {
	return hw.NamedHex(b.name+"_"+identifier(r.WordName(element, word)), r.At(element, word))
}

// identifier is the name of a word as one of hardware: base_lo_2 for base_lo[2].
func identifier(word string) string { return strings.NewReplacer("[", "_", "]", "").Replace(word) }

// words calls f for each word that does what is asked for.
func (b *bank) words(does func(regmap.Register, int) bool, f func(r regmap.Register, element, word int)) {
	for _, r := range b.regs.Registers {
		for i := range r.Elements() {
			for w := range r.Words {
				if does(r, w) {
					f(r, i, w)
				}
			}
		}
	}
}

func (b *bank) field(r regmap.Register, f regmap.Field, element int) hw.Bits {
	return b.fields[regmap.Place{Register: r, Field: f, Element: element}.Name()]
}

// Written is 1 in a cycle in which software writes the register of x, one of Fields that
// can be written, whatever it writes.
func (b Bank[T]) Written(x hw.Bits) hw.Bits { return b.written(x) }

func (b *bank) written(x hw.Bits) hw.Bits {
	for _, p := range b.regs.Places() {
		if b.fields[p.Name()] != x || !p.Field.Access.Writes() {
			continue
		}
		at := hw.Lit(1, 0)
		for w := range p.Register.Words {
			if p.Register.Writes(w) {
				at = at.Or(b.bus.WriteAddr.Eq(b.label(p.Register, p.Element, w)))
			}
		}
		if b.regs.WholeWords {
			at = at.And(b.whole)
		}
		return b.bus.Write.And(at)
	}
	b.m.Errorf("Written of what is no field of %s that can be written", b.regs.Name)
	return hw.Lit(1, 0)
}
