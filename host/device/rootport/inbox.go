package rootport

import "sync"

// inbox holds what other goroutines want the simulation to do, in order. They do not
// wait for it.
type inbox struct {
	mutex sync.Mutex
	list  []func()
	some  chan struct{} // has a value when the list may not be empty
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

// empty does what is in the inbox.
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
