package simtest

import "github.com/hotline-rtl/hotline/hw"

// ALU is a registered arithmetic unit with an accumulator. Its state machine waits for a cycle
// after a multiplication.
type ALU struct{ Width int }

// ALUPorts contains the ports of an ALU.
type ALUPorts struct{ Op, A, B, Valid, Ready, Result, Acc hw.Bits }

// Build implements hw.Generator.
func (p ALU) Build(m *hw.Module) ALUPorts {
	io := ALUPorts{Op: m.In("op", 3), A: m.In("a", p.Width), B: m.In("b", p.Width), Valid: m.In("valid", 1),
		Ready: m.Out("ready", 1), Result: m.Out("result", p.Width), Acc: m.Out("acc", p.Width)}
	st := hw.FSM[struct{ Run, Rest hw.State }](m, "state")
	acc, result := m.Reg("acc_q", p.Width, 1), m.Data("result_q", p.Width)
	value := m.Wire("value", p.Width)
	amount := io.B.Trunc(min(p.Width, 8)).As("amount")
	m.Switch(io.Op).
		Case(hw.K(0), func() { value.Set(io.A.Add(io.B)) }).
		Case(hw.K(1), func() { value.Set(io.A.Sub(io.B)) }).
		Case(hw.K(2), func() { value.Set(io.A.Mul(io.B)) }).
		Case(hw.K(3), func() { value.Set(io.A.Shl(amount)) }).
		Case(hw.K(4), func() { value.Set(io.A.ShrS(amount)) }).
		Case(hw.K(5), func() { value.Set(io.A.LtS(io.B).Resize(p.Width)) }).
		Default(func() { value.Set(io.A.RotL(3)) })
	io.Ready.Set(st.Run.Is())
	st.Run.Do(func() {
		m.When(io.Valid, func() {
			result.Set(value)
			acc.Set(acc.Xor(value))
			m.When(io.Op.Eq(hw.K(2)), st.Rest.Next)
		})
	})
	st.Rest.Do(st.Run.Next)
	io.Result.Set(result)
	io.Acc.Set(acc)
	return io
}
