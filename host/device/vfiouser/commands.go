//go:build linux

package vfiouser

import "sync"

// Maximum number and size of the messages that wait for execution. A client that sends more waits,
// as for any full socket.
const (
	maxWaiting      = 256
	maxWaitingBytes = 4 << 20
)

// commands is the queue from the reader to the worker. It contains commands and answers to DMA
// reads in order of arrival.
type commands struct {
	mutex sync.Mutex
	more  sync.Cond     // signals a message or the end
	room  chan struct{} // has a value when capacity may be available or the queue has ended
	list  []*message
	bytes int
	last  bool // no message follows
	ended bool // waiting messages are discarded
}

func (c *commands) init() {
	c.more.L = &c.mutex
	c.room = make(chan struct{}, 1)
}

// push adds a message and returns true, or returns false if the queue is full. After the end it
// discards the message and returns true.
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

// pop waits for the next message. It returns nil at the end.
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

// finish makes pop return nil once the queue is empty.
func (c *commands) finish() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.last = true
	c.more.Broadcast()
}

// end discards all waiting and future messages.
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

// discard releases a message that will not be executed.
func (m *message) discard() {
	m.close()
	if m.asked != nil {
		m.asked.answered(nil, ErrNoClient)
	}
}
