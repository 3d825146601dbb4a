package experiment_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/study/experiment"
	"github.com/hotline-rtl/hotline/host/study/report"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/checkpoint"
	"github.com/hotline-rtl/hotline/host/train/registry"
)

// TestStop: a run whose context ends reports the progress of its systems.
func TestStop(t *testing.T) {
	enough := errors.New("enough")
	for _, c := range []struct {
		system string
		batch  int
		want   string // pattern of the system's line
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

// TestStopBeforeTheFirst: a system without progress is reported, too.
func TestStopBeforeTheFirst(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := experiment.Run(ctx, newJob(t, nil))
	require.EqualError(t, err, "context canceled\nhybrid: no mini-batch\nhotline: no mini-batch\nthe parameters were not compared")
}

// read is a training system that calls a function whenever one of its rows is read.
type read struct {
	train.System
	tell func()
}

// Row implements train.System.
func (r read) Row(table int, index uint32, dst []float32) error {
	r.tell()
	return r.System.Row(table, index, dst)
}

// TestStopComparing: the final comparison of all rows can be cancelled.
func TestStopComparing(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	j := newJob(t, nil)
	make, rows := j.Systems[0].New, 0
	j.Systems[0].New = func(s *server.Server, dev driver.Device, from *train.State, c registry.Setting) (train.System, error) {
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

// TestFailure: a failing system does not affect the other systems. If all fail, the error is the
// first failure.
func TestFailure(t *testing.T) {
	j := newJob(t, nil)
	fail := func(name string, err error) registry.Description {
		return registry.Description{Name: name, New: func(*server.Server, driver.Device, *train.State, registry.Setting) (train.System, error) {
			return nil, err
		}}
	}
	broken, unmet := fail("broken", errors.New("device lost")), fail("unmet", &train.Unmet{Err: errors.New("too few rows")})
	hybrid := j.Systems[0]
	for _, order := range [][]registry.Description{{hybrid, broken, unmet}, {broken, unmet, hybrid}} {
		j.Systems = order
		got := map[string]*report.Failure{}
		r := run(t, j)
		for _, s := range r.Systems {
			got[s.System] = s.Failure
		}
		require.Equal(t, map[string]*report.Failure{"hybrid": nil, "broken": {Kind: report.Failed, Text: "device lost"}, "unmet": {Kind: report.NotTrained, Text: "too few rows"}}, got)
		require.True(t, r.Trained())
		require.Equal(t, 5, r.MiniBatches)
		require.Empty(t, r.SpeedUps)
	}
	j.Systems = []registry.Description{unmet, broken}
	_, err := experiment.Run(t.Context(), j)
	require.EqualError(t, err, "device lost")
	j.Systems = []registry.Description{unmet}
	_, err = experiment.Run(t.Context(), j)
	require.EqualError(t, err, "too few rows")
}

// TestUnsaved: an error of Save ends the run, regardless of the other systems.
func TestUnsaved(t *testing.T) {
	j := newJob(t, nil)
	full := errors.New("disk full")
	j.Save = func(*checkpoint.Checkpoint, bool) error { return full }
	j.SaveEvery = 2
	_, err := experiment.Run(t.Context(), j)
	require.ErrorIs(t, err, full)
}

// lossy is a system that reports a modified loss in one mini-batch.
type lossy struct {
	train.System
	loss float32
}

// Train implements train.System.
func (s lossy) Train(b *train.Batches, w train.Watch, done func(train.Step) error) error {
	return s.System.Train(b, w, func(step train.Step) error {
		if step.MiniBatch == 2 {
			step.Loss = s.loss
		}
		return done(step)
	})
}

// TestLossThatIsNoNumber: an infinite or NaN loss ends the training of one system, and the report
// can be encoded as JSON.
func TestLossThatIsNoNumber(t *testing.T) {
	j := newJob(t, nil)
	hybrid := j.Systems[0]
	for _, c := range []struct {
		loss float32
		want *report.Failure
	}{
		{1e30, nil},
		{float32(math.Inf(1)), &report.Failure{Kind: report.Diverged, Text: "in mini-batch 2: the loss is +Inf; a smaller learning_rate may help"}},
		{float32(math.NaN()), &report.Failure{Kind: report.Diverged, Text: "in mini-batch 2: the loss is NaN; a smaller learning_rate may help"}},
	} {
		j.Systems = []registry.Description{hybrid, {Name: "lossy", New: func(s *server.Server, dev driver.Device, from *train.State, cfg registry.Setting) (train.System, error) {
			x, err := hybrid.New(s, dev, from, cfg)
			return lossy{x, c.loss}, err
		}}}
		r := run(t, j)
		require.Nil(t, r.Systems[0].Failure)
		require.Equal(t, c.want, r.Systems[1].Failure)
		_, err := json.Marshal(r)
		require.NoError(t, err)
	}
}
