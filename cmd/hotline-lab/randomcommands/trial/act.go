package trial

import (
	"github.com/hotline-rtl/hotline/cmd/hotline-lab/randomcommands/oracle"
	"github.com/hotline-rtl/hotline/cmd/hotline-lab/randomcommands/shell"
)

// begin starts the accelerator for the first time.
func (d *driver) begin() {
	d.Reset(2)
	d.start()
}

// act performs one random action.
func (d *driver) act() {
	if d.halted {
		d.afterHalt()
		return
	}
	switch n := d.rng.IntN(1000); {
	case n < 500:
		d.submit()
	case n < 700:
		d.consume()
	case n < 850:
		d.wait(d.rng.IntN(1 << d.rng.IntN(9)))
	case n < 900:
		d.Schedule = shell.RandomSchedule(d.rng)
	case n < 950:
		d.drain()
	case n < 970:
		d.pause()
	case n < 980:
		d.jump()
	case n < 983:
		d.pull()
	case n < 986:
		d.leap()
	case n < 992:
		d.goOn()
	case n < 997:
		d.softReset()
	default:
		d.hardReset()
	}
}

// finish ends an episode. It waits for all commands and checks the final state.
func (d *driver) finish() {
	d.drain()
	if d.halted {
		d.afterHalt()
	}
}

// submit places commands in the ring and rings the doorbell.
func (d *driver) submit() {
	free := d.free()
	if free == 0 {
		d.consume()
		d.wait(20)
		return
	}
	n := 1 + d.rng.Uint32N(min(free, 1<<d.rng.IntN(7)))
	if d.oracle.Pending() == 0 && d.produced == d.fetched && len(d.program.queued) == 0 {
		d.program.guess(d.oracle)
	}
	for range n {
		d.place(d.program.next())
		if d.rng.IntN(8) == 0 {
			d.doorbell(d.produced)
		}
	}
	d.doorbell(d.produced)
}

// free returns the number of entries of the command ring that the driver may write, according to
// the completions.
func (d *driver) free() uint32 { return d.commands.entries() - (d.produced - d.filled) }

func (d *driver) place(c oracle.Command) {
	d.Memory.Write(d.commands.at(d.produced), c.Bytes())
	d.produced++
}

// doorbell writes sq_tail.
func (d *driver) doorbell(tail uint32) {
	a := d.startWrite(csrSQTail, tail&0xFFFF|d.rng.Uint32()<<16, allBytes)
	d.tail.set(tail & 0xFFFF)
	d.await(a, shell.Okay)
	d.tail.written()
	d.changed = d.Now()
}

// consume consumes some or all of the completions.
func (d *driver) consume() {
	n := d.filled - d.head.now&0xFFFF
	n &= 0xFFFF
	if n == 0 {
		return
	}
	if d.rng.IntN(2) == 0 {
		n = 1 + d.rng.Uint32N(n)
	}
	d.consumeTo(d.head.now + n)
}

// consumeTo writes cq_head.
func (d *driver) consumeTo(head uint32) {
	a := d.startWrite(csrCQHead, head&0xFFFF|d.rng.Uint32()<<16, allBytes)
	d.head.set(head & 0xFFFF)
	d.await(a, shell.Okay)
	d.head.written()
	d.changed = d.Now()
}

// setEnable writes control.
func (d *driver) setEnable(v uint32) {
	a := d.startWrite(csrControl, v|d.rng.Uint32()&^3, allBytes)
	d.on.set(v)
	d.await(a, shell.Okay)
	d.on.written()
	d.changed = d.Now()
}

// rest waits until all work is done.
func (d *driver) rest() {
	for !d.halted {
		if (d.filled-d.head.now)&0xFFFF > 0 {
			d.consumeTo(d.filled)
		}
		if !d.due() && !d.Owes() && d.oracle.Pending() == 0 {
			break
		}
		d.cycle()
	}
}

// drain waits until all work is done and checks everything that is observable then.
func (d *driver) drain() {
	forbid := d.Schedule.Forbid
	defer func() { d.Schedule.Forbid = forbid }()
	d.Schedule.Forbid = 0
	d.Allow() // blocked requests start now
	d.wait(40)
	d.rest()
	for range 40 {
		d.cycle()
	}
	if d.halted || d.due() {
		return
	}
	d.Events["drained"]++
	d.check(d.oracle.Idle())
	d.checkRegisters()
}

// checkRegisters checks the registers of an idle accelerator.
func (d *driver) checkRegisters() {
	const when = "when all commands have completed"
	status := uint32(ready)
	if (d.tail.now-d.fetched)&0xFFFF > d.commands.entries() {
		status |= overrun
	}
	d.expect(csrStatus, status, when)
	d.expect(csrSQHead, d.fetched&0xFFFF, when)
	d.expect(csrCQTail, d.left&0xFFFF, when)
	d.expect(csrRowsAhead, uint32(d.oracle.RowsAhead()), when)
	d.expect(csrError, 0, when)
	lookups, read, written := d.oracle.Counters()
	d.expect(csrLookups, lookups, when)
	d.among(csrRowsRead, read, when)
	d.among(csrRowsWritten, written, when)
	least := d.Dropped
	dropped := d.read(csrDropped)
	if int(dropped) < min(least, 0xFFFF) || int(dropped) > min(d.Dropped+d.slack, 0xFFFF) {
		d.Failf("register %02x is %d %s, expected one from %d to %d", csrDropped, dropped, when, least, d.Dropped+d.slack)
	}
	if hits := d.read(csrCacheHits); hits > lookups {
		d.Failf("%d cache hits of %d lookups", hits, lookups)
	}
	if hot := d.read(csrHotLookups); hot > lookups {
		d.Failf("%d lookups of %d are of hot rows", hot, lookups)
	}
	if reads := d.read(csrReads); reads&0xFFFF > uint32(d.oracle.RowsAhead()) || reads>>16 > uint32(d.p.Tags) {
		d.Failf("%d reads are in flight, %d at most, with %d rows ahead and %d tags", reads&0xFFFF, reads>>16, d.oracle.RowsAhead(), d.p.Tags)
	}
	if n := d.read(csrBytesRead); n%4 != 0 || n == 0 && d.fetched > 0 {
		d.Failf("%d bytes read for %d commands", n, d.fetched)
	}
	d.expect(csrControl, d.on.now, when)
	d.expect(csrSQTail, d.tail.now, when)
	d.expect(csrCQHead, d.head.now, when)
	d.expectRings(when)
}

func (d *driver) among(addr uint32, want oracle.Range, when string) {
	if got := d.read(addr); !want.Has(got) {
		d.Failf("register %02x is %d %s, expected one from %d to %d", addr, got, when, want.Low, want.High)
	}
}

func (d *driver) expectRings(when string) {
	d.expect(csrSQBase, uint32(d.commands.base), when)
	d.expect(csrSQBaseHigh, uint32(d.commands.base>>32), when)
	d.expect(csrSQLog2, uint32(d.commands.log2), when)
	d.expect(csrCQBase, uint32(d.completions.base), when)
	d.expect(csrCQBaseHigh, uint32(d.completions.base>>32), when)
	d.expect(csrCQLog2, uint32(d.completions.log2), when)
}

// pause disables the fetch of commands for a while.
func (d *driver) pause() {
	d.Events["enable 0 for a while"]++
	d.setEnable(0)
	d.wait(d.rng.IntN(200))
	if d.rng.IntN(2) == 0 && !d.halted {
		d.submit()
		d.wait(50)
	}
	if d.rng.IntN(2) == 0 {
		d.rest()
	}
	d.setEnable(1)
}

// jump sets sq_tail so far ahead that it stays out of range, and then sets it back.
func (d *driver) jump() {
	d.Events["sq_tail out of range"]++
	entries := d.commands.entries()
	room := 0x10000 - int(entries) - int(d.produced-d.completed) - 8
	d.doorbell(d.produced + entries + 1 + d.rng.Uint32N(uint32(room)))
	d.wait(d.rng.IntN(300))
	if d.rng.IntN(2) == 0 {
		d.drain()
	}
	d.doorbell(d.produced)
}

// pull sets sq_tail back, possibly to an index that has already been fetched.
func (d *driver) pull() {
	d.Events["sq_tail set back"]++
	if n := d.produced - d.completed; n > 0 {
		d.doorbell(d.produced - d.rng.Uint32N(n+1))
	}
	d.wait(d.rng.IntN(300))
	if d.rng.IntN(2) == 0 {
		d.drain()
	}
	d.doorbell(d.produced)
}

// leap sets cq_head ahead of the completions that have been written, so that the ring has no space.
func (d *driver) leap() {
	d.Events["cq_head ahead"]++
	before := d.head.now
	d.consumeTo(d.completed + 32 + d.rng.Uint32N(1000))
	d.wait(d.rng.IntN(300))
	d.consumeTo(before)
}

// goOn changes the rings without a reset.
func (d *driver) goOn() {
	d.drain()
	if d.halted || (d.tail.now-d.fetched)&0xFFFF != 0 {
		return
	}
	d.Events["rings changed without a reset"]++
	stop := d.rng.IntN(2) == 0
	if stop {
		d.setEnable(0)
		d.expect(csrStatus, ready, "with enable 0 and nothing to do")
	}
	d.rings()
	if stop {
		d.setEnable(1)
	}
}

// rings places both rings at random addresses with random sizes.
func (d *driver) rings() {
	d.placed = true
	size := func() uint {
		if d.rng.IntN(30) == 0 {
			return uint(d.rng.IntN(16))
		}
		return uint(d.rng.IntN(8))
	}
	d.commands = ring{d.program.region(inCommands) &^ 63, size(), oracle.CommandBytes}
	d.completions = ring{d.program.region(inCompletions) &^ 31, size(), oracle.CompletionBytes}
	noise := func(mask uint32) uint32 { return d.rng.Uint32() & mask }
	for _, i := range d.rng.Perm(6) {
		switch i {
		case 0:
			d.write(csrSQBase, uint32(d.commands.base)|noise(63))
		case 1:
			d.write(csrSQBaseHigh, uint32(d.commands.base>>32))
		case 2:
			d.write(csrSQLog2, uint32(d.commands.log2)|noise(^uint32(15)))
		case 3:
			d.write(csrCQBase, uint32(d.completions.base)|noise(31))
		case 4:
			d.write(csrCQBaseHigh, uint32(d.completions.base>>32))
		case 5:
			d.write(csrCQLog2, uint32(d.completions.log2)|noise(^uint32(15)))
		}
	}
	d.changed = d.Now()
}
