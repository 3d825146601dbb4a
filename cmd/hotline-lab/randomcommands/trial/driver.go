package trial

import (
	"fmt"
	"math/rand/v2"

	"github.com/hotline-rtl/hotline/cmd/hotline-lab/randomcommands/oracle"
	"github.com/hotline-rtl/hotline/cmd/hotline-lab/randomcommands/shell"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/sim"
)

// driver is the software side. It owns the rings and tracks the commands.
type driver struct {
	*shell.Shell
	*Result
	p       arch.Params
	rng     *rand.Rand
	oracle  *oracle.Oracle
	program *program
	noise   noise

	commands, completions ring
	tail, head, on        timed // the registers sq_tail, cq_head and enable

	// Counts since the last reset.
	produced  uint32 // commands placed in the ring
	fetched   uint32
	completed uint32 // completion descriptors issued
	filled    uint32 // completions whose data is in memory
	left      uint32 // completions whose writes have ended
	phases    phases

	resetting bool
	placed    bool   // the rings have addresses
	intruded  bool   // a register may have been written after the reset
	stopped   uint64 // while resetting, the cycle after which nothing may be offered
	halted    bool
	haltedAt  uint64
	codes     []int // error codes of completions that could not be written
	slack     int   // beats dropped during a reset; the counter may include them

	changed uint64 // the cycle of the driver's last change
	log     []string
}

func newDriver(s sim.Simulator, p arch.Params, rng *rand.Rand) *driver {
	d := &driver{Result: NewResult(), p: p, rng: rng, oracle: oracle.New(p)}
	d.Shell = shell.New(s, p, rng, d)
	d.noise = noise{driver: d, constants: constants(p)}
	return d
}

// logged is the number of commands that a failure reports.
const logged = 48

func (d *driver) note(format string, args ...any) {
	if len(d.log) == logged {
		d.log = append(d.log[:0], d.log[1:]...)
	}
	d.log = append(d.log, fmt.Sprintf("cycle %d: ", d.Now())+fmt.Sprintf(format, args...))
}

func describe(c oracle.Command) string {
	name := oracle.Names[uint8(c[0])]
	if name == "" {
		name = fmt.Sprintf("opcode %02x", uint8(c[0]))
	}
	return fmt.Sprintf("%s flags %x id %08x operands %#x %#x %#x", name, c[0]>>8, c[1], uint64(c[3])<<32|uint64(c[2]), uint64(c[5])<<32|uint64(c[4]), uint64(c[7])<<32|uint64(c[6]))
}

// cycle simulates a cycle and performs all checks.
func (d *driver) cycle() {
	d.Shell.Cycle()
	if d.Quiet(false) {
		d.tail.step()
		d.on.step()
	}
	if d.Quiet(true) {
		d.head.step()
	}
	d.noise.step()
	d.watch()
}

func (d *driver) wait(n int) {
	for range n {
		d.cycle()
	}
}

// ReadIssued implements shell.Watcher.
func (d *driver) ReadIssued(r *shell.Read) {
	d.mayOffer(r.Offered, "read")
	if !r.Command {
		d.check(d.oracle.ReadIssued(r))
		return
	}
	if want := d.commands.at(d.fetched); r.Addr != want || r.Len != oracle.CommandBytes || r.Peer {
		d.Failf("command read of %#x, %d bytes, peer %t; expected %#x", r.Addr, r.Len, r.Peer, want)
	}
	if !d.placed {
		d.Failf("command %d is read, but no ring has an address since the reset", d.fetched)
	}
	if !d.resetting && !(d.on.some(func(v uint32) bool { return v == 1 }) && d.tail.some(d.inRange)) {
		d.Failf("command %d is read, but sq_tail is %d and enable %d", d.fetched, d.tail.now, d.on.now)
	}
	d.fetched++
	d.oracle.Fetched(r)
}

// inRange reports whether the next command may be read with this value of sq_tail, for some number
// of consumed commands.
func (d *driver) inRange(tail uint32) bool {
	for taken := d.completed; taken <= d.fetched; taken++ {
		if n := (tail - taken) & 0xFFFF; n <= d.commands.entries() && d.fetched-taken < n {
			return true
		}
	}
	return false
}

// WriteIssued implements shell.Watcher.
func (d *driver) WriteIssued(w *shell.Write) {
	d.mayOffer(w.Offered, "write")
	if !d.completions.has(w.Addr) {
		d.check(d.oracle.WriteIssued(w))
		return
	}
	w.Completion = true
	switch want := d.completions.at(d.completed); {
	case w.Addr != want || w.Len != oracle.CompletionBytes:
		d.Failf("completion at %#x, %d bytes; expected at %#x", w.Addr, w.Len, want)
	case !d.resetting && !d.head.some(d.room):
		d.Failf("completion %d is written, but cq_head is %d: no room", d.completed, d.head.now)
	case d.halted && w.Offered > d.haltedAt+settling:
		d.Failf("completion %d is written after the accelerator halted", d.completed)
	}
	d.completed++
}

// room reports whether the next completion may be written with this value of cq_head.
func (d *driver) room(head uint32) bool {
	return (d.completed-head)&0xFFFF < d.completions.entries()
}

// mayOffer checks that no new descriptor is offered during a reset.
func (d *driver) mayOffer(offered uint64, kind string) {
	if d.resetting && offered > d.stopped {
		d.Failf("a %s descriptor is issued %d cycles after the reset began", kind, offered-d.stopped)
	}
}

// WriteFilled implements shell.Watcher.
func (d *driver) WriteFilled(w *shell.Write) {
	if !w.Completion {
		return
	}
	d.Sent()
	c, wrong := oracle.ParseCompletion(w.Data)
	c.Issued = w.Issued
	if wrong != "" {
		d.Failf("completion %x: %s", w.Data, wrong)
	}
	kind := "unreadable"
	if cmd, ok := d.oracle.Present(); ok {
		kind = oracle.Names[uint8(cmd[0])]
		if kind == "" {
			kind = "unknown"
		}
		d.note("status %d, values %d %d of %s", c.Status, c.Values[0], c.Values[1], describe(cmd))
	} else {
		d.note("status %d, id %08x of a command that could not be read", c.Status, c.ID)
	}
	d.check(d.phases.next(c.Phase, d.filled, d.completions))
	d.check(d.oracle.Complete(c))
	d.filled++
	d.count(kind, c.Status)
}

// WriteEnded implements shell.Watcher.
func (d *driver) WriteEnded(w *shell.Write) {
	if !w.Completion {
		return
	}
	d.Left()
	if w.Code == 0 {
		d.left++
		return
	}
	if !d.halted {
		d.halted, d.haltedAt = true, d.Now()
	}
	d.note("the completion could not be written: %d", w.Code)
	d.codes = append(d.codes, w.Code)
}

func (d *driver) check(err error) {
	if err != nil {
		d.Failf("%v", err)
	}
}

// phases tracks the permitted phase bits. A device may compute the bit from the index, or flip it
// at the end of the ring. The two differ only after a change of the ring's size, where the document
// specifies neither.
type phases struct {
	never [2]bool // this behaviour has been ruled out
	flips uint32
}

func (p *phases) next(phase int, index uint32, r ring) error {
	way := [2]int{int(^(index & 0xFFFF >> r.log2) & 1), int(^p.flips & 1)}
	for i, want := range way {
		p.never[i] = p.never[i] || phase != want
	}
	if (index+1)&(r.entries()-1) == 0 {
		p.flips++
	}
	if p.never[0] && p.never[1] {
		return fmt.Errorf("completion %d in a ring of %d has phase %d", index, r.entries(), phase)
	}
	return nil
}
