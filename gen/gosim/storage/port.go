package storage

import (
	"fmt"

	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// PortType returns the Go type of a port's element, and of the port.
func PortType(t ir.Type) string {
	elem := ElemType(t.Width)
	switch {
	case t.Width == 1:
		elem = "bool"
	case t.Width > 64:
		elem = fmt.Sprintf("[%d]uint64", ir.Words(t.Width))
	}
	if t.IsVec() {
		return fmt.Sprintf("[%d]%s", t.Len, elem)
	}
	return elem
}

// PortWords returns the words of a port element.
func PortWords(at *code.Expr, width int) []*code.Expr {
	switch {
	case width == 1:
		return []*code.Expr{code.Bit(at)}
	case width <= 64:
		return []*code.Expr{code.Word(at)}
	}
	return Elements(at, ir.Words(width))
}

// PutPort returns statements that assign words to a port element.
func PutPort(at *code.Expr, width int, x []*code.Expr) (out []code.Stmt) {
	switch {
	case width == 1:
		return []code.Stmt{&code.Assign{To: at, Operator: "=", X: x[0].Differs(code.Zero)}}
	case width <= 64:
		return []code.Stmt{&code.Assign{To: at, Operator: "=", X: code.Call(ElemType(width), x[0])}}
	}
	for i := range x {
		out = append(out, &code.Assign{To: at.At(i), Operator: "=", X: x[i]})
	}
	return out
}
