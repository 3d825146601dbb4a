package eal

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// EAL is the embedding access logger. All sizes but TagBits are powers of two.
type EAL struct {
	Engines int `doc:"lookup engines"`
	Banks   int `doc:"EAL banks"`
	Sets    int `doc:"EAL sets in all banks"`
	Ways    int `doc:"size of an EAL set" unit:"blocks"`
	TagBits int `doc:"tag of a block" unit:"bits"`
	Window  int `doc:"lookups in flight per engine"`
	Depth   int `doc:"entries of each of the two request queues of a bank"`
}

// Of returns the EAL of an accelerator.
func Of(p arch.Params) EAL {
	return EAL{Engines: p.Engines, Banks: p.Banks, Sets: p.Sets(), Ways: p.Ways, TagBits: p.TagBits, Window: p.Window, Depth: p.QueueDepth}
}

// Ports are the ports of an EAL.
//
// An engine has at most Window requests in flight, each with a unique ticket. Learn must be stable
// while a request is in flight. The result of a probe reports whether the key is held, and in which
// way (0 if it is not). The result of a learning access reports whether the key was held before,
// and which way holds it now.
//
// Sets may be scanned only while the EAL is idle. At the beginning of a learning epoch no set
// counts as changed. All sets must be scanned in each epoch, because the epoch is known modulo 2
// only.
type Ports struct {
	Learn   hw.Bits                      `hw:"in" doc:"1: requests learn, 0: they probe"`
	Stretch hw.Bits                      `hw:"in" doc:"number of the learning epoch, modulo 2"`
	Request hw.Array[hw.Stream[Request]] `hw:"in,len=RequestPorts" doc:"of each engine, by the low bit of the key"`
	Answer  hw.Array[Reply]              `hw:"out,len=AnswerPorts" doc:"of each engine, by the low bits of the key"`
	Ready   hw.Bits                      `hw:"out" doc:"cleared after reset; earlier requests wait"`
	Idle    hw.Bits                      `hw:"out" doc:"no request is in flight"`
	Scan    Scan                         `hw:"in" doc:"reads a set of all banks, then shows changed sets"`
}

// RequestPorts returns the maximum number of requests per cycle.
func (p EAL) RequestPorts() int { return RequestQueues * p.Engines }

// AnswerPorts returns the maximum number of answers per cycle.
func (p EAL) AnswerPorts() int { return AnswerGroups * p.Engines }

// BankAnswers returns the maximum number of answers that the banks offer per cycle.
func (p EAL) BankAnswers() int { return EngineGroups * p.Banks }

// EngineBits returns the width of an engine's number.
func (p EAL) EngineBits() int { return arch.Log2(p.Engines) }

// BankBits returns the width of a bank number.
func (p EAL) BankBits() int { return arch.Log2(p.Banks) }

// SetBits returns the width of a set number within its bank.
func (p EAL) SetBits() int { return arch.Log2(p.Sets / p.Banks) }

// KeyBits returns the width of a key.
func (p EAL) KeyBits() int { return arch.Log2(p.Sets) + p.TagBits }

// TicketBits returns the width of a ticket.
func (p EAL) TicketBits() int { return arch.Log2(p.Window) }

// WayBits returns the width of a way number.
func (p EAL) WayBits() int { return arch.Log2(p.Ways) }

// BlockBits returns the width of a packed block.
func (p EAL) BlockBits() int { return hw.Of[Block](p).Bits() }

// fromBanks holds the answers of all banks. Element EngineGroups·b + g carries the answers of bank
// b for the engines of group g.
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

// answerNetwork describes the crossbars to the even and to the odd engines. It returns the streams
// from the banks.
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

// show copies the set that a bank has read to the port.
func (p EAL) show(m *hw.Module, io Ports, sets hw.Vec) {
	held := m.DataVec("shown", p.Ways, p.BlockBits())
	m.When(io.Scan.Valid, func() { m.Assert(io.Idle, "the EAL is idle while it is scanned") })
	m.When(io.Scan.Show, func() { held.Set(sets.Index(io.Scan.Bank).Unpack(p.BlockBits())) })
	m.For("scan_way", p.Ways, func(w hw.Index) { hw.Set(io.Scan.Blocks.At(w), hw.Unpack[Block](m, held.At(w))) })
}
