package experiment_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/driver"
	"github.com/hotline-rtl/hotline/host/experiment"
	"github.com/hotline-rtl/hotline/host/server"
	"github.com/hotline-rtl/hotline/host/train"
)

// TestStop: a run whose context ends says what it had done.
func TestStop(t *testing.T) {
	enough := errors.New("enough")
	for _, c := range []struct {
		system string
		batch  int
		want   string // a pattern of its line
	}{
		{"hybrid", 2, "hybrid: 2 mini-batches, 64 inputs, loss 0\\.\\d{6}"},
		{"hotline", 1, "hotline: 1 mini-batch, 32 inputs, loss 0\\.\\d{6}"},
		{"hotline", 5, "hotline: 5 mini-batches, 160 inputs, loss 0\\.\\d{6}"},
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
		require.Regexp(t, "^enough\nhybrid: .*\nhotline: .*\nthe parameters were not compared$", err.Error())
		require.Regexp(t, "(?m)^"+c.want+"$", err.Error())
		stopped := &experiment.Stopped{}
		require.ErrorAs(t, err, &stopped)
	}
}

// TestStopBeforeTheFirst: a system that has done nothing is told of, too.
func TestStopBeforeTheFirst(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := experiment.Run(ctx, newJob(t, nil))
	require.EqualError(t, err, "context canceled\nhybrid: no mini-batch\nhotline: no mini-batch\nthe parameters were not compared")
}

// read is a training system that tells when a row of it is read.
type read struct {
	train.System
	tell func()
}

// Row implements train.System.
func (r read) Row(table int, index uint32, dst []float32) error {
	r.tell()
	return r.System.Row(table, index, dst)
}

// TestStopComparing: the end of a run is the comparison of all rows.
func TestStopComparing(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	j := newJob(t, nil)
	make, rows := j.Systems[0].New, 0
	j.Systems[0].New = func(s *server.Server, dev driver.Device, from *train.State, c *configs.Config) (train.System, error) {
		x, err := make(s, dev, from, c)
		return read{x, func() {
			if rows++; rows == 100 {
				cancel()
			}
		}}, err
	}
	_, err := experiment.Run(ctx, j)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, 100, rows)
	require.Regexp(t, "hotline: 5 mini-batches, .*\nthe parameters were not compared$", err.Error())
}

// TestFailure: the error of a run is that of the first system that has one, in
// their order, and those behind it are stopped.
func TestFailure(t *testing.T) {
	j := newJob(t, nil)
	fail := func(name string, after chan struct{}) experiment.System {
		return experiment.System{Name: name, New: func(*server.Server, driver.Device, *train.State, *configs.Config) (train.System, error) {
			if after != nil {
				<-after
			}
			return nil, errors.New(name + " failed")
		}}
	}
	late, failed := make(chan struct{}), fail("third", nil)
	third := failed.New
	failed.New = func(s *server.Server, dev driver.Device, from *train.State, c *configs.Config) (train.System, error) {
		defer close(late)
		return third(s, dev, from, c)
	}
	done := 0
	j.Progress = func(system string, _, _ int) {
		require.Equal(t, "hybrid", system)
		done++
	}
	j.Systems = []experiment.System{j.Systems[0], fail("second", late), failed}
	_, err := experiment.Run(t.Context(), j)
	require.EqualError(t, err, "second failed")
	require.Equal(t, 5, done, "a system before it ends")
}
