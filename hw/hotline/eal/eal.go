package eal

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/lib/lanes"
	"github.com/hotline-rtl/hotline/hw/lib/xbar"
)

// EAL is the embedding access logger with its request and answer networks.
type EAL struct{ arch.Params }

// Ports are the ports of an EAL.
//
// An engine has at most Window requests under way, each with a slot of its own.
// Learn holds while one is. In a probe the result tells whether the key is held
// and in which way (0 if not); in learning, whether it was held before the
// access and which way holds it now.
type Ports struct {
	Learn  hw.Bits
	Req    lanes.Lanes // RequestQueues·E, see format.go
	Ans    Answers     // to all engines
	Ready  hw.Bits     // cleared after reset; requests that come earlier wait
	Idle   hw.Bits     // no request queued or under way
	Scan   hw.Bits     // scan_valid: read a set; only while idle
	Bank   hw.Bits     // scan_bank
	Row    hw.Bits     // scan_row
	Blocks hw.Bits     // scan_data: the set, two cycles after Scan and until the next
}

// ModuleName names the module.
func (p EAL) ModuleName() string { return "eal" }

// Build describes the EAL.
func (p EAL) Build(m *hw.Module) Ports {
	m.Doc("Embedding access logger: tracker of hot rows in many banks with SRRIP, and its crossbars.")
	io := Ports{
		Learn:  m.In("learn", 1),
		Req:    lanes.Sink(m, "req", RequestQueues*p.Engines, RequestWidth(p.Params)),
		Ans:    answersOut(m, "ans", p.Engines, p.Params),
		Ready:  m.Out("ready", 1),
		Idle:   m.Out("idle", 1),
		Scan:   m.In("scan_valid", 1),
		Bank:   m.In("scan_bank", p.BankBits()),
		Row:    m.In("scan_row", p.RowBits()),
		Blocks: m.Out("scan_data", SetWidth(p.Params)),
	}
	cleared, clearRow := p.clear(m)
	io.Ready.Set(cleared)
	p.countInFlight(m, io)

	requests := p.requestNetwork(m, io.Req)
	answers := p.answerNetwork(m, io.Ans)
	sets := m.WireVec("set", p.Banks, SetWidth(p.Params))
	m.For("bank", p.Banks, func(b hw.Index) {
		bank := hw.Inst(m, "unit", bank(p))
		bank.Request.Connect(requests.At(b))
		m.For("bank_answer", EngineGroups, func(g hw.Index) {
			answers.At(b.Times(EngineGroups).Add(g)).Connect(bank.Answer.At(g))
		})
		bank.Learn.Set(io.Learn)
		bank.Clear.Set(cleared.Not())
		bank.ClearRow.Set(clearRow)
		bank.Scan.Set(io.Scan.And(io.Bank.Eq(b.Bits(p.BankBits()))))
		bank.ScanRow.Set(io.Row)
		sets.At(b).Set(bank.ScanData)
	})
	p.scan(m, io, sets)
	return io
}

// clear sweeps over the rows once after reset.
func (p EAL) clear(m *hw.Module) (cleared, row hw.Bits) {
	cleared, row = m.Reg("cleared", 1, 0), m.Reg("clear_row", p.RowBits(), 0)
	m.When(cleared.Not(), func() {
		row.Set(row.Inc())
		cleared.Set(row.All())
	})
	return cleared, row
}

// countInFlight keeps the number of requests taken and not yet answered. Those
// of the last cycle are counted one cycle later, to keep the count off the
// arbiters' path.
func (p EAL) countInFlight(m *hw.Module, io Ports) {
	most := p.Engines * p.Window
	taken := m.Reg("taken", RequestQueues*p.Engines, 0)
	count := m.Reg("in_flight", hw.CountWidth(most), 0)
	taken.Set(io.Req.Valid.Pack().And(io.Req.Ready.Pack()))
	in, out := taken.Count(), io.Ans.Valid.Pack().Count()
	width := count.Width()
	count.Set(count.Add(in.Resize(width)).Sub(out.Resize(width)))
	io.Idle.Set(taken.Any().Or(count.Any()).Not())
}

// requestNetwork are the crossbars to the even and to the odd banks. The result
// is the stream to each bank.
func (p EAL) requestNetwork(m *hw.Module, req lanes.Lanes) lanes.Lanes {
	b := bank(p)
	half, banks := p.Engines/EngineGroups, p.Banks/RequestQueues
	destWidth := p.BankBits() - 1
	out := channels(m, "to_bank", p.Banks, b.requestWidth())
	m.For("request_net", RequestQueues, func(q hw.Index) {
		net := hw.Inst(m, "request_xbar", xbar.Xbar{Sources: p.Engines, Dests: banks, Width: b.requestWidth(), Groups: EngineGroups, Depth: p.QueueDepth})
		m.For("engine_group", EngineGroups, func(g hw.Index) {
			m.For("request_source", half, func(j hw.Index) {
				engine := j.Times(EngineGroups).Add(g)
				from := req.At(engine.Times(RequestQueues).Add(q))
				source := g.Times(half).Add(j)
				to := net.In.At(source)
				place := from.Data.Slice(RequestWidth(p.Params)-1, p.SlotBits()) // {tag, row, bank}
				to.Valid.Set(from.Valid)
				from.Ready.Set(to.Ready)
				net.Dest.At(source).Set(place.Trunc(destWidth))
				to.Data.Set(hw.Cat(engine.Bits(arch.Log2(p.Engines)), place.Slice(place.Width()-1, destWidth), from.Data.Trunc(p.SlotBits())))
			})
		})
		m.For("request_dest", banks, func(j hw.Index) {
			out.At(j.Times(RequestQueues).Add(q)).Connect(net.Out.At(j))
		})
	})
	return out
}

// answerNetwork are the crossbars to the even and to the odd engines. The
// result are the streams from the banks: those of bank b for engines of group g
// are number EngineGroups·b + g.
func (p EAL) answerNetwork(m *hw.Module, ans Answers) lanes.Lanes {
	size := p.Banks / AnswerGroups
	in := channels(m, "from_bank", EngineGroups*p.Banks, bank(p).answerWidth())
	m.For("answer_net", EngineGroups, func(g hw.Index) {
		net := hw.Inst(m, "answer_xbar", answers(p))
		m.For("bank_group", AnswerGroups, func(k hw.Index) {
			m.For("answer_source", size, func(i hw.Index) {
				bank := i.Times(AnswerGroups).Add(k)
				from, source := in.At(bank.Times(EngineGroups).Add(g)), k.Times(size).Add(i)
				to := net.In.At(source)
				to.Valid.Set(from.Valid)
				from.Ready.Set(to.Ready)
				to.Data.Set(from.Data.Trunc(AnswerWidth(p.Params)))
				net.Dest.At(source).Set(from.Data.Slice(from.Data.Width()-1, AnswerWidth(p.Params)))
			})
		})
		m.For("answer_dest", p.Engines/EngineGroups, func(j hw.Index) {
			engine := j.Times(EngineGroups).Add(g)
			m.For("answer_port", AnswerGroups, func(k hw.Index) {
				from, to := j.Times(AnswerGroups).Add(k), engine.Times(AnswerGroups).Add(k)
				ans.Valid.At(to).Set(net.Out.Valid.At(from))
				ans.Data.At(to).Set(net.Out.Data.At(from))
			})
		})
	})
	return in
}

// scan brings the set that the scanned bank reads to the port.
func (p EAL) scan(m *hw.Module, io Ports, sets hw.Vec) {
	read, from := m.Data("scan_read", 1), m.Data("scan_from", p.BankBits())
	data := m.Data("scan_set", SetWidth(p.Params))
	read.Set(io.Scan)
	m.When(io.Scan, func() {
		from.Set(io.Bank)
		m.Assert(io.Idle, "the EAL is idle while it is scanned")
	})
	m.When(read, func() { data.Set(sets.Index(from)) })
	io.Blocks.Set(data)
}

// channels are the wires of n streams.
func channels(m *hw.Module, name string, n, width int) lanes.Lanes {
	return lanes.Lanes{Valid: m.WireVec(name+"_valid", n, 1), Ready: m.WireVec(name+"_ready", n, 1), Data: m.WireVec(name+"_data", n, width)}
}
