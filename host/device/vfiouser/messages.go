//go:build linux

package vfiouser

import (
	"sync"
	"syscall"
)

// maxAsked is how many DMA messages may be without an answer. A device that begins more
// waits, and so does a client that waits for the device and answers none of them.
const maxAsked = 4096

// dmaMessages are the DMA messages that the client has not answered, and what waits
// for that.
type dmaMessages struct {
	mutex  sync.Mutex
	fewer  sync.Cond // questions, or the end
	asked  map[uint16]*question
	nextID uint16
	over   bool

	writes []*question // from the oldest without an answer on
	sent   uint64      // writes
	behind []behind
}

// question is a message for which an answer is due. answered gets the answer, or the
// error that there will be none: of a write in the goroutine of the reader, of a read
// in its turn among the commands of the client.
type question struct {
	command  uint16
	answered func(*message, error)
	done     bool
}

// behind is done when the first writes have been answered.
type behind struct {
	writes uint64
	do     func()
}

func (d *dmaMessages) init() {
	d.asked = map[uint16]*question{}
	d.fewer.L = &d.mutex
}

// add takes an id for a question. False if the session is over.
func (d *dmaMessages) add(q *question) (uint16, bool) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	for len(d.asked) == maxAsked && !d.over {
		d.fewer.Wait()
	}
	if d.over {
		return 0, false
	}
	d.nextID++
	for d.asked[d.nextID] != nil {
		d.nextID++
	}
	d.asked[d.nextID] = q
	if q.command == cmdDMAWrite {
		d.sent++
		d.writes = append(d.writes, q)
	}
	return d.nextID, true
}

// writing reports whether a write has not been answered.
func (d *dmaMessages) writing() bool {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return len(d.writes) > 0
}

// behindWrites does something when all writes until now have been answered, and
// everything that was to be done before. It must not block.
func (d *dmaMessages) behindWrites(do func()) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if !d.over {
		d.behind = append(d.behind, behind{d.sent, do})
		d.settle()
	}
}

// forget gives up what behindWrites has not done.
func (d *dmaMessages) forget() {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.behind = nil
}

// answered finds the question of a reply. It ends a write and keeps a read in the
// message; a reply that nobody waits for has neither.
func (d *dmaMessages) answered(m *message) {
	d.mutex.Lock()
	q := d.asked[m.id]
	if q == nil || q.command != m.command {
		d.mutex.Unlock()
		return
	}
	delete(d.asked, m.id)
	d.fewer.Signal()
	if q.command == cmdDMARead {
		m.asked = q
		d.mutex.Unlock()
		return
	}
	d.mutex.Unlock()
	q.answered(m, nil)
	d.mutex.Lock()
	defer d.mutex.Unlock()
	q.done = true
	d.settle()
}

// settle does what waits for no write any more.
func (d *dmaMessages) settle() {
	for len(d.writes) > 0 && d.writes[0].done {
		d.writes = d.writes[1:]
	}
	for len(d.behind) > 0 && d.behind[0].writes <= d.sent-uint64(len(d.writes)) {
		d.behind[0].do()
		d.behind = d.behind[1:]
	}
}

// abandon ends the wait for answers that will not come.
func (d *dmaMessages) abandon() {
	d.mutex.Lock()
	all := d.asked
	d.asked, d.behind, d.over = nil, nil, true
	d.fewer.Broadcast()
	d.mutex.Unlock()
	for _, q := range all {
		q.answered(nil, ErrNoClient)
	}
}

// ask sends a DMA message.
func (s *session) ask(command uint16, body [][]byte, answered func(*message, error)) {
	id, ok := s.dma.add(&question{command: command, answered: answered})
	if !ok {
		answered(nil, ErrNoClient)
		return
	}
	if s.conn.send(header{id: id, command: command}, body...) != nil {
		s.stop() // which ends the question
	}
}

// errorOf returns what an answer says went wrong.
func (m *message) errorOf() error {
	if m.flags&flagError != 0 {
		return syscall.Errno(m.errno)
	}
	return nil
}
