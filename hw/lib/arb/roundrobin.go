package arb

import "github.com/hotline-rtl/hotline/hw"

// Pick returns the lowest request among those marked by the mask above, or else the lowest
// request. The result is one-hot, or 0 without a request. All operands have the same width.
func Pick(request, above hw.Bits) hw.Bits {
	first := request.And(above)
	return hw.Mux(first.Any(), first, request).Lowest()
}

// Above returns a mask of the positions above the one-hot grant. As the mask of the next Pick, it
// gives all other positions precedence.
func Above(grant hw.Bits) hw.Bits { return grant.Neg().And(grant.Not()) }

// RoundRobin selects one of N requests.
type RoundRobin struct {
	N int `doc:"requests"`
}

// RoundRobinPorts are the ports of a RoundRobin. Request and Grant have N bits. Grant is one-hot,
// or 0 without a request, and depends combinationally on Request. Accept indicates that the grant
// is used; the granted position then has the lowest priority.
type RoundRobinPorts struct {
	Request, Accept, Grant hw.Bits
}

// Build describes the arbiter.
func (p RoundRobin) Build(m *hw.Module) RoundRobinPorts {
	m.Doc("Rotating-priority arbiter.")
	io := RoundRobinPorts{
		Request: m.In("request", p.N).Doc("by requester"),
		Accept:  m.In("accept", 1).Doc("the grant is used"),
		Grant:   m.Out("grant", p.N).Doc("one-hot; 0 without a request"),
	}
	above := m.Reg("above", p.N, 0)
	io.Grant.Set(Pick(io.Request, above))
	m.When(io.Accept.And(io.Request.Any()), func() { above.Set(Above(io.Grant)) })
	if p.N > 1 {
		m.Cover(io.Request.And(io.Request.Dec()).Any(), "several ask at once")
	}
	return io
}
