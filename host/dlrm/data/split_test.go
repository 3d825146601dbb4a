package data_test

import (
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

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

func TestSplitShare(t *testing.T) {
	train, test, err := data.SplitShare(numbered(7), 1./7)
	require.NoError(t, err)
	check(t, []int{0, 1, 2, 3, 4, 5}, train)
	check(t, []int{6}, test)
	train, test, err = data.SplitShare(numbered(7), 0.5)
	require.NoError(t, err)
	check(t, []int{0, 1, 2, 3}, train)
	check(t, []int{4, 5, 6}, test)
	_, _, err = data.SplitShare(numbered(7), 1.5)
	require.EqualError(t, err, "numbered: a share of 1.5 is to be held out, expected 0 to 1")
	_, _, err = data.SplitShare(uncounted{numbered(7)}, 0.5)
	require.EqualError(t, err, "numbered: it is not known how many inputs there are, so a share cannot be held out; hold out every k-th, or index the log by a first pass")
}

func TestSplitEvery(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 8, 9, 10} {
		var train, test []int
		for i := range n {
			if i%3 == 2 {
				test = append(test, i)
			} else {
				train = append(train, i)
			}
		}
		s, u, err := data.SplitEvery(numbered(n), 3)
		require.NoError(t, err)
		check(t, train, s)
		check(t, test, u)
	}
	_, _, err := data.SplitEvery(numbered(7), 1)
	require.EqualError(t, err, "numbered: every 1-th input cannot be held out, expected at least every second")
	s, u, err := data.SplitEvery(numbered(7), 7)
	require.NoError(t, err)
	require.Equal(t, []string{"numbered without every 7-th input", "numbered, every 7-th input"}, []string{s.Name(), u.Name()})
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
		train, test, err := data.SplitEvery(f, 2)
		require.NoError(t, err)
		for _, s := range []data.Source{f, part, train, test} {
			_, err := datatest.Read(s, 0)
			require.ErrorIs(t, err, errBroken)
		}
	}
}
