package rootport

import "sync"

// transfer is DMA or an interrupt.
type transfer struct {
	run  func() error    // in the goroutine of DMA
	done func(err error) // in that of the simulation
}

// queue holds transfers, in order.
type queue struct {
	mutex  sync.Mutex
	more   sync.Cond
	list   []*transfer
	closed bool
}

func (q *queue) init() { q.more.L = &q.mutex }

func (q *queue) push(t *transfer) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	q.list = append(q.list, t)
	q.more.Signal()
}

// pop waits for a transfer; nil if there will be none.
func (q *queue) pop() *transfer {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	for len(q.list) == 0 && !q.closed {
		q.more.Wait()
	}
	if q.closed {
		return nil
	}
	t := q.list[0]
	q.list = q.list[1:]
	return t
}

// drop takes out what has not begun.
func (q *queue) drop() []*transfer {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	all := q.list
	q.list = nil
	return all
}

func (q *queue) close() {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	q.closed = true
	q.more.Broadcast()
}

// transfer is the goroutine that waits for the client.
func (p *Port) transfer() {
	defer p.running.Done()
	for t := p.dma.pop(); t != nil; t = p.dma.pop() {
		err := t.run()
		p.do(func() { t.done(err) })
	}
}
