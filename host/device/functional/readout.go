package functional

import (
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/randomizer"
)

// readOut returns the timing of the hot set's packets: the cycles from each packet to the next, and
// the total. The reader lists entries. They pass through the permutation to the packer. Entries
// wait there while a beat is full and the previous beat is still leaving.
func (a *Accel) readOut(packets int) (each []int64, all int64) {
	each = make([]int64, 0, packets)
	perBeat, beats := a.p.StreamBytes()/arch.HotRowBytes, arch.HotSetUnit/a.p.StreamBytes()
	var (
		r         = reader{a: a, asked: none, shown: none}
		pipe      uint // stages of the permutation that hold an entry, one bit per stage
		held      int  // entries in the beat
		packed    int  // beats of the packet that have left or are leaving
		leaving   bool // a beat is leaving
		sent      int  // beats of the packet that have left
		announced int
		latest    int64
	)
	for len(each) < packets || r.drained < randomizer.Rounds {
		all++
		comes := pipe>>(randomizer.Rounds-1)&1 != 0
		full, leave := held == perBeat, held == perBeat && !leaving
		moves := !full || leave || !comes
		pad := r.drained == randomizer.Rounds && held+packed > 0 && !full
		switch {
		case !leaving:
		case sent == 0 && announced < firstBeatCycles:
			announced++
		default:
			leaving, announced = false, 0
			if sent++; sent == beats {
				sent = 0
				each = append(each, all-latest)
				latest = all
			}
		}
		if leave {
			held, leaving, packed = 0, true, (packed+1)%beats
		}
		if comes && moves || pad {
			held++
		}
		entry := r.step(moves)
		if moves {
			pipe = pipe<<1&(1<<randomizer.Rounds-1) | entry
		}
	}
	return each, all
}

// reader models the hot-set reader. It requests, shows and lists the sets of one index, bank by
// bank, as a three-stage pipeline.
type reader struct {
	a       *Accel
	scanned int   // cycles since the sets of the index were scanned
	set     int   // current set index
	pending []int // changed banks that were not requested yet
	asked   int   // requested bank, or none
	shown   int   // number of valid blocks of the shown set, or none
	left    int   // number of unsent blocks of the listed set
	drained int   // moves of the permutation since the last entry
}

const none = -1

// step simulates one cycle. moves says whether the permutation moves. It returns the number of
// entries, 0 or 1, that enter the permutation.
func (r *reader) step(moves bool) (entry uint) {
	if moves && r.left > 0 {
		entry = 1
	}
	set, asked, pending, listing := r.set, r.asked, r.pending, r.shown != none || r.left > 0
	switch {
	case r.set == r.a.p.BankSets():
		if moves && !listing && r.drained < randomizer.Rounds {
			r.drained++
		}
	case r.scanned < scanCycles:
		if r.scanned++; r.scanned == scanCycles {
			r.pending = r.changed()
		}
	case len(pending) == 0 && asked == none:
		r.set++
		r.scanned = 0
	}
	r.left -= int(entry)
	if r.left > 0 {
		return entry
	}
	r.left = max(r.shown, 0)
	r.shown, r.asked = none, none
	if asked != none {
		r.shown = r.valid(asked, set)
	}
	if len(pending) > 0 {
		r.asked, r.pending = pending[0], pending[1:]
	}
	return entry
}

// changed returns the banks whose set with this index has changed.
func (r *reader) changed() (banks []int) {
	for bank := range r.a.p.Banks {
		if *r.a.model.EAL.Changed(bank, r.set) {
			banks = append(banks, bank)
		}
	}
	return banks
}

// valid returns the number of valid blocks of a set.
func (r *reader) valid(bank, set int) (n int) {
	for _, b := range r.a.model.EAL.Set(bank, set) {
		if b.Valid {
			n++
		}
	}
	return n
}
