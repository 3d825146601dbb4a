package wrap

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/bench"
	"github.com/hotline-rtl/hotline/sim/yosys/yosystest"
)

// host models the environment of a user interrupt except the core. Completions leave at random. The
// driver consumes them in a handler and, if polls is set, also by polling.
type host struct {
	*bench.Bench
	irq        *irqModel
	polls      bool
	left, head int // numbers of completions that have left, and that the driver has counted
	level      bool
	serving    int // cycles until the handler writes cq_head; 0 if it does not run
	again      bool
	waits      int // cycles in which a completion waits and interrupts are possible
	idles      int // cycles in which none waits, interrupts are possible, and one is requested
}

// longest is the maximum time that a completion may wait for the driver, in cycles.
const longest = 300

func (h *host) cycle() error {
	chance := func(n int) bool { return h.Rand.IntN(n) == 0 }
	left, head, taken := h.left, h.head, false
	if chance(15) {
		h.left++
	}
	if h.irq.Interrupted() {
		h.again = true
	}
	if h.serving == 0 && h.again {
		h.serving, h.again = 1+h.Rand.IntN(30), false
	}
	if h.serving > 0 {
		if h.serving--; h.serving == 0 {
			taken = left > head
			if h.head = left; left > head+1 && chance(3) { // count them one after the other
				h.head, h.serving = head+1, 1+h.Rand.IntN(5)
			}
		}
	}
	if h.polls && chance(40) {
		h.head, taken = left, left > head
	}
	if taken {
		h.irq.Serviced()
	}
	if chance(200) {
		h.irq.Masked = !h.irq.Masked
	}
	h.irq.Give()
	h.Pin("level").SetBool(h.level)
	if err := h.Cycle(h.irq.Look); err != nil {
		return err
	}
	h.level = left > head && !taken
	switch {
	case h.head == h.left || taken:
		h.waits = 0
	case !h.irq.Masked:
		h.waits++
	}
	if h.idles++; h.head != h.left || h.irq.Masked || !h.Pin("req").Bool() {
		h.idles = 0
	}
	if h.idles > h.irq.Delay+5 {
		return errors.New("an interrupt is requested although all completions are taken")
	}
	if h.waits > longest {
		return fmt.Errorf("%d completions, of which the driver learns nothing", h.left-h.head)
	}
	return nil
}

// checkUserIRQ tests both kinds of interrupts, with some resets.
func checkUserIRQ(d *ir.Design, seed uint64) error {
	for mode := range 4 {
		b, err := bench.New(d, seed)
		if err != nil {
			return err
		}
		for range 5 {
			h := &host{Bench: b, polls: mode&1 != 0, irq: newIRQModel(b, "", b.Rand.Uint64())}
			h.irq.Legacy = mode&2 != 0
			for range 1500 {
				if err := h.cycle(); err != nil {
					return fmt.Errorf("mode %d: %w", mode, err)
				}
			}
			if h.head < 20 {
				return fmt.Errorf("%d completions", h.head)
			}
			if err := bench.ResetCycle(b.Sim, seed); err != nil {
				return err
			}
		}
	}
	return nil
}

// faultyIRQ is a userIRQ with a fault.
type faultyIRQ struct{ Fault string }

// ModuleName returns the name of the fault.
func (p faultyIRQ) ModuleName() string { return p.Fault }

func (p faultyIRQ) Build(m *hw.Module) userIRQPorts {
	io := hw.Ports[userIRQPorts](m)
	is := func(fault string) hw.Bits { return hw.Lit(1, bench.Bit(p.Fault == fault)) }
	st := hw.FSM[struct{ Idle, Request, Withdraw hw.State }](m, "state")
	sent, serviced := m.Reg("sent", 1, 0), m.Reg("serviced", 1, 0)
	io.Req.Set(st.Request.Is())
	st.Idle.Do(func() {
		sent.Set(hw.K(0))
		serviced.Set(hw.K(0))
		m.When(io.Level, st.Request.Next)
	})
	st.Request.Do(func() {
		sent.Set(sent.Or(io.Ack))
		serviced.Set(serviced.And(is("forgets_service").Not()).Or(io.Level.Not()))
		done := sent.Or(io.Ack).Or(is("not_sent")).And(serviced.Or(io.Level.Not()).Or(is("not_serviced")))
		m.When(done, func() {
			m.When(io.Legacy.And(is("one_acknowledge").Not()).Or(is("two_acknowledges")), st.Withdraw.Next).Else(st.Idle.Next)
		})
	})
	st.Withdraw.Do(func() { m.When(io.Ack, st.Idle.Next) })
	return io
}

// irqFaults lists the faults of faultyIRQ, each with the messages of the check and of the proof. In
// the first two, the request ends after the acknowledge only, or after the service only. In the
// others, it does not wait for the second acknowledge of a legacy interrupt, or waits for one of
// other interrupts.
var irqFaults = map[string][2]string{
	"not_serviced":     {"usr_irq_req falls before the interrupt is serviced", "a request stays until the interrupt is serviced"},
	"not_sent":         {"usr_irq_req falls before the interrupt is sent", "a request stays until the interrupt is sent"},
	"one_acknowledge":  {"usr_irq_req rises before the end of the interrupt is sent", "a request waits for the end of the one before"},
	"two_acknowledges": {"of which the driver learns nothing", "completions that wait are requested"},
}

func TestUserIRQ(t *testing.T) {
	d, err := hw.Elaborate(userIRQ{})
	require.NoError(t, err)
	for seed := range uint64(5) {
		require.NoError(t, checkUserIRQ(d, seed))
	}
	yosystest.Run(t, "user_irq", d, 1, checkUserIRQ)
	require.Empty(t, bench.Unreset(d, 8, func(seed uint64) error { return checkUserIRQ(d, seed) }))
	for fault, says := range irqFaults {
		d, err := hw.Elaborate(faultyIRQ{fault})
		require.NoError(t, err)
		require.ErrorContains(t, checkUserIRQ(d, 1), says[0], fault)
	}
}

func TestFaultsOfUserIRQAreCaught(t *testing.T) {
	d, err := hw.Elaborate(userIRQ{})
	require.NoError(t, err)
	found := survivors(t, d, 10, func() error { return checkUserIRQ(d, 1) })
	// An FSM state may have any unused number.
	found = slices.DeleteFunc(found, func(s string) bool {
		return strings.HasPrefix(s, "constant off by one at userirq.go:28 ")
	})
	require.Empty(t, found)
}

// TestXDMAInterrupts runs commands whose completions the driver learns of through interrupts only.
// The test must fail with the accelerator's own interrupt, which ends with the first acknowledge.
func TestXDMAInterrupts(t *testing.T) {
	for _, legacy := range []bool{false, true} {
		c, irq := xdmaCard(t)
		irq.Legacy = legacy
		require.NoError(t, fences(c, 120))
	}
	for _, legacy := range []bool{false, true} {
		d, err := hw.Elaborate(XDMA{small()})
		require.NoError(t, err)
		unadapted(t, d)
		c, irq := cardOf(t, d)
		irq.Legacy = legacy
		require.ErrorContains(t, fences(c, 120), "usr_irq_req falls before the interrupt is serviced")
	}
}

// unadapted connects the interrupt of the accelerator directly to the ports, without a userIRQ.
func unadapted(t *testing.T, d *ir.Design) {
	signal := func(name string) *ir.Signal {
		i := slices.IndexFunc(d.Top.Body.Signals, func(s *ir.Signal) bool { return s.Name == name })
		if i >= 0 {
			return d.Top.Body.Signals[i]
		}
		i = slices.IndexFunc(d.Top.Ports, func(s *ir.Signal) bool { return s.Name == name })
		require.GreaterOrEqual(t, i, 0, name)
		return d.Top.Ports[i]
	}
	for to, from := range map[string]string{"usr_irq_req": "hotline_irq_req", "hotline_irq_ack": "usr_irq_ack"} {
		found := 0
		ir.WalkStmts(d.Top.Body.Stmts, func(s ir.Stmt) {
			if a, ok := s.(*ir.Assign); ok && a.LHS.Sig.Name == to {
				a.RHS = &ir.Expr{Op: ir.Ref, Type: signal(from).Type, Sig: signal(from), Pos: a.Pos}
				found++
			}
		})
		require.Equal(t, 1, found, to)
	}
}

// Memory map and size of the rings of fences.
const (
	fenceLog2   = 3
	fencesAt    = 0x7_0000_0000
	fencesEndAt = 0x7_0001_0000
)

// fences runs n commands, with up to a whole ring in flight. The driver reads the completion ring
// only in the interrupt handler.
func fences(c *card, n int) error {
	for _, w := range [][2]uint64{
		{arch.CSRSQBaseLo, fencesAt & 0xffffffff}, {arch.CSRSQBaseHi, fencesAt >> 32}, {arch.CSRSQLog2, fenceLog2},
		{arch.CSRCQBaseLo, fencesEndAt & 0xffffffff}, {arch.CSRCQBaseHi, fencesEndAt >> 32}, {arch.CSRCQLog2, fenceLog2}, {arch.CSRControl, 1},
	} {
		if err := c.Write32(w[0], uint32(w[1])); err != nil {
			return err
		}
	}
	arrived := func(k int) bool {
		entry := make([]byte, arch.CompletionBytes)
		c.Memory.ReadAt(fencesEndAt+uint64(k)%(1<<fenceLog2)*arch.CompletionBytes, entry)
		done, intact := arch.DecodeCompletion(entry)
		return intact && done.Phase == (k>>fenceLog2&1 == 0) && done.ID == uint32(k)
	}
	for sent, taken := 0, 0; taken < n; {
		for more := 1 + c.Rand.IntN(1<<fenceLog2); sent < n && more > 0 && sent < taken+1<<fenceLog2; more-- {
			c.Memory.WriteAt(fencesAt+uint64(sent)%(1<<fenceLog2)*arch.CommandBytes, arch.Command{Opcode: arch.Fence}.Encode(uint32(sent)))
			sent++
		}
		if err := c.Write32(arch.CSRSQTail, uint32(sent)); err != nil {
			return err
		}
		for before := taken; taken == before; {
			if err := c.Wait(0); err != nil {
				return fmt.Errorf("%d of %d commands: %w", taken, sent, err)
			}
			for ; arrived(taken); taken++ {
			}
			if err := c.Write32(arch.CSRCQHead, uint32(taken)); err != nil {
				return err
			}
		}
	}
	return nil
}
