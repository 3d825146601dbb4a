package functional

import (
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
)

// network models the EAL: the crossbars of requests, the banks, and the crossbars of answers.
type network struct {
	points  []point // crosspoints, by bank and group of engines
	busy    []int   // crosspoints requested in this cycle
	banks   []bank
	answers []turns // arbiters of answers, by engine and group of banks
	asked   []int   // indices in answers requested in this cycle
}

// point is a crosspoint: the arbiter that selects an engine, and the queue of words for the bank.
type point struct {
	turns turns
	queue blockQueue
}

// bank is a bank of the EAL with its pipeline. An empty stage holds -1.
type bank struct {
	taking        int32 // offered by the crossbar
	turn          int   // group of engines with the highest priority
	match, finish int32
	answers       [eal.EngineGroups]queue
}

const empty = -1

func newNetwork(p arch.Params) network {
	n := network{points: make([]point, p.Banks*eal.EngineGroups), banks: make([]bank, p.Banks), answers: make([]turns, p.Engines*eal.AnswerGroups)}
	for i := range n.points {
		n.points[i].queue = blockQueue{queue: newQueue(p.QueueDepth)}
	}
	for i := range n.banks {
		b := &n.banks[i]
		b.taking, b.match, b.finish = empty, empty, empty
		for g := range b.answers {
			b.answers[g] = newQueue(eal.AnswerDepth)
		}
	}
	return n
}

// step simulates one cycle, after the engines' cycle.
func (n *network) step(x *engines) {
	n.route(x)
	for b := range n.banks {
		n.serve(x, b, &n.banks[b])
	}
	n.answer(x)
}

// route admits one word at each requested crosspoint whose queue is not full.
func (n *network) route(x *engines) {
	for i := range x.engines {
		e := &x.engines[i]
		for q := range e.queues {
			if !e.queues[q].waiting(x.now) {
				continue
			}
			at := int(x.keys[e.queues[q].head()]&uint32(x.p.Banks-1))*eal.EngineGroups + i%eal.EngineGroups
			if !n.points[at].turns.asked() {
				n.busy = append(n.busy, at)
			}
			n.points[at].turns.ask(i / eal.EngineGroups)
			x.conflicts++
		}
	}
	for _, at := range n.busy {
		p := &n.points[at]
		if p.queue.room() {
			i := p.turns.pick()
			p.turns.next = i + 1
			from := &x.engines[i*eal.EngineGroups+at%eal.EngineGroups].queues[at/eal.EngineGroups%eal.RequestQueues]
			p.queue.push(from.pop(), x.now)
			x.conflicts--
		}
		p.turns.requests = [2]uint64{}
	}
	n.busy = n.busy[:0]
}

// serve simulates one cycle of a bank.
func (n *network) serve(x *engines, number int, b *bank) {
	waits := x.tracker != nil && b.taking >= 0 && (x.together(b.taking, b.match) || x.together(b.taking, b.finish))
	done := false
	if b.finish >= 0 {
		if q := &b.answers[int(b.finish)%eal.EngineGroups]; q.room() {
			q.push(b.finish, x.now)
			done = true
			waits = waits || x.learned[b.finish].changed
		}
	}
	if b.finish < 0 || done {
		b.finish = b.match
		b.match = empty
	}
	if b.match < 0 && !waits {
		b.match = b.taking
		if x.tracker != nil && b.taking >= 0 {
			x.access(b.taking)
		}
		b.taking = empty
	}
	points := n.points[number*eal.EngineGroups:][:eal.EngineGroups]
	from := -1
	if b.taking < 0 {
		if from = b.next(points); from >= 0 {
			b.taking, b.turn = points[from].queue.word, (from+1)%eal.EngineGroups
		}
	}
	for g := range points {
		points[g].queue.fetch(g == from, x.now)
	}
}

// together reports whether two words of a bank belong to the same set. The second word may be
// empty.
func (x *engines) together(a, b int32) bool {
	return b >= 0 && (x.keys[a]^x.keys[b])&uint32(x.p.Sets()-1) == 0
}

// next returns the crosspoint that a bank takes its next word from, or -1 if all are empty.
func (b *bank) next(points []point) int {
	for k := range points {
		if g := (b.turn + k) % len(points); points[g].queue.loaded {
			return g
		}
	}
	return -1
}

// answer delivers to each engine one answer from each group of banks.
func (n *network) answer(x *engines) {
	for b := range n.banks {
		for g := range n.banks[b].answers {
			if q := &n.banks[b].answers[g]; q.waiting(x.now) {
				at := int(q.head())&(x.p.Engines-1)*eal.AnswerGroups + b%eal.AnswerGroups
				if !n.answers[at].asked() {
					n.asked = append(n.asked, at)
				}
				n.answers[at].ask(b / eal.AnswerGroups)
			}
		}
	}
	for _, at := range n.asked {
		t := &n.answers[at]
		i := t.pick()
		t.next = i + 1
		t.requests = [2]uint64{}
		group := at % eal.AnswerGroups
		engine := at / eal.AnswerGroups
		x.answered(n.banks[i*eal.AnswerGroups+group].answers[engine%eal.EngineGroups].pop(), group)
	}
	n.asked = n.asked[:0]
}
