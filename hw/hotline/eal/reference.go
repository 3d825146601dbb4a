package eal

import "github.com/hotline-rtl/hotline/hw/hotline/arch"

// Re-reference prediction values of SRRIP (Jaleel et al., ISCA 2010) with 2 bits.
const (
	rrpvHit    = 0
	rrpvInsert = 2
	rrpvMax    = 3
)

// Place is where a key belongs.
type Place struct {
	Bank, Row int // Row is the set within the bank
	Tag       uint32
}

// PlaceOf takes a key apart.
func PlaceOf(p arch.Params, key uint32) Place {
	return Place{
		Bank: int(key) & (p.Banks - 1),
		Row:  int(key>>p.BankBits()) & (p.BankSets() - 1),
		Tag:  key >> (p.BankBits() + p.RowBits()),
	}
}

// Key puts a key together.
func (l Place) Key(p arch.Params) uint32 {
	return (l.Tag<<p.RowBits()|uint32(l.Row))<<p.BankBits() | uint32(l.Bank)
}

// BlockNumber is the number of the block that holds the key in the given way.
func (l Place) BlockNumber(p arch.Params, way int) int {
	return (l.Row*p.Banks+l.Bank)*p.Ways + way
}

// Block is one entry of a set.
type Block struct {
	Valid bool
	RRPV  uint8
	Tag   uint32
}

// Tracker is what an EAL must compute, without cycles.
type Tracker struct {
	p      arch.Params
	blocks []Block // by block number
}

// NewTracker is a tracker with no valid block.
func NewTracker(p arch.Params) *Tracker {
	return &Tracker{p, make([]Block, p.Blocks)}
}

// Set are the blocks of a set, way 0 first. Writing to them changes the tracker.
func (t *Tracker) Set(bank, row int) []Block {
	n := Place{Bank: bank, Row: row}.BlockNumber(t.p, 0)
	return t.blocks[n : n+t.p.Ways]
}

// Probe tells whether key is held, and in which way; 0 if not.
func (t *Tracker) Probe(key uint32) (hit bool, way int) {
	l := PlaceOf(t.p, key)
	for w, b := range t.Set(l.Bank, l.Row) {
		if b.Valid && b.Tag == l.Tag {
			return true, w
		}
	}
	return false, 0
}

// Access learns that key was looked up. It tells whether key was held before,
// and which way holds it now.
func (t *Tracker) Access(key uint32) (hit bool, way int) {
	l := PlaceOf(t.p, key)
	set := t.Set(l.Bank, l.Row)
	if hit, way = t.Probe(key); hit {
		set[way].RRPV = rrpvHit
		return true, way
	}
	way = victim(set)
	set[way] = Block{Valid: true, RRPV: rrpvInsert, Tag: l.Tag}
	return false, way
}

// victim is the lowest invalid way. Without one, all ways age until one is
// predicted for the distant future, and it is the lowest such.
func victim(set []Block) int {
	oldest := uint8(0)
	for w, b := range set {
		if !b.Valid {
			return w
		}
		oldest = max(oldest, b.RRPV)
	}
	for w := range set {
		set[w].RRPV += rrpvMax - oldest
	}
	for w := range set {
		if set[w].RRPV == rrpvMax {
			return w
		}
	}
	panic("eal: no way has the greatest RRPV")
}

// Scan calls f for each valid block in the order of the read-out: rows, banks
// of a row, ways of a set.
func (t *Tracker) Scan(f func(key uint32, block int)) {
	for n, b := range t.blocks {
		if b.Valid {
			set := n / t.p.Ways
			l := Place{Bank: set % t.p.Banks, Row: set / t.p.Banks, Tag: b.Tag}
			f(l.Key(t.p), n)
		}
	}
}
