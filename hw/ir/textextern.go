package ir

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
)

func externText(x *Extern) []string {
	out := []string{fmt.Sprintf("extern %q", x.Module)}
	for _, p := range x.Params {
		out = append(out, fmt.Sprintf("param %q %s", p.Name, p.Verilog()))
	}
	for _, s := range x.Sources {
		out = append(out, fmt.Sprintf("source %q %q", s.Name, s.Text))
	}
	return out
}

// extern parses an external module after the keyword.
func (p *parser) extern() *Extern {
	x := &Extern{Module: p.text()}
	for p.peek().text == "param" && p.ahead().kind == stringToken {
		p.take()
		param := Param{Name: p.text()}
		if p.peek().kind == stringToken {
			text := p.text()
			param.Text = &text
		} else {
			param.Number = p.signed()
		}
		x.Params = append(x.Params, param)
	}
	for p.peek().text == "source" && p.ahead().kind == stringToken {
		p.take()
		x.Sources = append(x.Sources, Source{p.text(), p.text()})
	}
	return x
}

// signed parses a 64-bit number.
func (p *parser) signed() int64 {
	t := p.expect(numberToken, "a number or a string")
	n, ok := new(big.Int).SetString(t.text, 10)
	if !ok || !n.IsInt64() {
		p.failf(t, "the number %s is out of range", t.text)
	}
	return n.Int64()
}

func padText(p *Pad) string {
	s := fmt.Sprintf("pad %s : %d", p.Name, p.Width)
	if p.Doc != "" {
		s += " doc " + strconv.Quote(p.Doc)
	}
	return s
}

// padsText lists the pads of the module that the pads of in are connected to.
func padsText(in *Instance) string {
	s := ""
	for i, p := range in.Pads {
		if i == 0 {
			s = " pads"
		}
		s += " " + p.Name
	}
	return s
}

// pad parses a pad of the module.
func (p *parser) pad() {
	p.take()
	x := &Pad{Name: p.name("pad")}
	p.word(":")
	x.Width = p.number("a width")
	if p.have("doc") {
		x.Doc = p.text()
	}
	p.mod.Pads = append(p.mod.Pads, x)
}

// pads parses the pads of the module that the pads of in are connected to.
func (p *parser) pads(in *Instance) {
	if len(in.Of.Pads) == 0 {
		return
	}
	p.word("pads")
	for range in.Of.Pads {
		t := p.expect(nameToken, "the name of a pad")
		i := slices.IndexFunc(p.mod.Pads, func(x *Pad) bool { return x.Name == t.text })
		if i < 0 {
			p.failf(t, "pad %s is not declared before its use", t.text)
		}
		in.Pads = append(in.Pads, p.mod.Pads[i])
	}
}
