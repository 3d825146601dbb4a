package trial

import (
	"slices"

	"github.com/hotline-rtl/hotline/cmd/hotline-lab/randomcommands/oracle"
	"github.com/hotline-rtl/hotline/cmd/hotline-lab/randomcommands/shell"
)

// resetBound returns the maximum number of cycles of a reset after the environment has sent all
// outstanding responses. The accelerator may have to discard prefetched rows beat by beat.
func (d *driver) resetBound() uint64 {
	return 200 + uint64(d.p.Tags*4*d.p.VectorValues/d.p.StreamBytes())
}

// start configures an accelerator after a reset: it writes the rings and the address registers.
func (d *driver) start() {
	d.Schedule = shell.Calm()
	d.program = newProgram(d.p, d.rng, d.Memory)
	d.awaitReady()
	d.checkFresh()
	if d.rng.IntN(4) == 0 && !d.intruded {
		d.beforeRings()
	}
	d.rings()
	d.setEnable(1)
	d.setUp()
	d.Schedule = shell.RandomSchedule(d.rng)
}

// awaitReady waits until the EAL is cleared.
func (d *driver) awaitReady() {
	for from := d.Now(); d.read(csrStatus)&ready == 0; {
		if d.Now() > from+uint64(d.p.Blocks)+1000 {
			d.Failf("not ready since the reset that ended in cycle %d", from)
		}
	}
}

// checkFresh checks the registers after a reset.
func (d *driver) checkFresh() {
	const when = "after a reset"
	d.expect(csrStatus, ready, when)
	for _, r := range writable {
		d.expect(r, 0, when)
	}
	fresh := []uint32{csrSQHead, csrCQTail, csrError, csrRowsAhead, csrLookups, csrCacheHits, csrLookupCycles, csrRowsRead, csrRowsWritten}
	for _, r := range append(fresh, counters...) {
		d.expect(r, 0, when)
	}
}

// beforeRings rings the doorbell while a base address is incomplete, and checks that nothing is
// read. The written halves belong to no ring.
func (d *driver) beforeRings() {
	d.Events["doorbell before the rings have addresses"]++
	bases := []uint32{csrSQBase, csrSQBaseHigh, csrCQBase, csrCQBaseHigh}
	some := d.rng.Perm(len(bases))[:d.rng.IntN(len(bases))]
	for _, i := range some {
		d.write(bases[i], d.rng.Uint32())
	}
	d.setEnable(1)
	d.doorbell(1)
	d.wait(d.rng.IntN(200))
	d.expect(csrStatus, ready|noRings, "while a ring has no address")
	d.expect(csrSQHead, 0, "while a ring has no address")
	d.doorbell(0)
	d.setEnable(0)
	d.expect(csrStatus, ready, "after the doorbell was taken back")
}

// setUp writes the address registers, and repeats failed writes. After most resets it omits one or
// several registers, so that commands which need them are refused.
func (d *driver) setUp() {
	todo := d.program.setUp()
	switch d.rng.IntN(4) {
	case 0:
		d.Events["registers left unset"]++
		rate := d.rng.Float64() * d.rng.Float64()
		todo = slices.DeleteFunc(todo, func(c oracle.Command) bool { return d.rng.Float64() < rate })
	case 1, 2:
		d.Events["a register left unset"]++
		missing := d.program.address()
		d.program.missing = missing
		todo = slices.DeleteFunc(todo, func(c oracle.Command) bool { return uint64(c[2]) == missing })
	}
	for len(todo) > 0 && !d.halted {
		for _, c := range todo {
			if d.free() == 0 {
				d.rest()
			}
			if d.halted {
				return
			}
			d.place(c)
			if d.free() == 0 || d.rng.IntN(8) == 0 {
				d.doorbell(d.produced)
			}
		}
		d.doorbell(d.produced)
		d.rest()
		todo = slices.DeleteFunc(todo, func(c oracle.Command) bool {
			reg := uint64(c[2])
			return d.oracle.Written(reg) && d.oracle.Register(reg) == uint64(c[5])<<32|uint64(c[4])
		})
	}
}

// forget resets the driver's state after a reset.
func (d *driver) forget() {
	d.oracle.Reset()
	d.tail, d.head, d.on = timed{}, timed{}, timed{}
	d.produced, d.fetched, d.completed, d.filled, d.left = 0, 0, 0, 0, 0
	d.phases = phases{}
	d.halted, d.codes, d.resetting, d.placed = false, nil, false, false
	d.changed = d.Now()
	d.note("reset")
}

// hardReset asserts rst or cfg_flr, regardless of activity.
func (d *driver) hardReset() {
	d.check(d.oracle.Interrupted())
	d.intruded = false
	d.noise.read, d.noise.write = nil, nil
	if cycles := 1 + d.rng.IntN(3); d.rng.IntN(2) == 0 {
		d.Events["rst"]++
		d.Reset(cycles)
	} else {
		d.Events["function-level reset"]++
		d.FLR(cycles)
	}
	d.forget()
	d.slack = 0
	d.start()
}

// softReset writes bit 1 of control, regardless of activity.
func (d *driver) softReset() {
	d.Events["reset by control"]++
	dropped := d.Dropped
	d.intruded = false
	a := d.startWrite(csrControl, reset|d.rng.Uint32N(2), allBytes)
	d.resetting, d.stopped = true, ^uint64(0)
	d.Resetting()
	d.await(a, shell.Okay)
	d.stopped = d.Now() + 2
	if d.rng.IntN(8) == 0 {
		d.keepBack()
		return
	}
	for quiet := d.Now(); d.read(csrControl) != 0; {
		if d.Owes() {
			quiet = d.Now()
		} else if d.Now() > quiet+d.resetBound() {
			d.Failf("control is not 0 %d cycles after the boundary owes nothing more", d.resetBound())
		}
		if d.rng.IntN(100) == 0 {
			d.hardReset()
			return
		}
		d.intrude()
	}
	for d.noise.read != nil || d.noise.write != nil {
		d.noise.off = true
		d.cycle()
	}
	d.noise.off = false
	d.check(d.oracle.Interrupted())
	d.slack = d.Dropped - dropped
	d.Restarted()
	d.forget()
	d.start()
}

// keepBack lets the environment withhold statuses, so that a reset does not end, and then asserts
// rst.
func (d *driver) keepBack() {
	d.Keep = true
	d.wait(100 + int(d.resetBound()))
	if d.Pending() {
		d.Events["reset that does not end"]++
		d.expect(csrControl, reset, "while the boundary keeps a status back")
	}
	d.Keep = false
	d.hardReset()
}

// intrude writes a register during a reset. If the reset is still in progress afterwards, the write
// has no effect. Otherwise intrude restores the register.
func (d *driver) intrude() {
	if d.rng.IntN(2) == 0 {
		d.wait(d.rng.IntN(20))
		return
	}
	reg := writable[1+d.rng.IntN(len(writable)-1)] // all except control
	d.write(reg, d.rng.Uint32())
	if d.read(csrControl) == 0 {
		d.write(reg, 0)
		d.intruded = true
	}
}

// afterHalt checks an accelerator that could not write a completion, then resets it.
func (d *driver) afterHalt() {
	d.Events["halted"]++
	for d.Owes() {
		d.cycle()
	}
	if d.rng.IntN(2) == 0 {
		d.submit()
	}
	d.wait(200)
	if got := d.read(csrStatus); got&halted == 0 {
		d.Failf("status is %x after a completion could not be written", got)
	}
	if got := d.read(csrError); !slices.Contains(d.codes, int(got)) {
		d.Failf("error is %d, expected %d", got, d.codes)
	}
	if d.rng.IntN(2) == 0 {
		d.softReset()
	} else {
		d.hardReset()
	}
}

// wind advances the indices of the rings to just below their overflow, with fast commands. The
// count of dropped beats saturates.
func (d *driver) wind() {
	d.Events["indices near their end"]++
	d.Schedule = shell.Calm()
	d.Schedule.Stray = 0.1 // more beats than the count of dropped beats can represent
	for d.produced < 0xFFC0 {
		for d.free() > 0 {
			d.place(d.program.fence())
		}
		d.doorbell(d.produced)
		d.consumeTo(d.filled)
		d.wait(20)
	}
	d.Schedule = shell.RandomSchedule(d.rng)
}
