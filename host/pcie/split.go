package pcie

import (
	"iter"
	"math/rand/v2"
)

// FirstPart is the number of bytes that the first request of a transfer of n
// bytes at addr may carry, when a request holds at most limit bytes, counted in
// whole DWs (MPS for writes, MRRS for reads), and none crosses 4 KiB. limit is
// a multiple of 4.
func FirstPart(addr uint64, n, limit int) int {
	return min(n, limit-int(addr&3), Boundary-int(addr%Boundary))
}

// Split cuts a transfer into the requests that [FirstPart] allows: address and
// size of each.
func Split(addr uint64, n, limit int) iter.Seq2[uint64, int] {
	return func(yield func(uint64, int) bool) {
		for n > 0 {
			part := FirstPart(addr, n, limit)
			if !yield(addr, part) {
				return
			}
			addr, n = addr+uint64(part), n-part
		}
	}
}

// Policy decides where a completer cuts: of n legal sizes in rising order it
// picks one, 0 to n-1.
type Policy func(n int) int

// MaxSize makes completions as large as they may be.
func MaxSize(n int) int { return n - 1 }

// EveryRCB cuts at every read completion boundary, as many root complexes do.
func EveryRCB(int) int { return 0 }

// Random cuts anywhere it is legal. Equal seeds cut alike.
func Random(seed uint64) Policy {
	rng := rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))
	return func(n int) int { return rng.IntN(n) }
}

// CompletionPart is the size of the next completion of a read that is owed left
// bytes from addr on (2.3.1.1): it finishes the read or ends at a multiple of
// rcb, and its payload is at most mps bytes, counted in whole DWs. rcb is 64 or
// 128 and at most mps.
func CompletionPart(addr uint64, left, rcb, mps int, pick Policy) int {
	limit := mps - int(addr&3)
	first := rcb - int(addr%uint64(rcb)) // up to the next boundary
	if left <= first {
		return left
	}
	choices := (min(limit, left-1)-first)/rcb + 1 // boundaries in reach
	if left <= limit {
		choices++ // the end of the read
	}
	return min(left, first+pick(choices)*rcb)
}
