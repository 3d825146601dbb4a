package accuracy

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// find returns the variant with this name.
func find(t *testing.T, name string) variant {
	for _, v := range variants() {
		if v.name() == name {
			return v
		}
	}
	require.Fail(t, "there is no "+name)
	return variant{}
}

// less compares a variant with sequential training in one quantity.
func less(t *testing.T, q quantity, name string) band {
	all, v := outcomes(t), find(t, name)
	return q.over(all[name], all[sequential(v.batch).name()])
}

func lambda(n, batch int) string {
	return fmt.Sprintf("cdlrm, lambda %d, mini-batches of %d", n, batch)
}

// TestLambdasOfTheDocument checks the statements of cdlrm.md about lambda.
func TestLambdasOfTheDocument(t *testing.T) {
	for _, batch := range []int{128, 512} {
		require.Negative(t, less(t, moreAUC, lambda(64, batch)).high, "with every seed")
		require.Positive(t, less(t, moreAUC, lambda(4, batch)).high, "with some seed")
	}
	require.Positive(t, less(t, moreLoss, lambda(64, 128)).low)
	require.Negative(t, less(t, moreLoss, lambda(64, 512)).low)
	require.Positive(t, less(t, moreLoss, lambda(64, 512)).high)
	require.Negative(t, less(t, moreLoss, lambda(16, 512)).high)
	for _, n := range []int{4, 16, 64} {
		require.Greater(t, less(t, apart, lambda(n, 128)).low, less(t, apart, lambda(n, 512)).high)
	}
	require.Less(t, less(t, moreAUC, lambda(64, 128)).high, less(t, moreAUC, lambda(64, 512)).low, "small mini-batches lose more")
}

// TestAgesOfTheDocument checks the statements of cdlrm.md about stale rows.
func TestAgesOfTheDocument(t *testing.T) {
	better, worse, oldest, wrong, youngest := 0, 0, 0., 0., 0
	for _, l := range ages().lines {
		for _, v := range l.variants {
			b := less(t, moreAUC, v.name())
			require.Less(t, max(-b.low, b.high), 0.00155)
			if b.low > 0 {
				better++
			}
			if b.high < 0 {
				worse++
			}
			if less(t, age, v.name()).mean < 0.03 {
				require.Positive(t, b.low)
				youngest++
			} else {
				require.True(t, -0.00055 < b.mean && b.mean < -0.00015, "alike: %v", b.mean)
			}
			oldest = max(oldest, less(t, age, v.name()).mean)
			wrong = max(wrong, less(t, old, v.name()).mean+less(t, never, v.name()).mean)
		}
	}
	require.Equal(t, []int{1, 1}, []int{better, worse})
	require.Equal(t, 1, youngest)
	require.InDelta(t, 2.8, oldest, 0.05)
	require.InDelta(t, 33, wrong, 2)
}

// TestRanksOfTheDocument checks the statements of elrec.md about ranks.
func TestRanksOfTheDocument(t *testing.T) {
	name := func(rank int) string { return fmt.Sprintf("elrec, rank %d, threshold 1000, mini-batches of 256", rank) }
	least, most := -1., 0.
	for _, l := range ranks().lines {
		for _, v := range l.variants {
			b := less(t, moreAUC, v.name())
			least, most = max(least, b.high), min(most, b.low)
		}
	}
	require.InDelta(t, -0.003, least, 0.0005)
	require.InDelta(t, -0.017, most, 0.0005)
	all := outcomes(t)
	between := func(a, b string) band { return moreAUC.over(all[a], all[b]) }
	for _, pair := range [][2]int{{4, 8}, {4, 16}, {8, 16}} {
		require.Positive(t, between(name(pair[0]), name(1)).low)
		require.Positive(t, between(name(pair[1]), name(1)).low)
		require.Negative(t, between(name(pair[0]), name(pair[1])).low)
		require.Positive(t, between(name(pair[0]), name(pair[1])).high)
	}
	require.Positive(t, between(name(4), "elrec, rank 4, threshold 100, mini-batches of 256").low)
}

// TestSeedsDifferMore checks a statement of docs/explanation/decisions/approximations.md: outcomes
// vary more between seeds than between cDLRM and sequential training.
func TestSeedsDifferMore(t *testing.T) {
	for _, l := range append(lambdas().lines, ages().lines...) {
		for _, v := range l.variants {
			seeds := auc.over(outcomes(t)[sequential(v.batch).name()], outcomes(t)[sequential(v.batch).name()])
			b := less(t, moreAUC, v.name())
			require.Greater(t, seeds.high-seeds.low, max(-b.low, b.high), v.name())
		}
	}
}
