package data_test

import (
	"errors"
	"fmt"
	"io"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/dlrm/data/datatest"
)

var shape = data.Shape{Dense: 2, Steps: 3, Tables: []dlrm.Table{{Name: "a", Rows: 1000, Lookups: 2}, {Name: "b", Rows: 1000, Lookups: 1}}}

// numbered returns a source whose input i contains only the value i.
func numbered(n int) data.Source {
	var b dlrm.Batch
	for i := range n {
		s := dlrm.Sample{Label: float32(i)}
		for range shape.DenseWidth() {
			s.Dense = append(s.Dense, float32(i))
		}
		for range shape.Lookups() {
			s.Sparse = append(s.Sparse, uint32(i))
		}
		b.Append(s)
	}
	return data.InMemory("numbered", shape, b)
}

// numbers reads a source from an input on, n at a time.
func numbers(t *testing.T, s data.Source, at int64, n int) (got []int) {
	r, err := s.Open(at)
	require.NoError(t, err)
	defer r.Close()
	var b dlrm.Batch
	for {
		before := b.Len()
		err := r.Read(&b, n)
		if errors.Is(err, io.EOF) {
			require.Equal(t, before, b.Len())
			require.ErrorIs(t, r.Read(&b, n), io.EOF, "again")
			break
		}
		require.NoError(t, err)
		require.LessOrEqual(t, b.Len()-before, n)
		require.Greater(t, b.Len(), before)
	}
	for i := range b.Len() {
		s := b.At(i)
		require.Len(t, s.Dense, 6)
		require.Len(t, s.Sparse, 9)
		require.Equal(t, uint32(s.Label), s.Sparse[8])
		got = append(got, int(s.Label))
	}
	return got
}

// check reads a source in every way and compares the result with want.
func check(t *testing.T, want []int, s data.Source) {
	t.Helper()
	n, known := s.Len()
	require.True(t, known)
	require.EqualValues(t, len(want), n, s.Name())
	require.Equal(t, shape, s.Shape())
	for at := range len(want) + 2 {
		for n := 1; n <= len(want)+1; n++ {
			require.Equal(t, append([]int(nil), want[min(at, len(want)):]...), numbers(t, s, int64(at), n), "%s from %d on, %d at a time", s.Name(), at, n)
		}
	}
}

func TestInMemory(t *testing.T) {
	check(t, []int{0, 1, 2, 3}, numbered(4))
	check(t, nil, numbered(0))
}

func TestRange(t *testing.T) {
	for _, c := range []struct {
		from, to int64
		want     []int
	}{{0, 3, []int{0, 1, 2}}, {2, 5, []int{2, 3, 4}}, {3, 99, []int{3, 4}}, {2, 2, nil}, {7, 9, nil}} {
		s, err := data.Range(numbered(5), c.from, c.to)
		require.NoError(t, err)
		check(t, c.want, s)
	}
	_, err := data.Range(numbered(5), 3, 2)
	require.EqualError(t, err, "numbered: inputs 3 to 2, expected a range that begins at 0 or above and does not end before it begins")
	_, err = data.Range(numbered(5), -1, 2)
	require.Error(t, err)
	s, err := data.Range(numbered(5), 1, 4)
	require.NoError(t, err)
	s, err = data.Range(s, 1, 9)
	require.NoError(t, err)
	check(t, []int{2, 3}, s)
	require.Equal(t, "numbered, inputs 1 to 4, inputs 1 to 9", s.Name())
}

func TestSplitRandom(t *testing.T) {
	train, test, err := data.SplitRandom(numbered(20), 0.3, 1)
	require.NoError(t, err)
	trained, held := numbers(t, train, 0, 20), numbers(t, test, 0, 20)
	check(t, trained, train)
	check(t, held, test)
	require.Equal(t, []string{"numbered without a random share of 0.3", "numbered, a random share of 0.3"}, []string{train.Name(), test.Name()})

	_, again, err := data.SplitRandom(numbered(20), 0.3, 1)
	require.NoError(t, err)
	require.Equal(t, held, numbers(t, again, 0, 7))
	_, other, err := data.SplitRandom(numbered(20), 0.3, 2)
	require.NoError(t, err)
	require.NotEqual(t, held, numbers(t, other, 0, 7))
	train, test, err = data.SplitRandom(numbered(0), 0.3, 1)
	require.NoError(t, err)
	check(t, nil, train)
	check(t, nil, test)

	for _, share := range []float64{0, 1, -1, math.NaN()} {
		_, _, err = data.SplitRandom(numbered(7), share, 1)
		require.EqualError(t, err, fmt.Sprintf("numbered: a share of %v is to be held out, expected above 0 and below 1", share))
	}
	_, _, err = data.SplitRandom(uncounted{numbered(7)}, 0.5, 1)
	require.EqualError(t, err, "numbered: it is not known how many inputs there are, so none can be held out at random; hold out the last, or index the log by a first pass")
}

// TestSplitRandomShare: the share of held-out inputs is as requested, within four standard
// deviations, in any part of the source.
func TestSplitRandomShare(t *testing.T) {
	const n, parts = 20_000, 4
	for _, share := range []float64{0.01, 0.1, 0.5, 0.9} {
		_, test, err := data.SplitRandom(numbered(n), share, 3)
		require.NoError(t, err)
		var held [parts]float64
		for _, i := range numbers(t, test, 0, n) {
			held[i*parts/n]++
		}
		for _, got := range held {
			require.InDelta(t, share*n/parts, got, 4*math.Sqrt(share*(1-share)*n/parts), "%v", share)
		}
	}
}

// disjoint returns an error unless training and held-out inputs are together the first n inputs of
// a numbered source, each exactly once.
func disjoint(t *testing.T, n int, train, test data.Source) error {
	seen := make([]int, n)
	for _, s := range []data.Source{train, test} {
		for _, i := range numbers(t, s, 0, n) {
			seen[i]++
		}
	}
	for i, times := range seen {
		if times != 1 {
			return fmt.Errorf("input %d occurs %d times", i, times)
		}
	}
	return nil
}

// TestDisjoint: no split leaks an input from the held-out part to the training part, or loses one.
// As a control, a split that leaks one input is found.
func TestDisjoint(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(r, "inputs")
		train, test, err := data.SplitRandom(numbered(n), rapid.Float64Range(0.01, 0.99).Draw(r, "share"), rapid.Uint64().Draw(r, "seed"))
		require.NoError(t, err)
		require.NoError(t, disjoint(t, n, train, test))

		cut := int64(rapid.IntRange(0, n).Draw(r, "cut"))
		first, err := data.Range(numbered(n), 0, cut)
		require.NoError(t, err)
		last, err := data.Range(numbered(n), cut, int64(n))
		require.NoError(t, err)
		shuffled, err := data.Shuffle(first, 7, 1, 0)
		require.NoError(t, err)
		require.NoError(t, disjoint(t, n, shuffled, last))
		if cut > 0 {
			leaking, err := data.Range(numbered(n), cut-1, int64(n))
			require.NoError(t, err)
			require.EqualError(t, disjoint(t, n, shuffled, leaking), fmt.Sprintf("input %d occurs 2 times", cut-1))
		}
	})
}

// uncounted is a source of unknown length.
type uncounted struct{ data.Source }

func (uncounted) Len() (int64, bool) { return 0, false }

// failing is a source that cannot be opened, or that fails after its third input.
type failing struct {
	data.Source
	atOnce bool
}

var errBroken = errors.New("broken")

func (f failing) Open(at int64) (data.Reader, error) {
	if f.atOnce {
		return nil, errBroken
	}
	s, err := data.Range(f.Source, 0, 3)
	if err != nil {
		return nil, err
	}
	r, err := s.Open(at)
	return broken{r}, err
}

type broken struct{ data.Reader }

func (b broken) Read(to *dlrm.Batch, n int) error {
	err := b.Reader.Read(to, n)
	if errors.Is(err, io.EOF) {
		return errBroken
	}
	return err
}

// TestFailures: readers of a part of a source return the errors of the source.
func TestFailures(t *testing.T) {
	for _, atOnce := range []bool{true, false} {
		f := failing{numbered(9), atOnce}
		part, err := data.Range(f, 1, 8)
		require.NoError(t, err)
		train, test, err := data.SplitRandom(f, 0.5, 1)
		require.NoError(t, err)
		mixed, err := data.Shuffle(f, 2, 1, 0)
		require.NoError(t, err)
		both, err := data.Concat("both", numbered(2), f)
		require.NoError(t, err)
		for _, s := range []data.Source{f, part, train, test, mixed, both} {
			_, err := datatest.Read(s, 0)
			require.ErrorIs(t, err, errBroken)
		}
	}
}
