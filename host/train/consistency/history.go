package consistency

import "slices"

// history is the present value of a row and its past values, the latest last.
type history struct {
	now []float32
	old [][]float32
}

// latest returns the past values, the latest first.
func (h *history) latest() [][]float32 {
	list := slices.Clone(h.old)
	slices.Reverse(list)
	return list
}

// past bounds the number of past values of all rows. When it is full, a new value replaces the
// oldest value.
type past struct {
	most  int
	queue []*history // ring buffer of the rows whose oldest value is discarded next, starting at next
	next  int
}

// PastBytes is the memory for past values, in bytes.
const PastBytes = 64 << 20

const pastValues = PastBytes / 4

// keep adds the value of a row to its past values, before it changes.
func (p *past) keep(h *history) {
	if len(p.queue) < p.most {
		p.queue = append(p.queue, h)
		h.old = append(h.old, slices.Clone(h.now))
		return
	}
	oldest := p.queue[p.next]
	value := oldest.old[0]
	oldest.old = slices.Delete(oldest.old, 0, 1)
	p.queue[p.next] = h
	p.next = (p.next + 1) % p.most
	copy(value, h.now)
	h.old = append(h.old, value)
}
