package scratchpipe

import (
	"container/heap"

	"github.com/hotline-rtl/hotline/host/dlrm/detmath"
)

// evictable is a heap of the slots whose rows may leave. The next victim is on top.
type evictable struct {
	policy string
	slots  []int
	at     []int    // index of each slot in slots, or -1
	used   []uint64 // latest use of each slot, in units of clock
	uses   []uint64 // number of uses of each slot
	clock  uint64
	coins  *detmath.Stream
}

func newEvictable(policy string, slots, table int) *evictable {
	e := &evictable{policy: policy, at: make([]int, slots), used: make([]uint64, slots), uses: make([]uint64, slots), coins: detmath.NewStream(uint64(table))}
	for i := range e.at {
		e.at[i] = -1
	}
	return e
}

// begin resets the use count of a slot, which gets another row.
func (e *evictable) begin(slot int) { e.uses[slot] = 0 }

// use records that a mini-batch uses the row of a slot.
func (e *evictable) use(slot int) {
	e.clock++
	e.used[slot] = e.clock
	e.uses[slot]++
}

// release allows the row of a slot to leave.
func (e *evictable) release(slot int) { heap.Push(e, slot) }

// hold prevents the row of a slot from leaving.
func (e *evictable) hold(slot int) {
	if e.at[slot] >= 0 {
		heap.Remove(e, e.at[slot])
	}
}

// take removes and returns the slot whose row leaves. The heap must not be empty.
func (e *evictable) take() int {
	i := 0
	if e.policy == Random {
		i = int(e.coins.Uint64() % uint64(len(e.slots)))
	}
	return heap.Remove(e, i).(int)
}

// Len implements heap.Interface.
func (e *evictable) Len() int { return len(e.slots) }

// Less implements heap.Interface.
func (e *evictable) Less(i, j int) bool {
	a, b := e.slots[i], e.slots[j]
	if e.policy == LFU && e.uses[a] != e.uses[b] {
		return e.uses[a] < e.uses[b]
	}
	return e.used[a] < e.used[b]
}

// Swap implements heap.Interface.
func (e *evictable) Swap(i, j int) {
	e.slots[i], e.slots[j] = e.slots[j], e.slots[i]
	e.at[e.slots[i]], e.at[e.slots[j]] = i, j
}

// Push implements heap.Interface.
func (e *evictable) Push(slot any) {
	e.at[slot.(int)] = len(e.slots)
	e.slots = append(e.slots, slot.(int))
}

// Pop implements heap.Interface.
func (e *evictable) Pop() any {
	last := len(e.slots) - 1
	slot := e.slots[last]
	e.slots, e.at[slot] = e.slots[:last], -1
	return slot
}
