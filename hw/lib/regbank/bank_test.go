package regbank_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/verilog/verilogtest"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/lib/axil"
	"github.com/hotline-rtl/hotline/hw/lib/regbank"
	"github.com/hotline-rtl/hotline/hw/regmap"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bench"
	"github.com/hotline-rtl/hotline/sim/hwtest"
)

// harness applies the same accesses to a device and to a File.
type harness struct {
	s      sim.Simulator
	io     devicePorts
	file   *regmap.File
	random *rand.Rand
	n      int // cycles

	data  uint32 // expected result of the last cycle's read, 0 without a read
	known bool   // the last cycle's read is valid
}

// words is the number of words, including one after the last register.
const words = 17

// session runs a number of cycles with random accesses and random hardware changes and compares
// the device with a File. It first reads the reset values, high words before low words.
func session(m *regmap.Map, cycles int, seed uint64) hwtest.Drive {
	return func(s sim.Simulator) error {
		r := &harness{s: s, io: sim.Bind[devicePorts](s, device{}), file: m.NewFile(), random: rand.New(rand.NewPCG(seed, 0)), known: true}
		for range cycles {
			if err := r.cycle(); err != nil {
				return err
			}
		}
		return nil
	}
}

// cycle compares the answers and outputs of the device, and executes a clock edge.
func (r *harness) cycle() error {
	hardware := r.inputs()
	a := r.io.Access
	if (a.ReadError.Peek() != 0) == r.known {
		return fmt.Errorf("a read fails: %v", r.known)
	}
	if a.ReadData.Peek() != uint64(r.data) {
		return fmt.Errorf("a read gives %#x, want %#x", a.ReadData.Peek(), r.data)
	}
	if r.data, r.known = 0, true; a.Read.Peek() != 0 {
		r.data, r.known = r.file.Read(a.ReadAddr.Peek())
	}
	if err := r.shown(); err != nil {
		return err
	}
	if err := r.write(); err != nil {
		return err
	}
	hardware()
	return r.s.Step()
}

// inputs sets the device's inputs. It returns a function that applies the hardware changes to the
// File.
func (r *harness) inputs() func() {
	a := r.io.Access
	if r.n++; r.n <= words {
		a.Read.Poke(1)
		a.ReadAddr.Poke(4 * uint64(words-r.n))
		return func() {}
	}
	a.Write.Poke(r.random.Uint64N(2))
	a.WriteAddr.Poke(r.address())
	a.WriteData.Poke(uint64(r.random.Uint32()))
	a.WriteStrb.Poke(r.random.Uint64N(16) | r.random.Uint64N(2)*15)
	a.Read.Poke(r.random.Uint64N(2))
	a.ReadAddr.Poke(r.address())
	busy, enabled, now := r.random.Uint64N(2), r.random.Uint64N(2), r.random.Uint64N(1<<40)
	r.io.Busy.Poke(busy)
	r.io.Enabled.Poke(enabled)
	r.io.Now.Poke(now)
	late, unmark, taken, total, happens := r.seldom(8), r.seldom(6), r.seldom(11), r.seldom(40), r.seldom(1)
	r.io.Late.Poke(late)
	r.io.Unmark.Poke(unmark)
	r.io.Taken.Poke(taken)
	r.io.Total.Poke(total)
	r.io.Happens.Poke(happens)
	f := r.file
	f.Set("status_busy", busy)
	f.Set("control_enabled", enabled)
	f.Set("now", now)
	f.Set("control_start", 0)
	sum, events := f.Get("total")+total, (f.Get("events")+happens)&0x3ff
	return func() {
		f.Set("total", sum)
		f.Set("events", events)
		for _, x := range []struct {
			name         string
			given, value uint64
		}{{"status_late", late, late}, {"status_mark", unmark, unmark ^ 0x3f}, {"status_taken", taken, taken}} {
			if x.given != 0 {
				f.Set(x.name, x.value)
			}
		}
	}
}

// address returns an address, mostly of a register and mostly word-aligned.
func (r *harness) address() uint64 {
	if r.random.IntN(8) == 0 {
		return r.random.Uint64N(128)
	}
	return r.random.Uint64N(words) * 4
}

// seldom returns mostly 0, and otherwise a number with the given number of bits.
func (r *harness) seldom(bits int) uint64 {
	if r.random.IntN(8) > 0 {
		return 0
	}
	return r.random.Uint64N(1 << bits)
}

// write executes a write and compares its answer.
func (r *harness) write() error {
	a := r.io.Access
	offset, strobes := a.WriteAddr.Peek(), uint8(a.WriteStrb.Peek())
	known := false
	if a.Write.Peek() != 0 {
		if known = r.file.Write(offset, uint32(a.WriteData.Peek()), strobes); (a.WriteError.Peek() != 0) == known {
			return fmt.Errorf("a write to %#x with strobes %x fails: %v", offset, strobes, known)
		}
	}
	if rung := known && offset&^4 == 0x28; (r.io.Rung.Peek() != 0) != rung {
		return fmt.Errorf("a write to %#x is one to ring: %v", offset, !rung)
	}
	if got, want := r.io.Start.Peek(), r.file.Get("control_start"); got != want {
		return fmt.Errorf("control_start is %#x, want %#x", got, want)
	}
	return nil
}

// shown compares the outputs of the device with the stored values.
func (r *harness) shown() error {
	f := r.file
	for _, x := range []struct {
		name      string
		got, want uint64
	}{
		{"limit", r.io.Limit.Peek(), f.Get("limit")}, {"enable", r.io.Enable.Peek(), f.Get("control_enable")},
		{"base", r.io.Base.Peek(), f.Get("base_0") ^ f.Get("base_1") ^ f.Get("base_2")},
		{"ring", r.io.Ring.Peek(), f.Get("ring")}, {"key", r.io.Key.Peek(), f.Get("key")},
	} {
		if x.got != x.want {
			return fmt.Errorf("%s is %#x, want %#x", x.name, x.got, x.want)
		}
	}
	return nil
}

func TestAgainstModel(t *testing.T) {
	for _, kind := range []string{"", "whole"} {
		hwtest.Run(t, device{kind}, session(maps[kind], 3000, 1))
	}
	hwtest.Resets(t, device{}, session(meter, 300, 2))
}

// check runs a few sessions on the interpreter.
func check(d *ir.Design) error {
	for seed := range uint64(3) {
		b, err := bench.New(d, seed)
		if err != nil {
			return err
		}
		if err := session(meter, 1500, seed)(b.Sim); err != nil {
			return err
		}
	}
	return nil
}

// TestOtherMapsAreNoticed: the bench detects every change of a field's access, a register's
// address or a field's bits.
func TestOtherMapsAreNoticed(t *testing.T) {
	tried := 0
	for name := range maps {
		if name == "" {
			continue
		}
		d, err := hw.Elaborate(device{name})
		if err == nil { // otherwise elaboration detects an undriven or multiply driven wire
			err = check(d)
			tried++
		}
		require.Error(t, err, name)
	}
	require.Greater(t, tried, 60)
}

func TestFaultsAreCaught(t *testing.T) {
	d, err := hw.Elaborate(device{})
	require.NoError(t, err)
	survivors, tried := bench.Survivors(d, func() error { return check(d) })
	require.Empty(t, survivors)
	require.Greater(t, tried, 100)
}

// TestMistakes: a bank must be made from the struct of its map, and addresses must reach all
// registers.
func TestMistakes(t *testing.T) {
	for text, build := range map[string]func(m *hw.Module, bus axil.Access){
		"regmap: regbank_test.other is not what the map meter was made of": func(m *hw.Module, bus axil.Access) {
			regbank.New[other](m, "bank", meter, bus)
		},
		"the map far ends at 0x84, which addresses of 7 bits do not reach": func(m *hw.Module, bus axil.Access) {
			regbank.New[other](m, "bank", regmap.New[other]("far", ""), bus)
		},
		"Written: expected a writable field of far": func(m *hw.Module, bus axil.Access) {
			far := regmap.New[other]("far", "")
			far.Registers[0].Offset = 0
			regbank.New[other](m, "bank", far, bus).Written(bus.Write)
		},
	} {
		_, err := hw.Elaborate(mistaken{&build})
		require.ErrorContains(t, err, text)
	}
}

// TestOneWay: a map may have no readable or no writable field.
func TestOneWay(t *testing.T) {
	for _, build := range []func(m *hw.Module, bus axil.Access){
		func(m *hw.Module, bus axil.Access) {
			type writes struct {
				Key hw.Bits `reg:"0x0,wo"`
			}
			m.Out("key", 32).Set(regbank.New[writes](m, "bank", regmap.New[writes]("writes", ""), bus).Fields.Key)
		},
		func(m *hw.Module, bus axil.Access) {
			type reads struct {
				ID hw.Bits `reg:"0x0,ro"`
			}
			regbank.New[reads](m, "bank", regmap.New[reads]("reads", "", regmap.WholeWords), bus).Fields.ID.Set(hw.K(7))
		},
	} {
		d, err := hw.Elaborate(mistaken{&build})
		require.NoError(t, err)
		verilogtest.Silent(t, d)
	}
}

type other struct {
	Far hw.Bits `reg:"0x80,rw"`
}

type mistaken struct {
	build *func(m *hw.Module, bus axil.Access)
}

func (mistaken) AddrWidth() int     { return 7 }
func (mistaken) ModuleName() string { return "mistaken" }

func (p mistaken) Build(m *hw.Module) struct{} {
	io := hw.Ports[struct {
		Access axil.Access `hw:"in"`
	}](m)
	(*p.build)(m, io.Access)
	return struct{}{}
}
