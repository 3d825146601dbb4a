package functional

import (
	"encoding/binary"

	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/isa"
)

// ring is the state of commands and completions that the model does not contain.
type ring struct {
	ahead     int // number of commands requested and not taken
	entries   [isa.Prefetch]entry
	completed bool  // the command is over, and its completion waits for a free entry
	posted    int64 // edge of the latest completion
	halted    link.Error
}

// entry is a prefetched command.
type entry struct {
	words         [arch.CommandBytes / 8]uint64
	ended, failed bool
}

// bytes returns the command in memory order, or nil if its read failed.
func (e *entry) bytes() []byte {
	if e.failed {
		return nil
	}
	b := make([]byte, 0, arch.CommandBytes)
	for _, w := range e.words {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return b
}

// running is the command in execution.
type running struct {
	busy   bool
	cmd    arch.Command
	status arch.Status // status of a rejected command
	words  arch.Status // status from the check of the loaded words
	values [2]uint32
	sum    uint32 // sum over the data written by the command
	until  int64  // edge before which the command is not over
	over   bool   // only operations and writes are pending
}

// fetch requests commands up to the doorbell.
func (a *Accel) fetch() {
	if a.resetting || a.ring.halted != link.OK {
		return
	}
	for {
		r, ok := a.model.ISA.Fetch()
		if !ok {
			return
		}
		a.ring.ahead++
		a.ring.entries[r.Tag] = entry{}
		a.reads.command(r)
	}
}

// begin takes the next command if it has arrived and no command is in execution.
func (a *Accel) begin() {
	next := &a.ring.entries[a.model.ISA.Head()%isa.Prefetch]
	if a.now.busy || a.ring.halted != link.OK || a.resetting || !next.ended {
		return
	}
	next.ended = false
	cmd, status := a.model.ISA.Take(next.bytes())
	a.now = running{busy: true, cmd: cmd, status: status}
	a.ring.ahead--
	a.fetch()
	if status != arch.StatusOK {
		a.at(a.edge()+takeCycles, a.complete)
		return
	}
	a.at(a.edge()+takeCycles+issueCycles, a.execute)
}

// complete ends the command. Its status is known, and its completion is sent as soon as the ring
// has a free entry.
func (a *Accel) complete() {
	if a.now.status == arch.StatusOK {
		if a.now.status = a.now.words; a.now.status == arch.StatusOK {
			a.now.status = a.failure()
		}
		a.model.Dispatch.Finish(a.now.cmd, a.now.status == arch.StatusOK)
	}
	a.model.Reads.Clear()
	a.reducer.failed, a.writes.failed = 0, 0
	a.ring.completed = true
	a.ring.posted = a.edge() + postCycles + int64(max(1, arch.CompletionBytes/a.p.StreamBytes()))
	a.post()
}

// post sends the pending completion if the ring has a free entry.
func (a *Accel) post() {
	if !a.ring.completed || a.resetting {
		return
	}
	w, ok := a.model.ISA.Complete(a.now.status, a.now.values[0], a.now.values[1], a.now.sum)
	if !ok {
		return
	}
	a.ring.completed = false
	a.at(max(a.ring.posted, a.edge()), func() {
		if !a.resetting {
			a.write(completionID, w.Addr, w.Data)
		}
	})
}

// posted finishes the command after its completion was sent or failed.
func (a *Accel) posted(e link.Error) {
	a.at(a.edge()+noticeCycles, func() {
		a.ring.halted = e
		a.ep.RaiseInterrupt(0)
		a.at(a.edge()+turnCycles, func() {
			a.now = running{}
			a.begin()
		})
	})
}
