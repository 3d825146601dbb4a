package syntax

import (
	"fmt"
	"strings"
)

// setting returns the left side, the value and the comment of an item that gives something a
// value. Ranges take wide characters.
func (p *printer) setting(it Item, wide int) (head string, value Expr, comment string) {
	switch it := it.(type) {
	case *DeclItem:
		return declWords[it.Obj.Kind] + column(p.shape(it.Obj), wide) + " " + it.Obj.Name + hints(it.Obj), it.Init, joined(p.as.note(it.Obj), it.Src)
	case *AssignItem:
		return "assign " + p.as.expr(it.Lhs), it.Rhs, it.Src
	}
	panic(fmt.Sprintf("verilog: %T sets nothing", it))
}

// settings prints items that give something a value, with the values in one column.
func (p *printer) settings(list []Item) {
	wide := 0
	for _, it := range list {
		if d, ok := it.(*DeclItem); ok {
			wide = max(wide, len(p.shape(d.Obj)))
		}
	}
	a := aligner{p: p}
	for _, it := range list {
		head, value, src := p.setting(it, wide)
		a.add(head, " = ", value, src)
	}
	a.flush()
}

// aligner prints adjacent assignments with their values in one column.
type aligner struct {
	p   *printer
	row []assignment
}

type assignment struct {
	head, op string
	value    Expr
	src      string
}

// maxPad limits how many blanks alignment may add.
const maxPad = 16

func (a *aligner) add(head, op string, value Expr, src string) {
	a.row = append(a.row, assignment{head, op, value, src})
}

func (a *aligner) flush() {
	for len(a.row) > 0 {
		n, wide := a.run()
		for _, x := range a.row[:n] {
			a.p.statement(fmt.Sprintf("%-*s", wide, x.head)+x.op, x.value, x.src)
		}
		a.row = a.row[n:]
	}
}

// run returns how many of the next assignments share a column, and where it is. An assignment
// that takes several lines is by itself.
func (a *aligner) run() (n, wide int) {
	least := len(a.row[0].head)
	for _, x := range a.row {
		lo, hi := min(least, len(x.head)), max(wide, len(x.head))
		if hi-lo > maxPad || !a.p.fits(x.head+x.op+a.p.as.root(x.value)+";") {
			break
		}
		least, wide = lo, hi
		n++
	}
	return max(n, 1), wide
}

// trimPad removes the blanks that align an operator.
func trimPad(head string) string {
	i := strings.LastIndexByte(strings.TrimRight(head, " "), ' ')
	if i < 0 {
		return head
	}
	return strings.TrimRight(head[:i], " ") + head[i:]
}

// statement prints head, an expression and a semicolon.
func (p *printer) statement(head string, x Expr, src string) {
	if flat := head + p.as.root(x) + ";"; p.fits(flat) {
		p.src(flat, src)
		return
	}
	head = trimPad(head)
	lines := p.as.broken(head, x, maxWidth-p.indent*len(tab)-len(";"))
	p.statementLines(lines, ";", src)
}
