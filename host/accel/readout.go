package accel

import (
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/randomizer"
)

// readOut says when the packets of the hot set leave, the cycles of each since the
// one before, and how long all of it takes. The reader takes some cycles for a set and one for an entry; the
// entries go through the permutation to the packer, where they wait while a beat
// leaves.
func (a *Accel) readOut(packets int) (each []int64, all int64) {
	each = make([]int64, 0, packets)
	perBeat, beats := a.p.StreamBytes()/arch.HotRowBytes, arch.HotSetUnit/a.p.StreamBytes()
	var (
		set, left  int
		reading    = setCycles // cycles until the set is there
		pipe       uint        // stages of the permutation that hold an entry
		held, sent int         // entries of the beat, beats of the packet
		announced  int
		drained    int // moves of the permutation since the last set
		latest     int64
	)
	for len(each) < packets || drained < randomizer.Rounds {
		all++
		full, leaves := held == perBeat, pipe>>(randomizer.Rounds-1)&1 != 0
		moves, entry := !full || !leaves, uint(0)
		switch {
		case full && sent == 0 && announced < firstBeatCycles:
			announced++
		case full:
			held, announced = 0, 0
			if sent++; sent == beats {
				sent = 0
				each = append(each, all-latest)
				latest = all
			}
		case leaves:
			held++
		case drained == randomizer.Rounds && held+sent > 0:
			held++ // padding
		}
		switch {
		case set == a.p.Sets():
			if moves && drained < randomizer.Rounds {
				drained++
			}
		case reading > 0:
			if reading--; reading == 0 {
				left = a.valid(set)
			}
		case left == 0:
			set++
			reading = setCycles
		case moves:
			left--
			entry = 1
		}
		if moves {
			pipe = pipe<<1&(1<<randomizer.Rounds-1) | entry
		}
	}
	return each, all
}

// valid is the number of valid blocks of a set, in the order of the read-out.
func (a *Accel) valid(set int) (n int) {
	for _, b := range a.model.EAL.Set(set%a.p.Banks, set/a.p.Banks) {
		if b.Valid {
			n++
		}
	}
	return n
}
