package eal

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// EAL is the embedding access logger. All sizes but TagBits are powers of two.
type EAL struct {
	Engines int // lookup engines
	Banks   int
	Sets    int // of all banks
	Ways    int
	TagBits int
	Window  int // requests under way per engine
	Depth   int // of each of a bank's two queues of requests
}

// Of is the EAL of an accelerator.
func Of(p arch.Params) EAL {
	return EAL{Engines: p.Engines, Banks: p.Banks, Sets: p.Sets(), Ways: p.Ways, TagBits: p.TagBits, Window: p.Window, Depth: p.QueueDepth}
}

// Ports are the ports of an EAL.
//
// An engine has at most Window requests under way, each with a ticket of its own.
// Learn holds while one is. In a probe the result tells whether the key is held
// and in which way (0 if not); in learning, whether it was held before the
// access and which way holds it now. Sets are scanned only while the EAL is idle. When
// a stretch begins, no set has changed in it; all sets are scanned in each stretch.
type Ports struct {
	Learn   hw.Bits                      `hw:"in" doc:"1: requests learn, 0: they probe"`
	Stretch hw.Bits                      `hw:"in" doc:"number of the stretch of learning, modulo 2"`
	Request hw.Array[hw.Stream[Request]] `hw:"in,len=RequestPorts"`
	Answer  hw.Array[Reply]              `hw:"out,len=AnswerPorts"`
	Ready   hw.Bits                      `hw:"out" doc:"cleared after reset; requests that come earlier wait"`
	Idle    hw.Bits                      `hw:"out" doc:"no request queued or under way"`
	Scan    Scan                         `hw:"in"`
}

// RequestPorts is the number of requests that may come in a cycle.
func (p EAL) RequestPorts() int { return RequestQueues * p.Engines }

// AnswerPorts is the number of answers that may leave in a cycle.
func (p EAL) AnswerPorts() int { return AnswerGroups * p.Engines }

// BankAnswers is the number of answers that banks may offer in a cycle.
func (p EAL) BankAnswers() int { return EngineGroups * p.Banks }

// EngineBits is the width of an engine's number.
func (p EAL) EngineBits() int { return arch.Log2(p.Engines) }

// BankBits is the width of a bank's number.
func (p EAL) BankBits() int { return arch.Log2(p.Banks) }

// SetBits is the width of the number of a set in its bank.
func (p EAL) SetBits() int { return arch.Log2(p.Sets / p.Banks) }

// KeyBits is the width of a key.
func (p EAL) KeyBits() int { return arch.Log2(p.Sets) + p.TagBits }

// TicketBits is the width of a ticket.
func (p EAL) TicketBits() int { return arch.Log2(p.Window) }

// WayBits is the width of a way's number.
func (p EAL) WayBits() int { return arch.Log2(p.Ways) }

// BlockBits is the width of a block, packed.
func (p EAL) BlockBits() int { return hw.Of[Block](p).Bits() }

// fromBanks are the answers of all banks: those of bank b for engines of group g
// are number EngineGroups·b + g.
type fromBanks struct {
	Answers hw.Array[hw.Stream[addressed]] `hw:"inline,len=BankAnswers"`
}

// Build describes the EAL.
func (p EAL) Build(m *hw.Module) Ports {
	m.Doc("Embedding access logger: tracker of hot rows in many banks with SRRIP, and its crossbars.")
	io := hw.Ports[Ports](m)
	control := hw.Inst(m, "controller", ealController{Engines: p.Engines, SetBits: p.SetBits(), Window: p.Window})
	control.Taken.Set(hw.Valids(io.Request).Pack().And(hw.Readies(io.Request).Pack()))
	control.Answered.Set(io.Answer.Vec(func(r Reply) hw.Bits { return r.Valid }).Pack())
	io.Ready.Set(control.Ready)
	io.Idle.Set(control.Idle)

	queue := hw.Inst(m, "queue", ealQueue{Engines: p.Engines, Banks: p.Banks, TagBits: p.TagBits, SetBits: p.SetBits(), TicketBits: p.TicketBits(), Depth: p.Depth})
	hw.Connect(queue.Request, io.Request)
	answers := p.answerNetwork(m, io.Answer)
	changed, sets := m.WireVec("changed", p.Banks, 1), m.WireVec("scanned", p.Banks, p.Ways*p.BlockBits())
	unit := ealBank{EngineBits: p.EngineBits(), TagBits: p.TagBits, SetBits: p.SetBits(), TicketBits: p.TicketBits(), Ways: p.Ways}
	m.For("bank", p.Banks, func(b hw.Index) {
		bank := hw.Inst(m, "unit", unit)
		hw.Connect(bank.Access, queue.Access.At(b))
		m.For("bank_answer", EngineGroups, func(g hw.Index) {
			hw.Connect(answers.At(b.Times(EngineGroups).Add(g)), bank.Answer.At(g))
		})
		bank.Learn.Set(io.Learn)
		bank.Clear.Set(control.Clear)
		bank.ClearSet.Set(control.ClearSet)
		bank.Stretch.Set(io.Stretch)
		bank.Scan.Set(io.Scan.Valid)
		bank.ScanSet.Set(io.Scan.Set)
		changed.At(b).Set(bank.Changed)
		sets.At(b).Set(bank.Scanned.Pack())
	})
	io.Scan.Changed.Set(changed.Pack())
	p.show(m, io, sets)
	return io
}

// answerNetwork are the crossbars to the even and to the odd engines. The
// result are the streams from the banks.
func (p EAL) answerNetwork(m *hw.Module, out hw.Array[Reply]) hw.Array[hw.Stream[addressed]] {
	size := p.Banks / AnswerGroups
	in := hw.Wire[fromBanks](m, "from_bank").Answers
	m.For("answer_net", EngineGroups, func(g hw.Index) {
		net := hw.Inst(m, "answer_xbar", ealAnswers{Engines: p.Engines, Banks: p.Banks, TicketBits: p.TicketBits(), WayBits: p.WayBits()})
		m.For("bank_group", AnswerGroups, func(k hw.Index) {
			m.For("answer_source", size, func(i hw.Index) {
				bank := i.Times(AnswerGroups).Add(k)
				hw.Connect(net.In.At(k.Times(size).Add(i)), in.At(bank.Times(EngineGroups).Add(g)))
			})
		})
		m.For("answer_dest", p.Engines/EngineGroups, func(j hw.Index) {
			engine := j.Times(EngineGroups).Add(g)
			m.For("answer_port", AnswerGroups, func(k hw.Index) {
				hw.Set(out.At(engine.Times(AnswerGroups).Add(k)), net.Out.At(j.Times(AnswerGroups).Add(k)))
			})
		})
	})
	return in
}

// show brings the set that a bank has read to the port.
func (p EAL) show(m *hw.Module, io Ports, sets hw.Vec) {
	held := m.DataVec("shown", p.Ways, p.BlockBits())
	m.When(io.Scan.Valid, func() { m.Assert(io.Idle, "the EAL is idle while it is scanned") })
	m.When(io.Scan.Show, func() { held.Set(sets.Index(io.Scan.Bank).Unpack(p.BlockBits())) })
	m.For("scan_way", p.Ways, func(w hw.Index) { hw.Set(io.Scan.Blocks.At(w), hw.Unpack[Block](m, held.At(w))) })
}
