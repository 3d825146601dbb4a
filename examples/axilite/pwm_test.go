package axilite_test

import (
	"fmt"
	"testing"

	"github.com/hotline-rtl/hotline/examples/axilite"
	"github.com/hotline-rtl/hotline/hw/lib/axil"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/hwtest"
)

// master performs one transfer at a time and records the output in every cycle.
type master struct {
	s     sim.Simulator
	pulse string
}

func (m *master) pin(name string) sim.Pin { return sim.Find(m.s, "s_axil_"+name) }

// step runs a cycle. It ends the transfers on the given channels that take place in this cycle.
func (m *master) step(channels ...string) error {
	m.pulse += fmt.Sprint(sim.Find(m.s, "pulse").Get())
	var done []string
	for _, c := range channels {
		if m.pin(c+"valid").Bool() && m.pin(c+"ready").Bool() {
			done = append(done, c)
		}
	}
	err := m.s.Step()
	for _, c := range done {
		m.pin(c + "valid").Set(0)
	}
	return err
}

// until waits for a valid answer on a channel.
func (m *master) until(answer string, channels ...string) error {
	for range 10 {
		if m.pin(answer + "valid").Bool() {
			return nil
		}
		if err := m.step(channels...); err != nil {
			return err
		}
	}
	return fmt.Errorf("no answer on channel %s", answer)
}

func (m *master) take(answer string) error {
	m.pin(answer + "ready").Set(1)
	err := m.step()
	m.pin(answer + "ready").Set(0)
	return err
}

func (m *master) write(addr, data, strobes uint64, want axil.Response) error {
	m.pin("awaddr").Set(addr)
	m.pin("awvalid").Set(1)
	m.pin("wdata").Set(data)
	m.pin("wstrb").Set(strobes)
	m.pin("wvalid").Set(1)
	if err := m.until("b", "aw", "w"); err != nil {
		return err
	}
	if got := axil.Response(m.pin("bresp").Get()); got != want {
		return fmt.Errorf("response %d to a write to %#x, want %d", got, addr, want)
	}
	return m.take("b")
}

func (m *master) read(addr, want uint64, resp axil.Response) error {
	m.pin("araddr").Set(addr)
	m.pin("arvalid").Set(1)
	if err := m.until("r", "ar"); err != nil {
		return err
	}
	if data, got := m.pin("rdata").Get(), axil.Response(m.pin("rresp").Get()); data != want || got != resp {
		return fmt.Errorf("%#x and response %d from %#x, want %#x and %d", data, got, addr, want, resp)
	}
	return m.take("r")
}

// session writes registers, reads them back, and checks pulses.
func session(s sim.Simulator) error {
	m := &master{s: s}
	for _, f := range []func() error{
		func() error { return m.read(0, 0, axil.OKAY) },
		func() error { return m.read(4, 0, axil.OKAY) },
		func() error { return m.read(8, 0, axil.OKAY) },
		func() error { return m.read(12, 0, axil.OKAY) },
		func() error { return m.write(4, 0x12345, 0b0111, axil.OKAY) },
		func() error { return m.write(4, 0xffff00, 0b0010, axil.OKAY) },
		func() error { return m.read(4, 0xff45, axil.OKAY) },
		func() error { return m.write(4, 4, 0b1111, axil.OKAY) },
		func() error { return m.write(8, 2, 0b1111, axil.OKAY) },
		func() error { return m.write(12, 7, 0b1111, axil.SLVERR) },
		func() error { return m.write(16, 7, 0b1111, axil.SLVERR) },
		func() error { return m.read(0xf0, 0, axil.SLVERR) },
		func() error { return m.read(8, 2, axil.OKAY) },
		func() error { return m.write(0, 1, 0b1111, axil.OKAY) },
	} {
		if err := f(); err != nil {
			return err
		}
	}
	for range 20 {
		if err := m.step(); err != nil {
			return err
		}
	}
	if want := "0110001100011000110001"; m.pulse[len(m.pulse)-22:] != want {
		return fmt.Errorf("the pulses are %s, want %s at the end", m.pulse, want)
	}
	return m.read(12, 4, axil.OKAY)
}

func TestPWM(t *testing.T) {
	hwtest.Run(t, axilite.PWM{}, session)
	hwtest.Resets(t, axilite.PWM{}, session)
	hwtest.Run(t, axilite.PWM{}, hwtest.Random(3000))
}

// Header generates the C header of the registers for a driver.
func ExampleRegisters() {
	fmt.Print(axilite.Registers.Header())
	// Output:
	// /* Registers of the PWM. */
	// #ifndef PWM_REGS_H
	// #define PWM_REGS_H
	//
	// /* Byte offsets of words of 32 bits. */
	// #define PWM_ENABLE				0x00	/* count cycles and give pulses */
	// #define PWM_PERIOD				0x04	/* cycles of a period, less one */
	// #define PWM_HIGH				0x08	/* cycles of a period in which the output is 1 */
	// #define PWM_PULSES				0x0c	/* periods that have ended */
	//
	// #endif /* PWM_REGS_H */
}
