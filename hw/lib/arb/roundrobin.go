package arb

import "github.com/hotline-rtl/hotline/hw"

// Pick is the lowest request among those that the mask above marks, or, if
// there is none, the lowest of all: one-hot, 0 without a request. All operands
// have the same width.
func Pick(request, above hw.Bits) hw.Bits {
	first := request.And(above)
	return hw.Mux(first.Any(), first, request).Lowest()
}

// Above marks the positions above that of the one-hot grant: the mask for the
// next Pick that gives all others precedence.
func Above(grant hw.Bits) hw.Bits { return grant.Neg().And(grant.Not()) }

// RoundRobin chooses one of N requests.
type RoundRobin struct{ N int }

// RoundRobinPorts are the ports of a RoundRobin: Request and Grant have N bits.
// Grant is one-hot, or 0 without a request, and depends on Request in the same
// cycle. Accept tells that the grant is used: it has lowest priority next.
type RoundRobinPorts struct {
	Request, Accept, Grant hw.Bits
}

// Build describes the arbiter.
func (p RoundRobin) Build(m *hw.Module) RoundRobinPorts {
	m.Doc("Rotating-priority arbiter.")
	io := RoundRobinPorts{Request: m.In("request", p.N), Accept: m.In("accept", 1), Grant: m.Out("grant", p.N)}
	above := m.Reg("above", p.N, 0)
	io.Grant.Set(Pick(io.Request, above))
	m.When(io.Accept.And(io.Request.Any()), func() { above.Set(Above(io.Grant)) })
	if p.N > 1 {
		m.Cover(io.Request.And(io.Request.Dec()).Any(), "several ask at once")
	}
	return io
}
