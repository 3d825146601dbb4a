//go:build linux

package vfiouser

import (
	"sync"
	"syscall"
)

// maxAsked is the maximum number of unanswered DMA messages. A device that starts more waits. A
// client that waits for the device but answers none of them also waits.
const maxAsked = 4096

// dmaMessages tracks unanswered DMA messages and the actions that wait for them.
type dmaMessages struct {
	mutex  sync.Mutex
	fewer  sync.Cond // signals fewer questions or the end
	asked  map[uint16]*question
	nextID uint16
	over   bool

	writes []*question // from the oldest unanswered write on
	sent   uint64      // number of writes
	behind []behind
}

// question is a message that expects an answer. answered receives the answer, or the error that no
// answer will arrive. It is called in the reader goroutine for a write. For a read, it is called in
// order with the client's commands.
type question struct {
	command  uint16
	answered func(*message, error)
	done     bool
}

// behind is an action that waits until the first writes have been answered.
type behind struct {
	writes uint64
	do     func()
}

func (d *dmaMessages) init() {
	d.asked = map[uint16]*question{}
	d.fewer.L = &d.mutex
}

// add allocates an id for a question. It returns false if the session is over.
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

// writing reports whether a write is unanswered.
func (d *dmaMessages) writing() bool {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return len(d.writes) > 0
}

// behindWrites calls do after all writes so far have been answered and all earlier actions are
// done. do must not block.
func (d *dmaMessages) behindWrites(do func()) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if !d.over {
		d.behind = append(d.behind, behind{d.sent, do})
		d.settle()
	}
}

// forget drops the pending actions of behindWrites.
func (d *dmaMessages) forget() {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.behind = nil
}

// answered matches a reply with its question. It completes a write. For a read, it stores the
// question in the message. It ignores an unexpected reply.
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

// settle runs the actions that no longer wait for a write.
func (d *dmaMessages) settle() {
	for len(d.writes) > 0 && d.writes[0].done {
		d.writes = d.writes[1:]
	}
	for len(d.behind) > 0 && d.behind[0].writes <= d.sent-uint64(len(d.writes)) {
		d.behind[0].do()
		d.behind = d.behind[1:]
	}
}

// abandon fails all questions.
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
		s.stop() // also fails the question
	}
}

// errorOf returns the error in an answer.
func (m *message) errorOf() error {
	if m.flags&flagError != 0 {
		return syscall.Errno(m.errno)
	}
	return nil
}
