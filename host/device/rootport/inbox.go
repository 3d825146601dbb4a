package rootport

import "sync"

// inbox is a queue of functions from other goroutines for the simulation goroutine. Senders do not
// wait for execution.
type inbox struct {
	mutex sync.Mutex
	list  []func()
	some  chan struct{} // has a value if the list may be non-empty
}

func newInbox() *inbox { return &inbox{some: make(chan struct{}, 1)} }

func (x *inbox) put(f func()) {
	x.mutex.Lock()
	x.list = append(x.list, f)
	x.mutex.Unlock()
	select {
	case x.some <- struct{}{}:
	default:
	}
}

// empty executes and removes all functions in the inbox.
func (x *inbox) empty() {
	for {
		x.mutex.Lock()
		list := x.list
		x.list = nil
		x.mutex.Unlock()
		if len(list) == 0 {
			return
		}
		for _, f := range list {
			f()
		}
	}
}
