package isa

import (
	"encoding/binary"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
)

// sizes have commands of four, two and one beats, and completions of two beats and one.
var sizes = []struct {
	name string
	arch.Params
}{{"small", arch.Small()}, {"wide", wide(256)}, {"paper", arch.Paper()}}

func wide(bits int) arch.Params {
	p := arch.Small()
	p.StreamBits, p.ALUs = bits, bits/32
	return p
}

func TestRings(t *testing.T) {
	for _, p := range sizes {
		require.NoError(t, p.Validate())
		d, err := hw.Elaborate(Of(p.Params))
		require.NoError(t, err)
		for seed := range uint64(4) {
			require.NoError(t, checkRings(d, p.Params, seed, 0), "%s, seed %d", p.name, seed)
		}
	}
}

// TestNumbersWrapAround: the free-running indices of both rings may wrap around.
func TestNumbersWrapAround(t *testing.T) {
	for _, p := range sizes {
		d, err := hw.Elaborate(Of(p.Params))
		require.NoError(t, err)
		for first := uint16(0xffd0); first != 0; first += 8 {
			require.NoError(t, checkRings(d, p.Params, uint64(first), first), "%s from %#x", p.name, first)
		}
	}
}

// startAt sets the initial index of both rings.
func (r *harness) startAt(first uint16) {
	r.first, r.left, r.head = first, first, first
	engine := r.Sim.(sim.Writable)
	for i, x := range engine.State() {
		switch x.Path {
		case "fetcher.asked", "fetcher.taken", "completer.posted", "registers.csr_sq_tail", "registers.csr_cq_head":
			engine.Write(i, 0, []uint64{uint64(first)})
		}
	}
}

// configure sets up rings with the given sizes and enables the device.
func (r *harness) configure(first uint16, sqLog2, cqLog2 int) error {
	m := r.model
	m.asked, m.head, m.tail, r.tail = first, first, first, first
	m.Commands = Ring{Base: r.Rand.Uint64() &^ 63, Log2: sqLog2, Index: first}
	m.Completions = Ring{Base: r.Rand.Uint64() &^ 31, Log2: cqLog2, Index: first}
	m.Enable, m.RingsGiven = true, true
	r.ring = make([]byte, arch.CommandBytes<<sqLog2)
	for _, w := range [][2]uint64{
		{arch.CSRSQBaseLo, m.Commands.Base & 0xffffffff}, {arch.CSRSQBaseHi, m.Commands.Base >> 32}, {arch.CSRSQLog2, uint64(sqLog2)},
		{arch.CSRCQBaseLo, m.Completions.Base & 0xffffffff}, {arch.CSRCQBaseHi, m.Completions.Base >> 32}, {arch.CSRCQLog2, uint64(cqLog2)},
		{arch.CSRControl, 1},
	} {
		if err := r.write(w[0], w[1]); err != nil {
			return err
		}
	}
	return nil
}

// submit writes up to n commands to the ring, limited by its free entries, and rings the doorbell.
// It returns the number of commands.
func (r *harness) submit(n int) (int, error) {
	done := 0
	for ; done < n && r.tail-r.model.Head() < 1<<r.model.Commands.Log2; done++ {
		c := arch.Command{Opcode: arch.Opcode(r.Rand.Uint32()), Flags: uint8(r.Rand.Uint32()),
			Operand1: r.Rand.Uint64(), Operand2: r.Rand.Uint64(), Operand3: r.Rand.Uint64()}
		b := c.Encode(r.Rand.Uint32())
		r.fillReserved(b)
		if r.Rand.Float64() < r.faults.damage {
			b[r.Rand.IntN(len(b))] ^= 1 << r.Rand.IntN(8)
		}
		copy(r.ring[r.model.Commands.slot(r.tail)*arch.CommandBytes:], b)
		r.tail++
	}
	r.model.Commands.Index = r.tail
	return done, r.write(arch.CSRSQTail, uint64(r.tail))
}

// fillReserved fills the reserved words of a command at random. They must be ignored.
func (r *harness) fillReserved(b []byte) {
	body := b[:arch.CommandCRC]
	for i := 4 * 8; i < len(body); i++ {
		body[i] = byte(r.Rand.Uint32())
	}
	binary.LittleEndian.PutUint32(b[len(body):], arch.Checksum(body))
}

// consume updates the consumer index of the completion ring.
func (r *harness) consume(upTo uint16) error {
	r.model.Completions.Index = upTo
	return r.write(arch.CSRCQHead, uint64(upTo))
}

// ringSizes lists log2 of ring sizes: the minimum, the maximum, and sizes that random traffic
// fills.
var ringSizes = []int{0, 1, 2, 3, 4, 15}

// checkRings runs random commands through rings of random sizes.
func checkRings(d *ir.Design, p arch.Params, seed uint64, first uint16) error {
	r, err := newHarness(d, p, seed)
	if err != nil {
		return err
	}
	r.startAt(first)
	if err := r.configure(first, ringSizes[r.Rand.IntN(len(ringSizes))], ringSizes[r.Rand.IntN(len(ringSizes))]); err != nil {
		return err
	}
	const total = 60
	for sent, n := 0, 0; r.posted < total || r.header != nil; n++ {
		if n > 15*total {
			return fmt.Errorf("%d of %d completions after %d rounds", r.posted, total, n)
		}
		if n%16 == 0 {
			r.commandRead.Rate, r.command.Rate, r.packet.Rate, r.data.Rate = rate(r.Rand), rate(r.Rand), rate(r.Rand), rate(r.Rand)
			r.faults = faults{[]float64{0, 0.3}[r.Rand.IntN(2)], []float64{0, 0, 0.2}[r.Rand.IntN(3)]}
		}
		switch r.Rand.IntN(4) {
		case 0:
			k, err := r.submit(min(1+r.Rand.IntN(6), total-sent))
			if err != nil {
				return err
			}
			sent += k
		case 1:
			if err := r.consume(first + uint16(r.posted)); err != nil {
				return err
			}
		default:
			for range r.Rand.IntN(30) {
				if err := r.cycle(); err != nil {
					return err
				}
			}
		}
	}
	return r.finish()
}

// finish checks that all traffic has ended.
func (r *harness) finish() error {
	for range 20 {
		if err := r.cycle(); err != nil {
			return err
		}
	}
	if r.delivered() != r.posted || len(r.expect)+len(r.wanted)+len(r.loaded) > 0 {
		return fmt.Errorf("%d of %d completions have left; %d expected; %d commands left", r.delivered(), r.posted, len(r.expect), len(r.loaded))
	}
	if err := errors.Join(r.expectRead(arch.CSRSQHead, uint64(r.tail)), r.expectRead(arch.CSRStatus, 0)); err != nil {
		return err
	}
	for range 3 {
		if err := r.cycle(); err != nil {
			return err
		}
	}
	return r.quiet()
}

func (r *harness) quiet() error {
	if !r.Sim.Quiet() {
		return errors.New("registers change while nothing arrives")
	}
	return nil
}

// checkFull fills the completion ring. The device must post exactly the completions that fit.
func checkFull(d *ir.Design, p arch.Params, seed uint64) error {
	r, err := newHarness(d, p, seed)
	if err != nil {
		return err
	}
	const log2 = 2
	if err := r.configure(0, 4, log2); err != nil {
		return err
	}
	if _, err := r.submit(12); err != nil {
		return err
	}
	for head := range 9 {
		if err := r.consume(uint16(head)); err != nil {
			return err
		}
		for range 150 {
			if err := r.cycle(); err != nil {
				return err
			}
		}
		if want := head + 1<<log2; r.posted != want {
			return fmt.Errorf("%d completions with %d consumed, want %d", r.posted, head, want)
		}
		busy := uint64(1) // includes the command whose completion waits
		if head == 8 {
			busy = 0
		}
		if err := r.expectRead(arch.CSRStatus, busy); err != nil {
			return err
		}
	}
	return r.finish()
}

// checkPrefetch blocks dispatch. Exactly Prefetch commands and the blocked one may be fetched, and
// none before the device is enabled.
func checkPrefetch(d *ir.Design, p arch.Params, seed uint64) error {
	r, err := newHarness(d, p, seed)
	if err != nil {
		return err
	}
	if err := r.configure(0, 4, 4); err != nil {
		return err
	}
	if err := r.write(arch.CSRControl, 0); err != nil {
		return err
	}
	r.command.Rate = 0
	if _, err := r.submit(10); err != nil {
		return err
	}
	for _, c := range []struct{ enable, asked, head uint64 }{{0, 0, 0}, {1, Prefetch + 1, 1}} {
		if err := r.write(arch.CSRControl, c.enable); err != nil {
			return err
		}
		for range 100 {
			if err := r.cycle(); err != nil {
				return err
			}
		}
		if uint64(r.model.asked) != c.asked {
			return fmt.Errorf("%d commands fetched, want %d", r.model.asked, c.asked)
		}
		if err := errors.Join(r.expectRead(arch.CSRSQHead, c.head), r.expectRead(arch.CSRStatus, c.enable)); err != nil {
			return err
		}
	}
	r.command.Rate = 1
	for range 1000 {
		if err := r.cycle(); err != nil {
			return err
		}
	}
	return r.finish()
}

// checkDisable disables the device while a read waits. The read must remain, and no other may
// follow.
func checkDisable(d *ir.Design, p arch.Params, seed uint64) error {
	r, err := newHarness(d, p, seed)
	if err != nil {
		return err
	}
	if err := r.configure(0, 4, 4); err != nil {
		return err
	}
	r.commandRead.Rate = 0
	if _, err := r.submit(3); err != nil {
		return err
	}
	if err := r.write(arch.CSRControl, 0); err != nil {
		return err
	}
	r.commandRead.Rate = 1
	for range 200 {
		if err := r.cycle(); err != nil {
			return err
		}
	}
	if r.posted != 1 || r.model.asked != 1 {
		return fmt.Errorf("%d commands fetched, %d executed, want 1", r.model.asked, r.posted)
	}
	return nil
}

// checkHalt makes the third completion fail. The interrupt must come, nothing else may happen, and
// the registers must report the cause.
func checkHalt(d *ir.Design, p arch.Params, seed uint64) error {
	for code := arch.DMAError(1); code < 16; code++ {
		r, err := newHarness(d, p, seed)
		if err != nil {
			return err
		}
		if err := r.configure(0, 4, 4); err != nil {
			return err
		}
		if _, err := r.submit(9); err != nil {
			return err
		}
		for range 600 {
			if r.posted == 3 {
				r.io.WriteError.Poke(code)
			}
			if err := r.cycle(); err != nil {
				return err
			}
		}
		if r.posted != 3 || r.delivered() != 3 {
			return fmt.Errorf("%d completions, %d of them have left, want 3", r.posted, r.delivered())
		}
		r.io.WriteError.Poke(0)
		err = errors.Join(r.expectRead(arch.CSRError, uint64(code)), r.expectRead(arch.CSRStatus, 1<<arch.StatusHaltedBit),
			r.expectRead(arch.CSRSQHead, 3), r.expectRead(arch.CSRCQTail, 3))
		if err != nil {
			return err
		}
	}
	return nil
}

// checkDamage flips each bit of a command once, including the CRC. Each such command must be
// refused, and the intact command after it must be executed. The same holds after a failed read.
func checkDamage(d *ir.Design, p arch.Params, seed uint64) error {
	r, err := newHarness(d, p, seed)
	if err != nil {
		return err
	}
	if err := r.configure(0, 4, 4); err != nil {
		return err
	}
	const bits = 8 * arch.CommandBytes
	for bit := range bits {
		if _, err := r.submit(2); err != nil {
			return err
		}
		b := r.ring[r.model.Commands.slot(r.tail-2)*arch.CommandBytes:][:arch.CommandBytes]
		if _, _, intact := arch.DecodeCommand(b); !intact {
			return fmt.Errorf("the driver damages %x", b)
		}
		b[bit/8] ^= 1 << (bit % 8)
		if _, _, intact := arch.DecodeCommand(b); intact {
			return fmt.Errorf("bit %d of %x is not checked", bit, b)
		}
		if err := r.await(); err != nil {
			return fmt.Errorf("bit %d: %w", bit, err)
		}
	}
	for range 8 {
		for _, lose := range []float64{0, 1} {
			r.faults.lose = lose
			if _, err := r.submit(1); err != nil {
				return err
			}
			if err := r.await(); err != nil {
				return err
			}
		}
	}
	return r.finish()
}

// await waits for the completions of all commands and consumes them.
func (r *harness) await() error {
	for n := 0; uint16(r.posted) != r.tail; n++ {
		if n == 500 {
			return fmt.Errorf("%d completions of %d commands", r.posted, r.tail)
		}
		if err := r.cycle(); err != nil {
			return err
		}
	}
	return r.consume(r.tail)
}

// checkDoorbell sets the producer index beyond the ring and back.
func checkDoorbell(d *ir.Design, p arch.Params, seed uint64) error {
	r, err := newHarness(d, p, seed)
	if err != nil {
		return err
	}
	const log2 = 3
	if err := r.configure(0, log2, 5); err != nil {
		return err
	}
	r.command.Rate = 0
	if _, err := r.submit(1 << log2); err != nil {
		return err
	}
	look := func(tail, asked, status uint64) error {
		r.model.Commands.Index = uint16(tail)
		if err := r.write(arch.CSRSQTail, tail); err != nil {
			return err
		}
		for range 100 {
			if err := r.cycle(); err != nil {
				return err
			}
		}
		if uint64(r.model.asked) != asked {
			return fmt.Errorf("%d commands fetched with a tail of %d, want %d", r.model.asked, tail, asked)
		}
		return r.expectRead(arch.CSRStatus, status)
	}
	const busy, overrun = 1 << arch.StatusBusyBit, 1 << arch.StatusOverrunBit
	if err := errors.Join(look(8, 5, busy), look(2, 5, busy), look(10, 5, busy|overrun), look(9, 5, busy), look(0, 5, busy|overrun), look(8, 5, busy)); err != nil {
		return err
	}
	r.command.Rate = 1
	for range 1000 {
		if err := r.cycle(); err != nil {
			return err
		}
	}
	if err := errors.Join(look(17, 8, overrun), look(8, 8, 0)); err != nil {
		return err
	}
	return r.finish()
}

func TestScenarios(t *testing.T) {
	for _, p := range sizes {
		d, err := hw.Elaborate(Of(p.Params))
		require.NoError(t, err)
		for name, check := range scenarios {
			require.NoError(t, check(d, p.Params, 1), "%s: %s", p.name, name)
		}
	}
}

// scenarios are situations that random traffic does not produce.
var scenarios = map[string]func(*ir.Design, arch.Params, uint64) error{"full": checkFull, "prefetch": checkPrefetch, "disable": checkDisable, "registers": checkRegisters, "halt": checkHalt, "doorbell": checkDoorbell, "bases": checkBases, "damage": checkDamage}
