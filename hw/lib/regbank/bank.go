package regbank

import (
	"strings"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/lib/axil"
	"github.com/hotline-rtl/hotline/hw/regmap"
)

// Bank contains the registers of a map in a module. Fields is a value of T with one signal for
// each field of the map.
type Bank[T any] struct {
	Fields T
	*bank
}

// bank is a Bank without its type parameter.
type bank struct {
	m      *hw.Module
	name   string
	regs   *regmap.Map
	bus    axil.Access
	fields map[string]hw.Bits // by Place.Name
	mask   hw.Bits            // the bits with a strobe, unless the map is WholeWords
	whole  hw.Bits            // all strobes are set, if the map is WholeWords
}

// New describes in m the registers of regs, which must be made from T. All names that it declares
// begin with name.
func New[T any](m *hw.Module, name string, regs *regmap.Map, bus axil.Access) Bank[T] {
	b := &bank{m: m, name: name, regs: regs, bus: bus, fields: map[string]hw.Bits{}}
	if width := bus.WriteAddr.Width(); regs.End() > 1<<width {
		m.Errorf("the map %s ends at %#x, which addresses of %d bits do not reach", regs.Name, regs.End(), width)
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

// declare declares the signal of a field.
func (b *bank) declare(p regmap.Place) (x hw.Bits) {
	f := p.Field
	if f.Access.Stores() {
		x = b.m.Reg(p.Name(), f.Bits(), f.Reset)
	} else {
		x = b.m.Wire(p.Name(), f.Bits())
	}
	doc := f.Doc
	if f.Name == "" {
		doc = p.Register.Doc
	}
	b.fields[p.Name()] = x.Doc(strings.TrimSpace(f.Access.String() + " " + doc))
	return x
}

// word is a word of an element of a register.
type word struct {
	regmap.Register
	element, n int
}

// words returns the words for which does is true.
func (b *bank) words(does func(regmap.Register, int) bool) (list []word) {
	for _, r := range b.regs.Registers {
		for i := range r.Elements() {
			for n := range r.Words {
				if does(r, n) {
					list = append(list, word{r, i, n})
				}
			}
		}
	}
	return list
}

// name returns the hardware name of the word: base_lo_2 for base_lo[2].
func (w word) name() string {
	return strings.NewReplacer("[", "_", "]", "").Replace(w.WordName(w.element, w.n))
}

// label returns the offset of a word as a named constant.
func (b *bank) label(w word) hw.Bits {
	return hw.NamedHex(b.name+"_"+w.name(), w.At(w.element, w.n))
}

// field returns the signal of a field of a word.
func (b *bank) field(w word, f regmap.Field) hw.Bits {
	return b.fields[regmap.Place{Register: w.Register, Field: f, Element: w.element}.Name()]
}

// Written returns 1 in a cycle in which software writes the register of x, regardless of the
// value. x must be a writable signal of Fields.
func (b Bank[T]) Written(x hw.Bits) hw.Bits { return b.written(x).Any() }

// WrittenWords returns Written for each writable word of the register, the lowest first.
func (b Bank[T]) WrittenWords(x hw.Bits) hw.Bits { return b.written(x) }

func (b *bank) written(x hw.Bits) hw.Bits {
	for _, p := range b.regs.Places() {
		if b.fields[p.Name()] != x || !p.Field.Access.Writes() {
			continue
		}
		write := b.bus.Write
		if b.regs.WholeWords {
			write = write.And(b.whole)
		}
		var words []hw.Bits
		for n := range p.Register.Words {
			if p.Register.Writes(n) {
				words = append(words, write.And(b.bus.WriteAddr.Eq(b.label(word{p.Register, p.Element, n}))))
			}
		}
		return hw.VecOf(words...).Pack()
	}
	b.m.Errorf("Written: expected a writable field of %s", b.regs.Name)
	return hw.Lit(1, 0)
}
