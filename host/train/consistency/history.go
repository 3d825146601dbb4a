package consistency

import "slices"

// history is the value of a row, and those that it had before, the latest last.
type history struct {
	now []float32
	old [][]float32
}

// latest are the old values, the latest first.
func (h *history) latest() [][]float32 {
	list := slices.Clone(h.old)
	slices.Reverse(list)
	return list
}

// past bounds what is kept of all rows together: of so many old values, the
// oldest goes when another one comes.
type past struct {
	most  int
	queue []*history // whose oldest value goes next, and so on around from next
	next  int
}

// PastBytes is how much is kept of old values.
const PastBytes = 64 << 20

const pastValues = PastBytes / 4

// keep puts the value of a row among its old ones, before it changes.
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
