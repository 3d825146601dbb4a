package pcie

import (
	"iter"
	"math/rand/v2"
)

// FirstPart returns the number of bytes in the first request of a transfer of n bytes at addr. A
// request contains at most limit bytes, counted in whole DWs (MPS for writes, MRRS for reads). It
// does not cross a 4 KiB boundary. The limit must be a multiple of 4.
func FirstPart(addr uint64, n, limit int) int {
	return min(n, limit-int(addr&3), Boundary-int(addr%Boundary))
}

// Split divides a transfer into requests according to [FirstPart]. It yields the address and size
// of each request.
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

// Policy decides where a completer splits: given n legal sizes in ascending order, it returns the
// index of one of them.
type Policy func(n int) int

// MaxSize makes completions as large as possible.
func MaxSize(n int) int { return n - 1 }

// EveryRCB splits at every read completion boundary, as many root complexes do.
func EveryRCB(int) int { return 0 }

// Random splits at random legal offsets, reproducibly for a seed.
func Random(seed uint64) Policy {
	rng := rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))
	return func(n int) int { return rng.IntN(n) }
}

// CompletionPart returns the size of the next completion of a read with left bytes owed, starting
// at addr (2.3.1.1). The completion finishes the read or ends at a multiple of rcb. Its payload has
// at most mps bytes, counted in whole DWs. rcb must be 64 or 128, and at most mps.
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
