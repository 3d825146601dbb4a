package experiment_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/experiment"
)

// TestStop: a run whose context ends says what it had done.
func TestStop(t *testing.T) {
	enough := errors.New("enough")
	for _, c := range []struct {
		system string
		batch  int
		want   string // a pattern
	}{
		{"hybrid", 2, "^enough\nhybrid: 2 mini-batches, 64 inputs, loss 0\\.\\d{6}\nhotline: no mini-batch\nthe parameters were not compared$"},
		{"hotline", 1, "^enough\nhybrid: 5 mini-batches, 160 inputs, loss .*\nhotline: 1 mini-batch, 32 inputs, loss 0\\.\\d{6}\nthe parameters were not compared$"},
		{"hotline", 5, "^enough\nhybrid: 5 mini-batches, 160 inputs, loss .*\nhotline: 5 mini-batches, 160 inputs, loss .*\nthe parameters were not compared$"},
	} {
		ctx, cancel := context.WithCancelCause(t.Context())
		j := newJob(t, nil)
		j.Progress = func(system string, done, _ int) {
			if system == c.system && done == c.batch {
				cancel(enough)
			}
		}
		report, err := experiment.Run(ctx, j)
		require.Nil(t, report)
		require.ErrorIs(t, err, enough)
		require.Regexp(t, c.want, err.Error())
		stopped := &experiment.Stopped{}
		require.ErrorAs(t, err, &stopped)
	}
}

// countdown is a context that ends when it has been asked often enough.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestStopComparing: the end of a run is the comparison of all rows.
func TestStopComparing(t *testing.T) {
	const many = 1 << 40
	whole := &countdown{t.Context(), many}
	_, err := experiment.Run(whole, newJob(t, nil))
	require.NoError(t, err)
	nearly := &countdown{t.Context(), many - whole.left - 1000}
	_, err = experiment.Run(nearly, newJob(t, nil))
	require.ErrorIs(t, err, context.Canceled)
	require.Regexp(t, "hotline: 5 mini-batches, .*\nthe parameters were not compared$", err.Error())
}
