package ir

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// maxHeight limits the nesting of an expression on one line.
const maxHeight = 8

// String returns the text form of d.
func (d *Design) String() string {
	var b strings.Builder
	_ = Print(&b, d) // a Builder never fails
	return b.String()
}

// Hash identifies the content of d, independently of source positions. It returns the SHA-256 of
// the text form in hexadecimal.
func Hash(d *Design) string {
	h := sha256.New()
	_ = Print(h, d) // a hash never fails
	return hex.EncodeToString(h.Sum(nil))
}

// Print writes the text form of d. Equal designs have equal texts.
func Print(w io.Writer, d *Design) error {
	p := &printer{w: bufio.NewWriter(w)}
	for i, m := range d.Modules {
		if i > 0 {
			p.line("")
		}
		p.module("module", m)
	}
	for _, m := range d.Probes {
		p.line("")
		p.module("probe", m)
	}
	return p.w.Flush()
}

type printer struct {
	w      *bufio.Writer
	indent int
	temp   map[*Expr]bool // printed on a line of its own
	number map[*Expr]int  // of the temps printed so far
	seen   map[*Expr]bool // operands already searched for temps
}

func (p *printer) line(format string, args ...any) {
	if format != "" {
		for range p.indent {
			p.w.WriteString("  ")
		}
	}
	fmt.Fprintf(p.w, format, args...)
	p.w.WriteByte('\n')
}

func (p *printer) module(word string, m *Module) {
	p.temp, p.number, p.seen = temps(m), map[*Expr]int{}, map[*Expr]bool{}
	head := word + " " + m.Name + ownText(m.Own)
	if m.Clock {
		head += " clock"
	}
	if m.Reset {
		head += " reset"
	}
	p.line("%s {", head)
	p.indent++
	for _, x := range m.Parameters {
		p.line("%s", parameterText(x))
	}
	if g := m.Generic; g != nil {
		probe := ""
		if g.Probe {
			probe = " probe"
		}
		p.line("generic %s %q %d%s", g.Name, g.Param, g.Value, probe)
	}
	if m.Doc != "" {
		p.line("doc %q", m.Doc)
	}
	if m.Extern != nil {
		for _, l := range externText(m.Extern) {
			p.line("%s", l)
		}
	}
	for _, x := range m.Pads {
		p.line("%s", padText(x))
	}
	for _, e := range m.Enums {
		p.line("%s", enumText(e))
	}
	for _, d := range m.Domains {
		p.line("%s", domainText(d))
	}
	p.scope(m.Body)
	p.indent--
	p.line("}")
}

func parameterText(x Parameter) string {
	s := fmt.Sprintf("parameter %q %q", x.Name, x.Value)
	if x.Generic {
		s += " verilog"
	}
	if x.Doc != "" {
		s += fmt.Sprintf(" meaning %q", x.Doc)
	}
	return s
}

// ownText describes the names and kinds of a module's own clock and reset, where they differ from
// the defaults.
func ownText(o Own) string {
	s := ""
	if o.Clock != "" {
		s += " clk " + o.Clock
	}
	if o.Reset != "" {
		s += " rst " + o.Reset
	}
	return s + kindText(o.Low, o.Async)
}

func kindText(low, async bool) string {
	s := ""
	if low {
		s += " low"
	}
	if async {
		s += " async"
	}
	return s
}

func domainText(d *Domain) string {
	s := "domain " + d.Name()
	if d.Reset != nil {
		s += " reset " + d.Reset.Name + kindText(d.Low, d.Async)
	}
	return s
}

// clockText names the clock that a declaration follows, unless it is the module's own.
func clockText(d *Domain) string {
	if d == nil {
		return ""
	}
	return " clock " + d.Name()
}

func enumText(e *Enum) string {
	s := fmt.Sprintf("enum %s %d", e.Name, e.Width)
	if e.Hex {
		s += " hex"
	}
	for _, v := range e.Values {
		s += fmt.Sprintf(" %s = %s", v.Name, ConstText(e.Width, []uint64{v.Value}))
	}
	return s
}

func (p *printer) scope(s *Scope) {
	for _, in := range s.Insts {
		p.line("inst %s : %s%s%s", in.Name, in.Of.Name, clockText(in.Domain), padsText(in))
	}
	for _, g := range s.Signals {
		p.line("%s", signalText(g))
	}
	for _, m := range s.Mems {
		style := ""
		if m.Style != "" {
			style = " style " + strconv.Quote(m.Style)
		}
		if m.Any {
			style += " any"
		}
		if m.Doc != "" {
			style += " doc " + strconv.Quote(m.Doc)
		}
		p.line("mem %s : %dx%d%s%s", m.Name, m.Depth, m.Width, clockText(m.Domain), style+initText(m))
	}
	for _, l := range s.Fors {
		p.line("for %s %d {", l.Name, l.N)
		p.indent++
		p.scope(l.Body)
		p.indent--
		p.line("}")
	}
	p.stmts(s.Stmts)
}

// initText formats the contents of m up to the last nonzero word.
func initText(m *Mem) string {
	if m.Init == nil {
		return ""
	}
	last := m.Depth - 1
	for last > 0 && isZero(m.InitWord(last)) {
		last--
	}
	var b strings.Builder
	b.WriteString(" init")
	for i := range last + 1 {
		b.WriteString(" " + ConstText(m.Width, m.InitWord(i)))
	}
	return b.String()
}

func isZero(val []uint64) bool {
	return !slices.ContainsFunc(val, func(w uint64) bool { return w != 0 })
}

func signalText(g *Signal) string {
	if g.Pin != nil {
		arrow := "<-"
		if g.Pin.Port.Kind == Input {
			arrow = "->"
		}
		s := fmt.Sprintf("pin %s : %s %s %s.%s", g.Name, g.Type, arrow, g.Pin.Inst.Name, g.Pin.Port.Name)
		if g.Unused {
			s += " unused"
		}
		return s
	}
	s := fmt.Sprintf("%s %s : %s", g.Kind, g.Name, g.Type)
	for _, n := range g.Lens {
		s += fmt.Sprintf(" len %d", n)
	}
	if g.HasReset {
		s += " reset " + ConstText(g.Type.Width, g.Init)
	}
	if s += clockText(g.Domain); g.Crosses != NoCrossing {
		s += " " + g.Crosses.String()
	}
	if g.Unused {
		s += " unused"
	}
	if g.Kept {
		s += " kept"
	}
	if g.Enum != nil {
		s += " enum " + g.Enum.Name
	}
	if g.Group != "" {
		s += " group " + strconv.Quote(g.Group)
	}
	if g.Doc != "" {
		s += " doc " + strconv.Quote(g.Doc)
	}
	return s
}

func (p *printer) block(list []Stmt) {
	p.indent++
	p.stmts(list)
	p.indent--
}

func (p *printer) stmts(list []Stmt) {
	for _, st := range list {
		switch s := st.(type) {
		case *Assign:
			p.define(s.Exprs()...)
			p.line("%s = %s", p.lvalue(s.LHS), p.expr(s.RHS))
		case *When:
			p.when(s)
		case *Switch:
			p.choose(s)
		case *MemWrite:
			p.define(s.Exprs()...)
			mask := ""
			if s.Mask != nil {
				mask = ", " + p.expr(s.Mask)
			}
			p.line("%s[%s%s] = %s", s.Mem.Name, p.expr(s.Addr), mask, p.expr(s.Data))
		case *Assert:
			p.define(s.Cond)
			p.line("%s %s %q%s", s.Kind, p.expr(s.Cond), s.Text, clockText(s.Domain))
		}
	}
}

// when prints a chain of conditions. Their shared expressions are defined before the chain.
func (p *printer) when(s *When) {
	for c := s; c != nil; c = elseWhen(c) {
		p.define(c.Cond)
	}
	p.line("when %s {", p.expr(s.Cond))
	p.block(s.Then)
	for c := elseWhen(s); c != nil; c = elseWhen(c) {
		p.line("} else when %s {", p.expr(c.Cond))
		p.block(c.Then)
		s = c
	}
	if len(s.Else) > 0 {
		p.line("} else {")
		p.block(s.Else)
	}
	p.line("}")
}

// elseWhen returns the When that is the only statement of s.Else, or nil.
func elseWhen(s *When) *When {
	if len(s.Else) != 1 {
		return nil
	}
	w, _ := s.Else[0].(*When)
	return w
}

func (p *printer) choose(s *Switch) {
	p.define(s.Of)
	p.line("switch %s {", p.expr(s.Of))
	p.indent++
	for _, c := range s.Cases {
		vs := make([]string, len(c.Values))
		for i, v := range c.Values {
			vs[i] = p.expr(v)
		}
		p.line("case %s {", strings.Join(vs, ", "))
		p.block(c.Body)
		p.line("}")
	}
	if len(s.Default) > 0 {
		p.line("default {")
		p.block(s.Default)
		p.line("}")
	}
	p.indent--
	p.line("}")
}

func (p *printer) lvalue(l LValue) string {
	s := l.Sig.Name
	switch {
	case l.Part:
		s += "[" + l.Index.String() + "]"
	case l.Dyn != nil:
		s += "[" + p.expr(l.Dyn) + "]"
	}
	if l.Bits > 0 {
		s += fmt.Sprintf("[%d:%d]", l.Lo+l.Bits-1, l.Lo)
	}
	return s
}

// ConstText formats a constant as the text form does: 8'd5 or 40'hffffffffff.
func ConstText(width int, val []uint64) string { return constText(width, val, false) }

func constText(width int, val []uint64, hex bool) string {
	v := new(big.Int)
	for i := len(val) - 1; i >= 0; i-- {
		v.Or(v.Lsh(v, 64), new(big.Int).SetUint64(val[i]))
	}
	if v.BitLen() <= 16 && !hex {
		return fmt.Sprintf("%d'd%d", width, v)
	}
	return fmt.Sprintf("%d'h%x", width, v)
}
