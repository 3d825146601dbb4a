package trial

import "slices"

// ring is a ring of commands or completions in host memory.
type ring struct {
	base  uint64
	log2  uint
	bytes uint64 // bytes of an entry
}

func (r ring) entries() uint32 { return 1 << r.log2 }

// at returns the address of the entry with a free-running index.
func (r ring) at(index uint32) uint64 {
	return r.base + uint64(index&(r.entries()-1))*r.bytes
}

// has reports whether an address is in the ring.
func (r ring) has(addr uint64) bool { return addr-r.base < uint64(r.entries())*r.bytes }

// settling is the number of cycles after which a register write must have taken effect. Only cycles
// without an older offered descriptor count.
const settling = 24

// timed is a register whose older values the hardware may still use for a while.
type timed struct {
	now   uint32
	older []older
}

type older struct {
	v     uint32
	fresh int // cycles left
}

func (t *timed) set(v uint32) {
	t.older = append(t.older, older{t.now, settling})
	t.now = v
}

// written records that the write of the current value has ended.
func (t *timed) written() {
	if n := len(t.older); n > 0 {
		t.older[n-1].fresh = settling
	}
}

// step counts a cycle without an older offered descriptor.
func (t *timed) step() {
	for i := range t.older {
		t.older[i].fresh--
	}
	for len(t.older) > 0 && t.older[0].fresh <= 0 {
		t.older = t.older[1:]
	}
}

// some reports whether f holds for a value that the hardware may use.
func (t *timed) some(f func(v uint32) bool) bool {
	return f(t.now) || slices.ContainsFunc(t.older, func(o older) bool { return f(o.v) })
}
