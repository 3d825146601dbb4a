package div

import "github.com/hotline-rtl/hotline/hw"

// Divider divides unsigned numbers of Width bits, one pair at a time. The result is available
// Width+1 cycles after the operands.
type Divider struct {
	Width int `doc:"operands and results" unit:"bits"`
}

// Operands are a dividend and its divisor.
type Operands struct {
	Dividend hw.Bits `hw:"Width"`
	Divisor  hw.Bits `hw:"Width"`
}

// Result is a quotient, rounded down, and its remainder. For a divisor of 0 they are all ones and
// the dividend.
type Result struct {
	Quotient  hw.Bits `hw:"Width"`
	Remainder hw.Bits `hw:"Width"`
}

// Ports are the two sides of a divider.
type Ports struct {
	Ask  hw.Stream[Operands] `hw:"in" doc:"operands"`
	Tell hw.Stream[Result]   `hw:"out" doc:"their quotient and remainder"`
}

// Build describes the divider.
func (p Divider) Build(m *hw.Module) Ports {
	m.Doc("Divider of unsigned numbers, a bit of the quotient each cycle.")
	io := hw.Ports[Ports](m)
	st := hw.FSM[struct{ Idle, Divide, Done hw.State }](m, "state")
	left := m.Data("left", hw.CountWidth(p.Width))
	by := m.Data("divisor", p.Width)
	// The remaining dividend leaves quotient at the top, and the bits of the quotient enter at the
	// bottom.
	quotient, remainder := m.Data("quotient", p.Width), m.Data("remainder", p.Width)

	taken := hw.Cat(remainder, quotient.Bit(p.Width-1)).As("taken")
	fits := taken.Ge(by.Ext(p.Width + 1)).As("fits")

	io.Ask.Ready.Set(st.Idle.Is())
	io.Tell.Valid.Set(st.Done.Is())
	hw.Set(io.Tell.Data, Result{Quotient: quotient, Remainder: remainder})
	st.Idle.Do(func() {
		m.When(io.Ask.Valid, func() {
			left.Set(hw.Named("width", p.Width))
			by.Set(io.Ask.Data.Divisor)
			quotient.Set(io.Ask.Data.Dividend)
			remainder.Set(hw.K(0))
			st.Divide.Next()
		})
	})
	st.Divide.Do(func() {
		left.Set(left.Dec())
		quotient.Set(quotient.Shl(hw.K(1)).Or(fits.Ext(p.Width)))
		remainder.Set(hw.Mux(fits, taken.Trunc(p.Width).Sub(by), taken.Trunc(p.Width)))
		m.When(left.Eq(hw.K(1)), st.Done.Next)
	})
	st.Done.Do(func() { m.When(io.Tell.Ready, st.Idle.Next) })
	return io
}
