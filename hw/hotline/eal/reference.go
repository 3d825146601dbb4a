package eal

import "github.com/hotline-rtl/hotline/hw/hotline/arch"

// Place is the location of a key: the fields that the key consists of.
type Place struct {
	Bank, Set int // Set is the number within the bank
	Tag       uint32
}

// PlaceOf splits a key into its fields.
func PlaceOf(p arch.Params, key uint32) Place {
	return Place{
		Bank: int(key) & (p.Banks - 1),
		Set:  int(key>>p.BankBits()) & (p.BankSets() - 1),
		Tag:  key >> (p.BankBits() + p.SetBits()),
	}
}

// Key joins the fields to a key.
func (l Place) Key(p arch.Params) uint32 {
	return (l.Tag<<p.SetBits()|uint32(l.Set))<<p.BankBits() | uint32(l.Bank)
}

// BlockNumber returns the number of the block that holds the key in the given way.
func (l Place) BlockNumber(p arch.Params, way int) int {
	return (l.Set*p.Banks+l.Bank)*p.Ways + way
}

// Entry is a block of a Tracker.
type Entry struct {
	Valid bool
	RRPV  RRPV
	Tag   uint32
}

// Tracker is the reference of EAL. It has no notion of cycles.
type Tracker struct {
	p       arch.Params
	blocks  []Entry // by block number
	changed []bool  // by set, in the order of block numbers: a row was inserted in this epoch
}

// NewTracker returns a tracker without valid blocks.
func NewTracker(p arch.Params) *Tracker {
	return &Tracker{p, make([]Entry, p.Blocks), make([]bool, p.Sets())}
}

// Begin begins a learning epoch.
func (t *Tracker) Begin() { clear(t.changed) }

// Changed returns a pointer to the flag that a row was inserted into a set in this epoch.
func (t *Tracker) Changed(bank, set int) *bool { return &t.changed[set*t.p.Banks+bank] }

// Set returns the blocks of a set, way 0 first. Writing to the slice changes the tracker.
func (t *Tracker) Set(bank, set int) []Entry {
	n := Place{Bank: bank, Set: set}.BlockNumber(t.p, 0)
	return t.blocks[n : n+t.p.Ways]
}

// Probe reports whether key is held, and in which way; way is 0 if it is not.
func (t *Tracker) Probe(key uint32) (hit bool, way int) {
	l := PlaceOf(t.p, key)
	for w, b := range t.Set(l.Bank, l.Set) {
		if b.Valid && b.Tag == l.Tag {
			return true, w
		}
	}
	return false, 0
}

// Access records a lookup of key. It reports whether key was held before, and which way holds it
// now.
func (t *Tracker) Access(key uint32) (hit bool, way int) {
	l := PlaceOf(t.p, key)
	set := t.Set(l.Bank, l.Set)
	if hit, way = t.Probe(key); hit {
		set[way].RRPV = RRPVHit
		return true, way
	}
	*t.Changed(l.Bank, l.Set) = true
	way = victim(set)
	set[way] = Entry{Valid: true, RRPV: RRPVInsert, Tag: l.Tag}
	return false, way
}

// Near reports whether key is held with the RRPV of a hit, so that an access would change nothing.
func (t *Tracker) Near(key uint32) bool {
	l := PlaceOf(t.p, key)
	hit, way := t.Probe(key)
	return hit && t.Set(l.Bank, l.Set)[way].RRPV == RRPVHit
}

// victim returns the lowest invalid way. If all ways are valid, it ages all of them until at least
// one is distant, and returns the lowest distant way.
func victim(set []Entry) int {
	oldest := RRPVHit
	for w, b := range set {
		if !b.Valid {
			return w
		}
		oldest = max(oldest, b.RRPV)
	}
	for w := range set {
		set[w].RRPV += RRPVDistant - oldest
	}
	for w := range set {
		if set[w].RRPV == RRPVDistant {
			return w
		}
	}
	panic("eal: no way is distant")
}

// Scan calls f for each valid block of the changed sets, in the order of the hardware read-out: by
// set number, then by bank, then by way.
func (t *Tracker) Scan(f func(key uint32, block int)) {
	for n, b := range t.blocks {
		if set := n / t.p.Ways; b.Valid && t.changed[set] {
			l := Place{Bank: set % t.p.Banks, Set: set / t.p.Banks, Tag: b.Tag}
			f(l.Key(t.p), n)
		}
	}
}
