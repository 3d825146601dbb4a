package regbank_test

import (
	"slices"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/lib/axil"
	"github.com/hotline-rtl/hotline/hw/lib/regbank"
	"github.com/hotline-rtl/hotline/hw/regmap"
)

// registers has a field of each kind, at the boundaries of words and bytes.
type registers struct {
	Limit  hw.Bits `reg:"0x00,rw,15:0,reset=100" doc:"events in a period"`
	Status struct {
		Busy  hw.Bits `reg:"ro,0" doc:"at work"`
		Late  hw.Bits `reg:"w1c,12:5" doc:"what came late"`
		Mark  hw.Bits `reg:"w1s,20:15,reset=9"`
		Taken hw.Bits `reg:"rc,31:21,reset=3"`
	} `reg:"0x04" doc:"how it goes"`
	Control struct {
		Enable  hw.Bits `reg:"wo,0,reset=1"`
		Enabled hw.Bits `reg:"ro,0"`
		Start   hw.Bits `reg:"pulse,9:1"`
	} `reg:"0x08"`
	Base   []hw.Bits `reg:"0x10,rw,27:6,len=3,reset=5"`
	Total  hw.Bits   `reg:"0x20,count,63:0"`
	Ring   hw.Bits   `reg:"0x28,rw,63:6"`
	Now    hw.Bits   `reg:"0x30,ro,39:0"`
	Key    hw.Bits   `reg:"0x38,wo,7:4"`
	Events hw.Bits   `reg:"0x3c,count,9:0,reset=1"`
}

var meter = regmap.New[registers]("meter", "Registers of the meter.")

// device connects the bank's fields to ports. Inputs provide the changes by hardware.
type device struct{ Kinds string } // key in maps; selects a mutant

type devicePorts struct {
	Access axil.Access `hw:"in"`
	Limit  hw.Bits     `hw:"out,16"`
	Enable hw.Bits     `hw:"out"`
	Start  hw.Bits     `hw:"out,9"`
	Base   hw.Bits     `hw:"out,22"` // the exclusive or of three
	Ring   hw.Bits     `hw:"out,58"`
	Key    hw.Bits     `hw:"out,4"`
	Rung   hw.Bits     `hw:"out"`

	Busy    hw.Bits `hw:"in"`
	Late    hw.Bits `hw:"in,8"`
	Unmark  hw.Bits `hw:"in,6"`
	Taken   hw.Bits `hw:"in,11"`
	Enabled hw.Bits `hw:"in"`
	Total   hw.Bits `hw:"in,40"` // added
	Now     hw.Bits `hw:"in,40"`
	Happens hw.Bits `hw:"in"`
}

func (device) ModuleName() string { return "device" }
func (device) AddrWidth() int     { return 7 }

func (p device) Build(m *hw.Module) devicePorts {
	io := hw.Ports[devicePorts](m)
	bus := io.Access
	bus.ReadData, bus.ReadError = m.Wire("data", 32), m.Wire("failed", 1)
	asked := m.Reg("asked", 1, 0) // otherwise the answer is ignored
	asked.Set(bus.Read)
	io.Access.ReadData.Set(hw.Mux(asked, bus.ReadData, hw.Zeros(32)))
	io.Access.ReadError.Set(bus.ReadError.And(asked))
	bank := regbank.New[registers](m, "bank", maps[p.Kinds], bus)
	r := bank.Fields
	io.Limit.Set(r.Limit)
	io.Enable.Set(r.Control.Enable)
	io.Start.Set(r.Control.Start)
	io.Base.Set(r.Base[0].Xor(r.Base[1]).Xor(r.Base[2]))
	io.Ring.Set(r.Ring)
	io.Key.Set(r.Key)
	io.Rung.Set(bank.Written(r.Ring))
	r.Status.Busy.Set(io.Busy)
	r.Control.Enabled.Set(io.Enabled)
	r.Now.Set(io.Now)
	m.When(io.Late.Any(), func() { r.Status.Late.Set(io.Late) })
	m.When(io.Unmark.Any(), func() { r.Status.Mark.Set(io.Unmark.Not()) })
	m.When(io.Taken.Any(), func() { r.Status.Taken.Set(io.Taken) })
	m.When(io.Total.Any(), func() { r.Total.Set(r.Total.Add(io.Total.Ext(64))) })
	m.When(io.Happens, func() { r.Events.Set(r.Events.Inc()) })
	return io
}

// maps contains meter, a variant with WholeWords, and mutants that each differ from meter in one
// field.
var maps = func() map[string]*regmap.Map {
	all := map[string]*regmap.Map{"": meter, "whole": regmap.New[registers]("meter", "", regmap.WholeWords)}
	for i, r := range meter.Registers {
		for k, f := range r.Fields {
			change := func(name string, change func(*regmap.Register, *regmap.Field)) {
				m := *meter
				m.Registers = slices.Clone(m.Registers)
				m.Registers[i].Fields = slices.Clone(r.Fields)
				change(&m.Registers[i], &m.Registers[i].Fields[k])
				all[r.Name+" "+f.Name+" "+name] = &m
			}
			for a := regmap.ReadWrite; a <= regmap.Pulse; a++ {
				if a != f.Access {
					change(a.String(), func(_ *regmap.Register, f *regmap.Field) { f.Access = a })
				}
			}
			change("elsewhere", func(r *regmap.Register, _ *regmap.Field) { r.Offset += 0x40 })
			if f.High < 31 {
				change("moved", func(_ *regmap.Register, f *regmap.Field) { f.High, f.Low = f.High+1, f.Low+1 })
			}
			if f.Access.Stores() {
				change("reset", func(_ *regmap.Register, f *regmap.Field) { f.Reset ^= 1 })
			}
		}
	}
	return all
}()
