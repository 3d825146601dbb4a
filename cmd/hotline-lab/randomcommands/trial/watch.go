package trial

import "github.com/hotline-rtl/hotline/cmd/hotline-lab/randomcommands/oracle"

// bound is the most cycles between two signs of life of the accelerator when the
// boundary owes it nothing. Behind a row that failed, as many rows as there are tags
// can be there and be taken, a beat in a cycle, while nothing is written.
func (d *driver) bound() uint64 {
	n := uint64(1000 + 2*d.p.Tags*d.p.VectorValues*32/d.p.StreamBits)
	if c, ok := d.oracle.Present(); ok {
		switch uint8(c[0]) {
		case oracle.Learn, oracle.Classify, oracle.Gather:
			n += min(16*uint64(c[4])*d.oracle.Register(oracle.RegSlots), 16*uint64(d.p.HalfWords()))
		case oracle.HotSet:
			n += 2 * uint64(d.p.Blocks)
		}
	}
	return n
}

// due tells whether the accelerator has something to do.
func (d *driver) due() bool {
	switch {
	case d.halted || d.resetting || !d.placed:
		return false
	case d.completed != d.filled: // the data of a completion
		return true
	case !d.room(d.head.now):
		return false
	case d.oracle.Pending() > 0:
		return true
	}
	n := (d.tail.now - d.fetched) & 0xFFFF
	return d.on.now == 1 && n > 0 && n <= d.commands.entries()
}

// watch stops a trial in which nothing happens that is due.
func (d *driver) watch() {
	if since := max(d.Active(), d.changed); !d.Owes() && d.due() && d.Now() > since+d.bound() {
		d.Failf("nothing has happened since cycle %d; %d commands are read and not completed", since, d.oracle.Pending())
	}
}
