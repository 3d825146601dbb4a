package picture

import (
	"cmp"
	"slices"
)

// A crowd is a group of at least crowd blocks that are too small to distinguish and close to each
// other. The limits smallShare and nearShare are relative to the whole. A close-up makes a crowd at
// least closeUp times as wide.
const (
	crowd      = 4
	smallShare = 0.006
	nearShare  = 0.02
	closeUp    = 8
)

// crowds returns the time intervals that need a close-up.
func (t Tracks) crowds(whole scale) []stretch {
	all := whole.high - whole.low
	var small []Block
	for _, b := range t.Blocks {
		if !b.Faint && b.End-b.Start < smallShare*all {
			small = append(small, b)
		}
	}
	slices.SortStableFunc(small, func(a, b Block) int { return cmp.Compare(a.Start, b.Start) })
	var list []stretch
	for len(small) > 0 {
		n, end := 1, small[0].End
		for n < len(small) && small[n].Start-end < nearShare*all {
			end, n = max(end, small[n].End), n+1
		}
		from, to := small[0].Start, end
		small = small[n:]
		if margin := (to - from) / 20; n >= crowd && (to-from+2*margin)*closeUp < all {
			list = append(list, stretch{from - margin, to + margin})
		}
	}
	return list
}
