package oracle

import (
	"fmt"

	"github.com/hotline-rtl/hotline/cmd/hotline-lab/randomcommands/shell"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// row is a read of a row that a command has requested.
type row struct {
	addr  uint64
	bytes int
	peer  bool
	read  *shell.Read // nil until the descriptor is observed
}

// inputs are the classified inputs in a half.
type inputs struct {
	n, l    int
	words   []uint32
	popular []bool
	hot     *hotSet
}

// Range is the range of a counter. It contains more than one value where the document does not
// specify whether failed transfers count.
type Range struct{ Low, High uint32 }

// Oracle follows the execution of an accelerator.
type Oracle struct {
	p       arch.Params
	regs    registers
	named   map[uint64]bool // tables to which slots refer
	learned map[uint32]bool
	hot     *hotSet
	epoch   epoch
	halves  [2]*inputs
	buffer  vector // nil if empty
	ahead   []*row

	fetched []*shell.Read // commands that have not completed
	reads   []*shell.Read // reads of rows and loads that no command has accounted for
	writes  []*shell.Write
	unseen  []*row // requested, but not yet observed
	known   int    // number of completions

	lookups       uint32
	rows          []*shell.Read // not yet counted
	read, written Range
}

// New returns the oracle of an accelerator with parameters p after reset.
func New(p arch.Params) *Oracle {
	o := &Oracle{p: p}
	o.Reset()
	return o
}

// Reset discards all state.
func (o *Oracle) Reset() {
	*o = Oracle{p: o.p, regs: registers{}, named: map[uint64]bool{}, learned: map[uint32]bool{}, epoch: epoch{learned: map[uint32]bool{}}}
	o.hot = newHotSet(o)
}

// Fetched records the read of the next command.
func (o *Oracle) Fetched(r *shell.Read) { o.fetched = append(o.fetched, r) }

// ReadIssued records another read.
func (o *Oracle) ReadIssued(r *shell.Read) error {
	if len(o.unseen) == 0 {
		o.reads = append(o.reads, r)
		return o.endless(len(o.reads))
	}
	x := o.unseen[0]
	o.unseen = o.unseen[1:]
	return o.match(x, r)
}

// match checks that descriptor r is the read of x.
func (o *Oracle) match(x *row, r *shell.Read) error {
	if r.Addr != x.addr || r.Len != x.bytes || r.Peer != x.peer {
		return fmt.Errorf("read of %#x, %d bytes, peer %t; expected %#x, %d bytes, peer %t", r.Addr, r.Len, r.Peer, x.addr, x.bytes, x.peer)
	}
	x.read = r
	o.rows = append(o.rows, r)
	return nil
}

// WriteIssued records a write that is not a completion.
func (o *Oracle) WriteIssued(w *shell.Write) error {
	o.writes = append(o.writes, w)
	return o.endless(len(o.writes))
}

// endless returns an error if there are more reads or writes than any command can have.
func (o *Oracle) endless(n int) error {
	if n > o.p.HalfWords()+o.p.Blocks {
		return fmt.Errorf("%d reads or writes of a command", n)
	}
	return nil
}

// Pending returns the number of commands that have been fetched and have not completed.
func (o *Oracle) Pending() int { return len(o.fetched) }

// Present returns the command in execution. It reports false if there is none or its read has not
// succeeded.
func (o *Oracle) Present() (c Command, ok bool) {
	if len(o.fetched) == 0 || o.fetched[0].Ended == 0 || o.fetched[0].Outcome() != 0 {
		return c, false
	}
	return commandOf(o.fetched[0].Data), true
}

// RowsAhead returns the number of prefetched rows.
func (o *Oracle) RowsAhead() int { return len(o.ahead) }

// Full reports whether the vector buffer contains a vector.
func (o *Oracle) Full() bool { return o.buffer != nil }

// Held returns the number of inputs in a half.
func (o *Oracle) Held(half int) int {
	if h := o.halves[half]; h != nil {
		return h.n
	}
	return 0
}

// Register returns the value of a register of s_wr, or 0 if it was not written since the reset.
func (o *Oracle) Register(reg uint64) uint64 { return o.regs[reg] }

// Written reports whether a register of s_wr was written since the reset.
func (o *Oracle) Written(reg uint64) bool { return o.regs.has(reg, 1) }

// Idle checks that nothing is left over after all commands have completed and all reads and writes
// have ended.
func (o *Oracle) Idle() error {
	switch {
	case len(o.unseen) > 0:
		return fmt.Errorf("a row at %#x was asked for, but never read", o.unseen[0].addr)
	case len(o.reads) > 0:
		return fmt.Errorf("a read of %#x, %d bytes, that no command asked for", o.reads[0].Addr, o.reads[0].Len)
	case len(o.writes) > 0:
		return fmt.Errorf("a write to %#x, %d bytes, that no command asked for", o.writes[0].Addr, o.writes[0].Len)
	}
	return nil
}

// Counters returns the number of lookups, of rows read and of rows written. All reads must have
// ended.
func (o *Oracle) Counters() (lookups uint32, read, written Range) {
	for _, r := range o.rows {
		o.read.count(r.Outcome())
	}
	o.rows = o.rows[:0]
	read = o.read
	read.Low -= min(read.Low, uint32(len(o.ahead))) // prefetched rows may or may not have been counted
	return o.lookups, read, o.written
}

func (r *Range) count(code int) {
	r.High++
	if code == 0 {
		r.Low++
	}
}

// Has reports whether v is in the range.
func (r Range) Has(v uint32) bool { return v-r.Low <= r.High-r.Low }
