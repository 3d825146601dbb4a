//go:build linux

package vfiouser

import "sync"

// Most messages, and bytes of them, that wait for being carried out. A client that
// sends more waits until there is room, as for any socket that is full.
const (
	maxWaiting      = 256
	maxWaitingBytes = 4 << 20
)

// commands is the queue between the reader and the worker: commands, and answers to DMA
// reads, in the order in which they came.
type commands struct {
	mutex sync.Mutex
	more  sync.Cond     // a message, or the end
	room  chan struct{} // has a value when there may be room again, or the end has come
	list  []*message
	bytes int
	last  bool // no message follows
	ended bool // what waits is not wanted any more
}

func (c *commands) init() {
	c.more.L = &c.mutex
	c.room = make(chan struct{}, 1)
}

// push adds a message if there is room. It takes the message also at the end, and
// discards it.
func (c *commands) push(m *message) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	switch {
	case c.ended:
		m.discard()
		return true
	case len(c.list) > 0 && (len(c.list) == maxWaiting || c.bytes+int(m.size) > maxWaitingBytes):
		return false
	}
	c.bytes += int(m.size)
	c.list = append(c.list, m)
	c.more.Signal()
	return true
}

// pop waits for the next message; nil at the end.
func (c *commands) pop() *message {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for len(c.list) == 0 && !c.last {
		c.more.Wait()
	}
	if len(c.list) == 0 {
		return nil
	}
	m := c.list[0]
	c.list = c.list[1:]
	c.bytes -= int(m.size)
	c.signal()
	return m
}

// finish lets pop return nil once the queue is empty.
func (c *commands) finish() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.last = true
	c.more.Broadcast()
}

// end discards what waits, and what comes.
func (c *commands) end() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for _, m := range c.list {
		m.discard()
	}
	c.list, c.bytes, c.last, c.ended = nil, 0, true, true
	c.more.Broadcast()
	c.signal()
}

func (c *commands) signal() {
	select {
	case c.room <- struct{}{}:
	default:
	}
}

// discard ends a message that nobody carries out.
func (m *message) discard() {
	m.close()
	if m.asked != nil {
		m.asked.answered(nil, ErrNoClient)
	}
}
