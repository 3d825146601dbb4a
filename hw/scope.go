package hw

import "github.com/hotline-rtl/hotline/hw/ir"

// Scope runs f, which describes hardware of m, and returns its result. The name of the scope
// prefixes all names that f declares: a register last in a scope edge is named edge_last. A
// function that declares something can therefore be called several times in a module. Scopes nest.
func Scope[T any](m *Module, name string, f func() T) (out T) {
	leave := m.enter(name, ir.Caller(0))
	out = f()
	leave()
	return out
}

// Scope runs f, which describes hardware of m, like the function Scope.
func (m *Module) Scope(name string, f func()) {
	leave := m.enter(name, ir.Caller(0))
	f()
	leave()
}

// enter begins a scope and returns the function that ends it.
func (m *Module) enter(name string, pos ir.Pos) (leave func()) {
	m.statement(pos)
	m.checkName("scope", name, pos)
	outer := m.under
	m.under += name + "_"
	return func() { m.under = outer }
}

// twice returns a hint if two calls of a function declared a name at the same line.
func twice(at, pos ir.Pos) string {
	a, b := at.Frames(), pos.Frames()
	if len(a) > 1 && len(b) > 1 && a[0] == b[0] && a[1] != b[1] {
		return "; a function that is called twice needs hw.Scope"
	}
	return ""
}
