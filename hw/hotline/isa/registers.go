package isa

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/lib/axil"
	"github.com/hotline-rtl/hotline/hw/lib/regbank"
)

// AddrBits is the width of a CSR byte address.
const AddrBits = 12

// Registers describes the control and status registers, which the driver accesses through
// AXI4-Lite.
type Registers struct {
	arch.Geometry
	RowsAheadBits int `doc:"number of rows ahead, and of reads in flight" unit:"bits"`
}

// RegisterPorts are the values that the driver wrote, and the values that it can read. ResetRequest
// pulses when the driver requests a reset, CQTaken when it writes CQHead.
type RegisterPorts struct {
	CSR          axil.Access `hw:"in" doc:"register accesses; read data a cycle later"`
	Enable       hw.Bits     `hw:"out" doc:"commands are fetched"`
	ResetRequest hw.Bits     `hw:"out" doc:"pulse: the driver begins a reset"`
	RingsGiven   hw.Bits     `hw:"out" doc:"both bases have been written since the reset"`
	SQBase       hw.Bits     `hw:"out,64" doc:"address of the command ring"`
	SQLog2       hw.Bits     `hw:"out,4" doc:"log2 of its entries"`
	SQTail       hw.Bits     `hw:"out,16" doc:"number of commands that the driver has written"`
	CQBase       hw.Bits     `hw:"out,64" doc:"address of the completion ring"`
	CQLog2       hw.Bits     `hw:"out,4" doc:"log2 of its entries"`
	CQHead       hw.Bits     `hw:"out,16" doc:"number of completions that the driver has read"`
	CQTaken      hw.Bits     `hw:"out" doc:"pulse: the driver writes cq_head"`

	Busy    hw.Bits                `hw:"in" doc:"a command is in flight"`
	Halted  hw.Bits                `hw:"in" doc:"a completion could not be written"`
	Overrun hw.Bits                `hw:"in" doc:"sq_tail exceeds the ring"`
	NoRings hw.Bits                `hw:"in" doc:"commands wait for a base"`
	SQHead  hw.Bits                `hw:"in,16" doc:"number of commands taken"`
	CQTail  hw.Bits                `hw:"in,16" doc:"number of completions"`
	Error   hw.Enum[arch.DMAError] `hw:"in" doc:"of the completion that could not be written"`
	Shown   Shown                  `hw:"in,inline"`
}

// Shown holds the state of other blocks that the registers report. The fields from Lookups on,
// except ReadsInFlight, are events: their registers accumulate them in every cycle.
type Shown struct {
	Resetting hw.Bits `doc:"a reset is in progress"`
	Ready     hw.Bits `doc:"the EAL is cleared"`
	RowsAhead hw.Bits `hw:"RowsAheadBits" doc:"rows ahead"`
	Dropped   hw.Bits `hw:"16" doc:"unexpected beats of read data"`

	Lookups       hw.Bits `hw:"LookupBits" doc:"classification lookups in this cycle"`
	CacheHits     hw.Bits `hw:"LookupBits" doc:"lookups that caches answer"`
	HotLookups    hw.Bits `hw:"LookupBits" doc:"lookups of hot rows"`
	WindowStalls  hw.Bits `hw:"LookupBits" doc:"engines whose words wait for the window"`
	QueueStalls   hw.Bits `hw:"LookupBits" doc:"engines whose lookup waits for a bank queue"`
	Conflicts     hw.Bits `hw:"LookupBits+1" doc:"requests that no bank takes"`
	LookupActive  hw.Bits `doc:"a classify sweep runs"`
	LearnActive   hw.Bits `doc:"a learn sweep runs"`
	RowRead       hw.Bits `doc:"pulse: an operation takes a row"`
	RowWritten    hw.Bits `doc:"pulse: a vector or row is written"`
	ReadsInFlight hw.Bits `hw:"RowsAheadBits" doc:"reads that hold a tag"`
	TagStall      hw.Bits `doc:"pulse: a read begins to wait for a tag"`
	LateRow       hw.Bits `doc:"pulse: an operation begins to wait for its row"`
	WriteStall    hw.Bits `doc:"pulse: the link delays a write"`
	BytesRead     hw.Bits `hw:"13" doc:"bytes requested in this cycle"`
	BytesWritten  hw.Bits `hw:"13" doc:"bytes written in this cycle"`
}

// ModuleName returns the name of the module.
func (Registers) ModuleName() string { return "control_registers" }

// AddrWidth returns the width of a register's byte address.
func (Registers) AddrWidth() int { return AddrBits }

// LookupBits returns the width of the number of lookups per cycle.
func (p Registers) LookupBits() int { return hw.CountWidth(p.Engines) }

// Build describes the registers.
func (p Registers) Build(m *hw.Module) RegisterPorts {
	m.Doc("Control and status registers.")
	io := hw.Ports[RegisterPorts](m)
	bank := regbank.New[arch.ControlRegisters[hw.Bits]](m, "csr", arch.CSRMap, io.CSR)
	r := bank.Fields
	p.identify(&r)

	resetting := io.Shown.Resetting
	io.Enable.Set(r.Control.Enable)
	r.Control.Enabled.Set(r.Control.Enable.And(resetting.Not()))
	io.ResetRequest.Set(r.Control.Reset)
	r.Control.Resetting.Set(resetting)
	r.Status.Busy.Set(io.Busy)
	r.Status.Ready.Set(io.Shown.Ready)
	r.Status.Halted.Set(io.Halted)
	r.Status.Overrun.Set(io.Overrun)
	r.Status.NoRings.Set(io.NoRings)

	io.RingsGiven.Set(given(m, "sq_base_given", bank, r.SQBase).And(given(m, "cq_base_given", bank, r.CQBase)))
	io.SQBase.Set(hw.Cat(r.SQBase, hw.Zeros(arch.Log2(arch.CommandBytes))))
	io.SQLog2.Set(r.SQLog2)
	io.SQTail.Set(r.SQTail)
	r.SQHead.Set(io.SQHead)
	io.CQBase.Set(hw.Cat(r.CQBase, hw.Zeros(arch.Log2(arch.CompletionBytes))))
	io.CQLog2.Set(r.CQLog2)
	io.CQHead.Set(r.CQHead)
	io.CQTaken.Set(bank.Written(r.CQHead))
	r.CQTail.Set(io.CQTail)
	r.Error.Set(io.Error.Bits())
	r.RowsAhead.Set(io.Shown.RowsAhead.Ext(32))
	r.Dropped.Set(io.Shown.Dropped)

	count(m, r.Lookups, io.Shown.Lookups)
	count(m, r.CacheHits, io.Shown.CacheHits)
	count(m, r.LookupCycles, io.Shown.LookupActive)
	count(m, r.RowsRead, io.Shown.RowRead)
	count(m, r.RowsWritten, io.Shown.RowWritten)
	count(m, r.HotLookups, io.Shown.HotLookups)
	count(m, r.Conflicts, io.Shown.Conflicts)
	count(m, r.WindowStalls, io.Shown.WindowStalls)
	count(m, r.QueueStalls, io.Shown.QueueStalls)
	count(m, r.LearnCycles, io.Shown.LearnActive)
	count(m, r.TagStalls, io.Shown.TagStall)
	count(m, r.LateRows, io.Shown.LateRow)
	count(m, r.WriteStalls, io.Shown.WriteStall)
	count(m, r.BytesRead, io.Shown.BytesRead)
	count(m, r.BytesWritten, io.Shown.BytesWritten)
	reads := io.Shown.ReadsInFlight.Ext(r.ReadsInFlight.Now.Width())
	r.ReadsInFlight.Now.Set(reads)
	m.When(reads.Gt(r.ReadsInFlight.Most), func() { r.ReadsInFlight.Most.Set(reads) })
	return io
}

// identify sets the registers that describe the accelerator and its sizes.
func (p Registers) identify(r *arch.ControlRegisters[hw.Bits]) {
	log2 := func(n int) hw.Bits { return hw.K(arch.Log2(n)) }
	r.ID.Set(hw.Hex(32, arch.ID))
	r.Version.Set(hw.Hex(32, arch.Version))
	r.Caps0.EnginesLog2.Set(log2(p.Engines))
	r.Caps0.BanksLog2.Set(log2(p.Banks))
	r.Caps0.BlocksLog2.Set(log2(p.Blocks))
	r.Caps0.WaysLog2.Set(log2(p.Ways))
	r.Caps1.StreamBytes.Set(hw.K(p.StreamBytes))
	r.Caps1.Tags.Set(hw.K(p.Tags))
	r.Caps2.HalfWords.Set(hw.K(p.HalfWords))
	r.Caps3.Slots.Set(hw.K(p.Slots))
	r.Caps3.Tables.Set(hw.K(p.Tables))
	r.Caps4.IDBits.Set(hw.K(p.IDBits))
	r.Caps4.GPUs.Set(hw.K(p.GPUs))
	r.Caps4.VectorValues.Set(hw.K(p.VectorValues))
}

// given reports whether all words of a register have been written since the reset.
func given(m *hw.Module, name string, bank regbank.Bank[arch.ControlRegisters[hw.Bits]], x hw.Bits) hw.Bits {
	words := bank.WrittenWords(x)
	written := m.Reg(name, words.Width(), 0)
	written.Set(written.Or(words))
	return written.All()
}

// count adds n to a counter.
func count(m *hw.Module, counter, n hw.Bits) {
	m.When(n.Any(), func() { counter.Set(counter.Add(n.Ext(counter.Width()))) })
}
