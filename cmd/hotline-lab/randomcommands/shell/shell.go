package shell

import (
	"fmt"
	"math/rand/v2"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/sim"
)

// Failure is a violation of the rules by the accelerator. It is used as the value of a panic, so
// that the campaign stops in the cycle of the violation.
type Failure struct {
	Cycle uint64
	Text  string
}

func (f *Failure) Error() string { return fmt.Sprintf("cycle %d: %s", f.Cycle, f.Text) }

// Shell simulates an accelerator in a model of its environment.
type Shell struct {
	Memory   *Memory
	Schedule Schedule
	Faults   map[string]int // number of injected faults, by kind
	Dropped  int            // beats without a descriptor, since the last reset
	Keep     bool           // withholds statuses

	sim     sim.Simulator
	rng     *rand.Rand
	watcher Watcher
	now     uint64
	active  uint64 // the last cycle with a transfer
	read    readSide
	write   writeSide
	bus     bus
	irq     interrupt
	straps  straps
}

// New returns the environment of an accelerator with parameters p. s simulates the accelerator and
// is in its initial state.
func New(s sim.Simulator, p arch.Params, rng *rand.Rand, w Watcher) *Shell {
	h := &Shell{Memory: newMemory(rng.Uint64()), Schedule: Calm(), Faults: map[string]int{}, sim: s, rng: rng, watcher: w}
	h.read = newReadSide(h, p)
	h.write = newWriteSide(h, p)
	h.bus = newBus(h)
	h.irq = newInterrupt(h)
	h.straps = newStraps(h)
	return h
}

// Failf panics with a Failure.
func (s *Shell) Failf(format string, args ...any) {
	panic(&Failure{s.now, fmt.Sprintf(format, args...)})
}

// Now returns the current cycle.
func (s *Shell) Now() uint64 { return s.now }

// Active returns the last cycle in which the accelerator sent or received a transfer at the
// boundary.
func (s *Shell) Active() uint64 { return s.active }

// Owes reports whether the accelerator may be waiting for the environment.
func (s *Shell) Owes() bool {
	return len(s.read.outstanding) > 0 || s.write.filled() || s.read.desc.held || s.write.desc.held || s.write.data.held
}

// Pending reports whether a descriptor has not ended.
func (s *Shell) Pending() bool { return len(s.read.outstanding) > 0 || len(s.write.outstanding) > 0 }

// Outstanding describes the descriptors that have not ended.
func (s *Shell) Outstanding() string {
	text := ""
	for _, j := range s.read.jobs {
		text += fmt.Sprintf("  read  tag %2d %#x, %d bytes, %d came, since cycle %d\n", j.Tag, j.Addr, j.Len, len(j.Data), j.Issued)
	}
	for _, w := range s.write.order {
		text += fmt.Sprintf("  write tag %2d %#x, %d bytes, %d sent, since cycle %d\n", w.Tag, w.Addr, w.Len, len(w.Data), w.Issued)
	}
	return text
}

// Cycle simulates a cycle.
func (s *Shell) Cycle() {
	s.now = s.sim.Cycle()
	s.read.drive()
	s.write.drive()
	s.bus.drive()
	s.irq.drive()
	s.straps.drive()
	s.read.finish()
	s.straps.sample()
	s.read.sample()
	s.write.sample()
	s.bus.sample()
	s.irq.sample()
	s.step()
}

func (s *Shell) step() {
	if err := s.sim.Step(); err != nil {
		s.Failf("%v", err)
	}
}

// Reset asserts rst for n cycles. It discards all transfers in progress.
func (s *Shell) Reset(n int) { s.reset(n, s.sim.SetReset) }

// FLR asserts cfg_flr for n cycles. It discards all transfers in progress.
func (s *Shell) FLR(n int) { s.reset(n, s.straps.flr.SetBool) }

func (s *Shell) reset(n int, drive func(bool)) {
	drive(true)
	s.read.clear()
	s.write.clear()
	s.bus.clear()
	s.irq.ack.SetBool(s.chance(0.5))
	for range n {
		s.step()
	}
	drive(false)
	s.now = s.sim.Cycle()
	s.Restarted()
}

// Restarted records that the accelerator has been reset, by rst or by its control register. It
// resets the interrupt checks and the count of dropped beats.
func (s *Shell) Restarted() {
	s.irq.restart()
	s.Dropped = 0
}

func (s *Shell) chance(p float64) bool { return p > 0 && s.rng.Float64() < p }

// upTo returns a random number of cycles, at most most.
func (s *Shell) upTo(most int) uint64 {
	if most <= 0 {
		return 0
	}
	if s.rng.IntN(16) > 0 {
		most = most/4 + 1 // for completion out of order, a few must be much later than the rest
	}
	return s.rng.Uint64N(uint64(most) + 1)
}

// bits returns the width of a port.
func bits(s sim.Simulator, name string) int {
	for _, p := range s.Ports() {
		if p.Name == name {
			return p.Type.Bits()
		}
	}
	panic("no port " + name)
}

// Quiet reports whether no read (or write) descriptor is offered, or waits until descriptors are
// allowed again.
func (s *Shell) Quiet(write bool) bool {
	desc := s.read.desc
	if write {
		desc = s.write.desc
	}
	return !desc.held && !s.straps.forbidden()
}
