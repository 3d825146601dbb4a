//go:build linux

package vfiouser

import (
	"fmt"
	"os"
	"sync"
	"syscall"
)

// Interrupt indices.
const (
	indexMSIX  = 2
	indexError = 3
	indices    = 5
)

// Bits of an interrupt description.
const (
	irqEventfd  = 1
	irqMaskable = 2
	irqNoResize = 8
)

// Data types and actions of SET_IRQS. A message has one of each.
const (
	dataNone    = 0x01
	dataBools   = 0x02
	dataFiles   = 0x04
	actMask     = 0x08
	actUnmask   = 0x10
	actTrigger  = 0x20
	dataMask    = dataNone | dataBools | dataFiles
	actionsMask = actMask | actUnmask | actTrigger
)

// vectors contains the interrupts of an index.
type vectors struct {
	mutex sync.Mutex
	list  []vector
}

// vector fires through an eventfd. It stays pending while it is masked or has no eventfd.
type vector struct {
	file    int // -1 for none
	masked  bool
	pending bool
}

func newVectors(n int) *vectors {
	v := &vectors{list: make([]vector, n)}
	for i := range v.list {
		v.list[i].file = -1
	}
	return v
}

// fire fires vector i, which must exist, or leaves it pending.
func (v *vectors) fire(i int) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	v.list[i].pending = true
	v.list[i].deliver()
}

// deliver fires a pending vector if possible.
func (x *vector) deliver() {
	if !x.pending || x.masked || x.file < 0 {
		return
	}
	x.pending = false
	if canCount(x.file) {
		_, _ = syscall.Write(x.file, le.AppendUint64(nil, 1))
	}
}

// canCount reports whether a write to an eventfd would not block. An eventfd with the maximum count
// has fired in any case.
func canCount(fd int) bool {
	const writable = 4
	return poll(fd, writable)&writable != 0
}

// take replaces the eventfd of a vector; -1 removes it.
func (x *vector) take(file int) {
	if x.file >= 0 {
		_ = syscall.Close(x.file)
	}
	x.file = file
	x.deliver()
}

// forget clears all pending interrupts.
func (v *vectors) forget() {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	for i := range v.list {
		v.list[i].pending = false
	}
}

// release unmasks all vectors and closes their eventfds.
func (v *vectors) release() {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	for i := range v.list {
		v.list[i].masked = false
		v.list[i].take(-1)
	}
}

// count returns the number of interrupts of an index.
func (s *Server) count(index uint32) uint32 {
	if v := s.index(index); v != nil {
		return uint32(len(v.list))
	}
	return 0
}

// index returns the interrupts of an index, or nil if there are none. The error interrupt accepts
// an eventfd but never fires.
func (s *Server) index(index uint32) *vectors {
	switch index {
	case indexMSIX:
		return s.vectors
	case indexError:
		return s.errors
	}
	return nil
}

func (s *session) irqInfo(m *message) ([][]byte, error) {
	if len(m.body) < infoBytes || le.Uint32(m.body) < infoBytes {
		return nil, syscall.EINVAL
	}
	index := le.Uint32(m.body[8:])
	if index >= indices {
		return nil, syscall.EINVAL
	}
	n, flags := s.server.count(index), uint32(0)
	if n > 0 {
		flags = irqEventfd | irqMaskable | irqNoResize
	}
	return [][]byte{packed(infoBytes, flags, index, n)}, nil
}

// setIRQs attaches, detaches, masks and triggers interrupts.
func (s *session) setIRQs(m *message) ([][]byte, error) {
	if len(m.body) < irqBytes {
		return nil, syscall.EINVAL
	}
	w := words(m.body, 5)
	argsz, flags, index, start, count := w[0], w[1], w[2], w[3], w[4]
	data := m.body[irqBytes:]
	v := s.server.index(index)
	n := s.server.count(index)
	if uint64(argsz) != uint64(len(m.body)) || v == nil || start > n || count > n-start {
		return nil, syscall.EINVAL
	}
	v.mutex.Lock()
	defer v.mutex.Unlock()
	chosen := v.list[start : start+count]
	form, action := flags&dataMask, flags&actionsMask
	switch {
	case flags&^(dataMask|actionsMask) != 0:
		return nil, syscall.EINVAL
	case form == dataFiles && action == actTrigger && len(data) == 0 && count > 0:
		return nil, m.attach(chosen)
	case len(m.files) > 0:
		return nil, syscall.EINVAL
	case form == dataNone && action == actTrigger && count == 0 && start == 0 && len(data) == 0:
		return nil, disable(v.list)
	case form == dataNone && len(data) == 0 && count > 0:
		return nil, act(action, chosen, nil)
	case form == dataBools && len(data) == int(count) && count > 0:
		return nil, act(action, chosen, data)
	}
	return nil, syscall.EINVAL
}

// attach assigns the eventfds of a message to vectors, one each. A message without eventfds
// detaches them.
func (m *message) attach(to []vector) error {
	if len(m.files) != 0 && len(m.files) != len(to) {
		return syscall.EINVAL
	}
	for _, fd := range m.files {
		if !isEventfd(fd) {
			return syscall.EINVAL
		}
	}
	for i := range to {
		file := -1
		if len(m.files) > 0 {
			file = m.files[i]
		}
		to[i].take(file)
	}
	m.files = nil
	return nil
}

// isEventfd reports whether a file descriptor is an eventfd. Other files might block a writer.
func isEventfd(fd int) bool {
	name, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", fd))
	return err == nil && name == "anon_inode:[eventfd]"
}

// disable detaches all eventfds.
func disable(list []vector) error {
	for i := range list {
		list[i].take(-1)
	}
	return nil
}

// act masks, unmasks or triggers vectors: all vectors, or the vectors whose bool is set.
func act(action uint32, on []vector, bools []byte) error {
	for i := range on {
		if bools != nil && bools[i] == 0 {
			continue
		}
		x := &on[i]
		switch action {
		case actMask:
			x.masked = true
		case actUnmask:
			x.masked = false
		case actTrigger:
			x.pending = true
		default:
			return syscall.EINVAL
		}
		x.deliver()
	}
	return nil
}
