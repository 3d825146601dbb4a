package pcie

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSplitKeepsTheLimits(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for range 5000 {
		limit := 128 << rng.IntN(6)
		addr, n := uint64(rng.IntN(3*Boundary)), rng.IntN(3*Boundary)
		next, left, previous := addr, n, 0
		for a, size := range Split(addr, n, limit) {
			require.Equal(t, next, a)
			require.NoError(t, NewRead(0, 0, a, size).Check(0, limit))
			require.Positive(t, size)
			if previous > 0 { // the previous part was as large as possible
				require.True(t, a%Boundary == 0 || int((a-uint64(previous))&3)+previous == limit)
			}
			next, left, previous = next+uint64(size), left-size, size
		}
		require.Zero(t, left)
	}
	for range Split(0, 10000, 128) {
		break // stopping early is allowed
	}
}

// legal checks a split by an independent formulation of the rules for splitting completions. Cuts are offsets in
// ascending order; the last part ends the read.
func legal(addr uint64, n, rcb, mps int, cuts []int) bool {
	from := 0
	for _, to := range append(slices.Clone(cuts), n) {
		if to < n && (addr+uint64(to))%uint64(rcb) != 0 {
			return false
		}
		firstDW, lastDW := (addr+uint64(from))/4, (addr+uint64(to)-1)/4
		if 4*int(lastDW-firstDW+1) > mps {
			return false
		}
		from = to
	}
	return true
}

// replies returns the completions of a read split at the given offsets.
func replies(req *TLP, data []byte, cuts []int) (out []*TLP) {
	addr, n := req.Span()
	from := 0
	for _, to := range append(slices.Clone(cuts), n) {
		c := NewCompletion(req, 0, addr+uint64(from), n-from, to-from)
		copy(c.Bytes(), data[from:to])
		out = append(out, c)
		from = to
	}
	return out
}

// accepts passes all completions to an expectation.
func accepts(t *testing.T, req *TLP, rcb, mps int, cs []*TLP) (data []byte, err error) {
	e := NewExpect(req, rcb, mps)
	for _, c := range cs {
		before := e
		b, err := e.Accept(c)
		if err != nil {
			require.Equal(t, before, e, "a refused completion changes nothing")
			return nil, err
		}
		data = append(data, b...)
	}
	require.Zero(t, e.Left)
	return data, nil
}

// TestCompletionSplitsExhaustive: every way to split a read at multiples of step bytes is accepted
// exactly if it is legal. The policies reach exactly the legal splits.
func TestCompletionSplitsExhaustive(t *testing.T) {
	for _, c := range []struct {
		addr              uint64
		n, rcb, mps, step int
		legalSplits       int // 0: not checked
	}{
		{0x10020, 128, 64, 128, 16, 4}, // the example of the implementation notes
		{0x10020, 128, 128, 128, 16, 2},
		{0x10000, 64, 64, 128, 8, 1},
		{0x10004, 256, 64, 128, 32, 0},
		{0x1003c, 200, 64, 256, 20, 0},
		{0x10001, 191, 64, 128, 21, 0},
		{0x10000, 320, 64, 256, 32, 15},
		{0x1007f, 130, 128, 128, 1, 0},
		{0x1003e, 5, 64, 128, 1, 2},
		{0x10000, 512, 128, 256, 64, 5},
	} {
		req := NewRead(0x100, 5, c.addr, c.n)
		data := make([]byte, c.n)
		for i := range data {
			data[i] = byte(i * 7)
		}
		var places []int
		for p := c.step; p < c.n; p += c.step {
			places = append(places, p)
		}
		for b := c.rcb - int(c.addr%uint64(c.rcb)); b < c.n; b += c.rcb {
			places = append(places, b) // all boundaries, for any step
		}
		slices.Sort(places)
		places = slices.Compact(places)
		if len(places) > 14 {
			keep := places[:0:0] // too many to enumerate: keep only offsets near boundaries
			for _, p := range places {
				if r := (c.addr + uint64(p) + 2) % uint64(c.rcb); r < 5 {
					keep = append(keep, p)
				}
			}
			places = keep
		}
		found := map[string]bool{}
		for set := range 1 << len(places) {
			var cuts []int
			for i, p := range places {
				if set>>i&1 != 0 {
					cuts = append(cuts, p)
				}
			}
			got, err := accepts(t, req, c.rcb, c.mps, replies(req, data, cuts))
			if !legal(c.addr, c.n, c.rcb, c.mps, cuts) {
				require.Error(t, err, "%#x+%d cut at %v", c.addr, c.n, cuts)
				continue
			}
			require.NoError(t, err, "%#x+%d cut at %v", c.addr, c.n, cuts)
			require.Equal(t, data, got)
			found[key(cuts)] = true
		}
		if c.legalSplits > 0 {
			require.Len(t, found, c.legalSplits, "%#x+%d", c.addr, c.n)
		}
		reached := map[string]bool{}
		allSplits(c.addr, c.n, c.rcb, c.mps, nil, 0, reached)
		require.Equal(t, found, reached, "%#x+%d", c.addr, c.n)
	}
}

func key(cuts []int) string {
	b := []byte{}
	for _, c := range cuts {
		b = append(b, byte(c>>8), byte(c))
	}
	return string(b)
}

// allSplits collects all splits that CompletionPart can produce under any policy.
func allSplits(addr uint64, left, rcb, mps int, cuts []int, done int, out map[string]bool) {
	n := 1
	for i := 0; i < n; i++ {
		part := CompletionPart(addr, left, rcb, mps, func(choices int) int { n = choices; return i })
		if part == left {
			out[key(cuts)] = true
			continue
		}
		next := append(slices.Clone(cuts), done+part)
		allSplits(addr+uint64(part), left-part, rcb, mps, next, done+part, out)
	}
}

func TestPolicies(t *testing.T) {
	cut := func(p Policy) (parts []int) {
		addr, left := uint64(0x10020), 512
		for left > 0 {
			n := CompletionPart(addr, left, 64, 256, p)
			parts, addr, left = append(parts, n), addr+uint64(n), left-n
		}
		return parts
	}
	require.Equal(t, []int{224, 256, 32}, cut(MaxSize))
	require.Equal(t, []int{32, 64, 64, 64, 64, 64, 64, 64, 32}, cut(EveryRCB))
	require.Equal(t, cut(Random(7)), cut(Random(7)))
	require.NotEqual(t, cut(Random(7)), cut(Random(8)))
}

// TestExpectRefuses: a completion with any one wrong field is rejected.
func TestExpectRefuses(t *testing.T) {
	req := NewRead(0x100, 0x2a5, 0x1_0000_1020, 200)
	req.TC, req.Attr = 3, RelaxedOrdering
	for _, c := range []struct {
		spoil func(*TLP)
		kind  error
		want  string
	}{
		{func(x *TLP) { x.Requester++ }, ErrUnexpected, "completion for 01:00.1 tag 2a5, expected 01:00.0 tag 2a5"},
		{func(x *TLP) { x.Tag = 0xa5 }, ErrUnexpected, "tag 0a5"},
		{func(x *TLP) { x.TC = 0 }, ErrUnexpected, "traffic class 0"},
		{func(x *TLP) { x.Attr = 0 }, ErrUnexpected, "attributes 000, expected 3 and 010"},
		{func(x *TLP) { x.ByteCount-- }, ErrUnexpected, "byte count 199, expected 200"},
		{func(x *TLP) { x.ByteCount = 4096 }, ErrUnexpected, "byte count 4096"},
		{func(x *TLP) { x.LowerAddr ^= 0x40 }, ErrUnexpected, "lower address 0x60, expected 0x20"},
		{func(x *TLP) { x.Kind, x.Data, x.Length = Cpl, nil, 0 }, ErrUnexpected, "expected data for a read"},
		{func(x *TLP) { x.Kind = MWr }, ErrUnexpected, "MWr, expected a completion"},
		{func(x *TLP) { x.Status = UR }, ErrMalformed, "status UR carries data"},
		{func(x *TLP) { x.Length, x.Data = 9, make([]byte, 36) }, ErrMalformed, "completion ends at 0x100001044"},
		{func(x *TLP) { x.Length, x.Data = 51, make([]byte, 204) }, ErrMalformed, "expected at most 50 DWs"},
		{func(x *TLP) { x.Length, x.Data = 40, make([]byte, 160) }, ErrMalformed, "160 bytes of payload, expected at most 128"},
	} {
		e := NewExpect(req, 64, 128)
		x := NewCompletion(req, 0, 0x1_0000_1020, 200, 96)
		c.spoil(x)
		if x.Length > 32 && c.want != "160 bytes of payload, expected at most 128" {
			e.MPS = 256 // so that the rule under test applies
		}
		before := e
		_, err := e.Accept(x)
		require.ErrorIs(t, err, c.kind, c.want)
		require.ErrorContains(t, err, c.want)
		require.Equal(t, before, e)
	}

	e := NewExpect(req, 64, 128)
	_, err := e.Accept(NewFailure(req, 0, e.Addr, e.Left, CA))
	require.NoError(t, err)
	require.Zero(t, e.Left, "a failure ends the read")
	_, err = e.Accept(NewFailure(req, 0, e.Addr, 4, UR))
	require.ErrorContains(t, err, "read that is done")
}

func TestFlushIsCompletedByOneByte(t *testing.T) {
	req := NewRead(1, 2, 0x1006, 0)
	addr, n := req.Span()
	c := NewCompletion(req, 0, addr, n, n)
	require.Equal(t, []any{1, 1, uint8(4)}, []any{c.Length, c.ByteCount, c.LowerAddr})
	e := NewExpect(req, 64, 128)
	b, err := e.Accept(c)
	require.NoError(t, err)
	require.Len(t, b, 1)
	require.Zero(t, e.Left)
}
