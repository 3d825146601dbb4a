package accel

import (
	"encoding/binary"
	"hash/crc32"

	"github.com/hotline-rtl/hotline/host/driver"
	"github.com/hotline-rtl/hotline/host/pcie/link"
)

// prefetch is how many commands are fetched ahead.
const prefetch = 4

// ring is the state of the command and the completion ring. The numbers of
// commands and completions run freely.
type ring struct {
	asked, head uint16 // next command to fetch, to execute
	entries     [prefetch][]byte
	arrived     [prefetch]bool
	lost        [prefetch]bool // the read has failed
	tail        uint16         // next completion
	completion  []byte         // waits for room
	writing     bool           // it is on its way
	halted      link.Error     // of the completion that could not be written
}

// command is an entry of the command ring.
type command struct {
	opcode  driver.Opcode
	flag    bool // bit 0 of the flags
	half    int  // the same as a number
	id      uint32
	operand [3]uint64
	intact  bool
	lost    bool // could not be read
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func decode(b []byte) command {
	le := binary.LittleEndian
	crc := len(b) - 4
	c := command{opcode: driver.Opcode(b[0]), flag: b[1]&1 != 0, half: int(b[1] & 1), id: le.Uint32(b[4:]),
		intact: le.Uint32(b[crc:]) == crc32.Checksum(b[:crc], castagnoli)}
	for i := range c.operand {
		c.operand[i] = le.Uint64(b[8+8*i:])
	}
	return c
}

// fetch asks for commands up to the doorbell.
func (a *Accel) fetch() {
	r, c := &a.ring, &a.csrs
	if c.stored[driver.CSRControl]&1 == 0 || a.resetting || r.halted != link.OK || a.overrun() {
		return
	}
	mask := uint16(1)<<c.stored[driver.CSRSQLog2] - 1
	for r.asked-r.head < min(uint16(c.stored[driver.CSRSQTail])-r.head, prefetch) {
		i := r.asked % prefetch
		addr := c.pair(driver.CSRSQBaseLo, driver.CSRSQBaseHi) + uint64(r.asked&mask)*driver.CommandBytes
		r.asked++
		r.entries[i], r.arrived[i] = nil, false
		id := fetchID + uint32(i)
		a.begun(a.ep.ReadRequest(addr, driver.CommandBytes, id), func() { a.ReadDone(id, link.UnsupportedRequest) })
	}
}

// overrun tells that the driver offers more commands than the ring has entries.
func (a *Accel) overrun() bool {
	return uint16(a.csrs.stored[driver.CSRSQTail])-a.ring.head > 1<<a.csrs.stored[driver.CSRSQLog2]
}

func (r *ring) fetchData(i uint32, data []byte) { r.entries[i] = append(r.entries[i], data...) }

// fetched notes that a fetch has ended.
func (a *Accel) fetched(i uint32, e link.Error) {
	r := &a.ring
	r.lost[i] = e != link.OK || len(r.entries[i]) != driver.CommandBytes
	r.arrived[i] = true
	a.begin()
}

// begin takes the next command if it is there and none is being executed.
func (a *Accel) begin() {
	r := &a.ring
	i := r.head % prefetch
	if a.now.busy || r.writing || r.halted != link.OK || a.resetting || r.head == r.asked || !r.arrived[i] {
		return
	}
	a.now = running{busy: true, cmd: command{lost: true}}
	if !r.lost[i] {
		a.now.cmd = decode(r.entries[i])
	}
	r.arrived[i] = false
	r.head++
	a.fetch()
	a.after(commandCycles, a.execute)
}

// complete makes the completion of the command.
func (a *Accel) complete() {
	le := binary.LittleEndian
	status := a.now.status
	if status == driver.StatusOK {
		a.remember()
		status = uint8(a.readErr)
	}
	if status == driver.StatusOK {
		status = uint8(a.writeErr)
	}
	a.readErr, a.writeErr = link.OK, link.OK
	phase := uint32(0)
	if a.ring.tail>>a.csrs.stored[driver.CSRCQLog2]&1 == 0 {
		phase = 1 << 16
	}
	b := make([]byte, driver.CompletionBytes)
	le.PutUint32(b[0:], a.now.cmd.id)
	le.PutUint32(b[4:], uint32(status)|phase)
	le.PutUint32(b[8:], a.now.values[0])
	le.PutUint32(b[12:], a.now.values[1])
	le.PutUint32(b[16:], uint32(a.ring.head))
	le.PutUint32(b[28:], crc32.Checksum(b[:28], castagnoli))
	a.ring.completion = b
	a.post()
}

// post sends the completion that waits, once the ring has room, and the
// interrupt behind it; then the next command can begin.
func (a *Accel) post() {
	r, c := &a.ring, &a.csrs
	size := uint16(1) << c.stored[driver.CSRCQLog2]
	if r.completion == nil || a.resetting || r.tail-uint16(c.stored[driver.CSRCQHead]) >= size {
		return
	}
	addr := c.pair(driver.CSRCQBaseLo, driver.CSRCQBaseHi) + uint64(r.tail&(size-1))*driver.CompletionBytes
	r.writing, r.tail = true, r.tail+1
	a.begun(a.ep.WriteRequest(addr, r.completion, completionID), func() { a.WriteDone(completionID, link.UnsupportedRequest) })
	r.completion = nil
}

// posted ends the command: its completion has left, or could not be written.
func (a *Accel) posted(e link.Error) {
	a.ring.halted = e
	a.ring.writing = false
	a.now = running{}
	a.ep.RaiseInterrupt(0)
	a.begin()
}

// running is the command that is being executed.
type running struct {
	busy   bool
	cmd    command
	status uint8 // of a command that was refused
	over   bool  // nothing but writes is left
	values [2]uint32
}

// settle completes the command when it is over and all it wrote has left.
func (a *Accel) settle() {
	if a.now.over && a.writing == 0 {
		a.now.over = false
		a.complete()
	}
}
