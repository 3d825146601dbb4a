package accel

// tracker is the embedding access logger: which rows are hot. It sees keys, the
// permuted row ids, whose bits are from the low end bank, set within the bank,
// and tag.
type tracker struct {
	p      Params
	order  permutation
	sets   uint32  // number of sets less one
	blocks []block // by block number; the ways of a set follow each other
}

// block is valid 1, re-reference prediction value 2, tag 29 bits.
type block uint32

const (
	validBit  block = 1 << 31
	rrpvShift       = 29
	rrpvMask  block = 3 << rrpvShift
	tagMask   block = 1<<rrpvShift - 1
)

// Re-reference prediction values of SRRIP (Jaleel et al., ISCA 2010), 2 bits.
const (
	rrpvNear   = 0 // after a hit
	rrpvInsert = 2
	rrpvFar    = 3 // to be replaced
)

func newTracker(p Params) *tracker {
	return &tracker{p: p, order: permutation{p.IDBits()}, sets: uint32(p.Blocks/p.Ways - 1), blocks: make([]block, p.Blocks)}
}

// place is where a row belongs: its set's first block number, and its tag. A
// set's number is that within the bank times the banks plus the bank, which are
// just the low bits of the key.
func (t *tracker) place(id uint32) (first int, tag block) {
	key := t.order.apply(id)
	return int(key&t.sets) * t.p.Ways, block(key >> log2(t.p.Blocks/t.p.Ways))
}

// probe tells whether a row is held, and in which block.
func (t *tracker) probe(id uint32) (number int, hit bool) {
	first, tag := t.place(id)
	for w, b := range t.blocks[first : first+t.p.Ways] {
		if b&validBit != 0 && b&tagMask == tag {
			return first + w, true
		}
	}
	return 0, false
}

// learn is an access that the tracker learns from. It tells which block holds
// the row now, and whether one did before.
func (t *tracker) learn(id uint32) (number int, hit bool) {
	if number, hit = t.probe(id); hit {
		t.blocks[number] = t.blocks[number]&^rrpvMask | rrpvNear<<rrpvShift
		return number, true
	}
	first, tag := t.place(id)
	set := t.blocks[first : first+t.p.Ways]
	way := victim(set)
	set[way] = validBit | rrpvInsert<<rrpvShift | tag
	return first + way, false
}

// victim is the lowest invalid way; without one all ways age together until one
// is far, and it is the lowest such.
func victim(set []block) int {
	oldest := block(0)
	for w, b := range set {
		if b&validBit == 0 {
			return w
		}
		oldest = max(oldest, b&rrpvMask)
	}
	chosen := -1
	for w := range set {
		set[w] += rrpvFar<<rrpvShift - oldest
		if chosen < 0 && set[w]&rrpvMask == rrpvFar<<rrpvShift {
			chosen = w
		}
	}
	return chosen
}

// id is the row in a block, if it holds one.
func (t *tracker) id(number int) (id uint32, valid bool) {
	b := t.blocks[number]
	if b&validBit == 0 {
		return 0, false
	}
	set := uint32(number / t.p.Ways)
	return t.order.invert(uint32(b&tagMask)<<log2(t.p.Blocks/t.p.Ways) | set), true
}
