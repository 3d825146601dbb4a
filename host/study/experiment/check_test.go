package experiment_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/study/experiment"
	"github.com/hotline-rtl/hotline/host/study/report/reporttest"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/catalog"
	"github.com/hotline-rtl/hotline/host/train/consistency"
	"github.com/hotline-rtl/hotline/host/train/hybrid"
	"github.com/hotline-rtl/hotline/host/train/registry"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// checked returns a job with the functional model and consistency checks.
func checked(t *testing.T, systems ...registry.Description) experiment.Job {
	j := newJob(t, nil)
	j.Watch, j.Accelerator, j.Systems = true, experiment.Functional(*j.Config.Accelerator), systems
	return j
}

const reads = 5 * 32 * 29 // number of reads with tiny.hcl

// TestCheck: all systems of the project pass their checks when they run concurrently.
func TestCheck(t *testing.T) {
	r := run(t, checked(t, catalog.Systems()...))
	for _, s := range r.Systems {
		require.NotNil(t, s.Check, s.System)
		if s.Promise != registry.Approximate.String() {
			require.Zero(t, s.Check.Findings, "%s: %v", s.System, s.Check.First)
			require.EqualValues(t, reads, s.Check.Staleness.Reads, s.System)
		}
	}
	require.Empty(t, r.Broken())
	require.Contains(t, printed(t, r), "  sequential   bit-identical  nothing found in 4,640 reads\n")
	require.Nil(t, run(t, newJob(t, nil)).Systems[0].Check)
}

// forgetful is a hybrid system whose order books no copies.
type forgetful struct{ *hybrid.System }

func (forgetful) Order() timing.System {
	return func(s *timing.Schedule, works []timing.Work) {
		for m, w := range works {
			s.Begin(m)
			p := s.AllReduce(s.GPU(s.Train(w.Inputs), s.Params))
			s.Mark(timing.PhaseGPU, p)
			s.End(p)
		}
	}
}

// TestAudit: an order that charges other bytes than the system moves fails the run. Several servers
// are not audited, and the report says so.
func TestAudit(t *testing.T) {
	d := registry.Description{Name: "forgetful", New: registry.Plain(func(s *server.Server, from *train.State) forgetful { return forgetful{hybrid.New(s, from)} })}
	j := checked(t, d)
	r := run(t, j)
	require.Contains(t, r.Broken(), "audit: forgetful, mini-batch 0, host to GPUs: ")
	require.Contains(t, r.Broken(), "but the timeline charges 0 (nothing)")
	require.Contains(t, printed(t, r), r.Broken())

	j = checked(t, d)
	j.Config.Training.Nodes = 2
	r = run(t, j)
	require.Empty(t, r.Broken())
	require.Contains(t, printed(t, r), "not made with 2 servers")
}

// late is a hybrid system that reports modified vectors to its checker.
type late struct {
	*hybrid.System
	spoil func(m, input int, pooled []float32)
}

func (l late) Train(b *train.Batches, w train.Watch, done func(train.Step) error) error {
	return l.System.Train(b, liar{w, l.spoil}, done)
}

type liar struct {
	train.Watch
	spoil func(m, input int, pooled []float32)
}

func (l liar) Pooled(m, input int, pooled []float32) {
	own := append([]float32{}, pooled...)
	l.spoil(m, input, own)
	l.Watch.Pooled(m, input, own)
}

// spoiled returns a system that reports a wrong value for input 3 of mini-batch 2.
func spoiled(p registry.Guarantee) registry.Description {
	return registry.Description{Name: "spoiled", Guarantee: p, New: func(s *server.Server, _ driver.Device, from *train.State, _ registry.Setting) (train.System, error) {
		return late{hybrid.New(s, from), func(m, input int, pooled []float32) {
			if m == 2 && input == 3 {
				pooled[0] = 42
			}
		}}, nil
	}}
}

// TestCheckFinds: findings are counted and printed. They break the guarantee of a system that gives
// one.
func TestCheckFinds(t *testing.T) {
	r := run(t, checked(t, spoiled(registry.Sequential)))
	s := r.Systems[0].Check
	require.Equal(t, []any{consistency.WrongRead, 2, 0}, []any{s.First[0].Kind, s.First[0].MiniBatch, s.First[0].Table})
	require.Equal(t, "spoiled: "+s.First[0].String(), r.Broken())
	require.Contains(t, printed(t, r), "wrong read, mini-batch 2, table 0, row ")
	require.True(t, reporttest.Has(reporttest.Text(t, pageOf(t, r)), s.First[0].String()))

	r = run(t, checked(t, spoiled(registry.OwnOrder)))
	require.NotEmpty(t, r.Broken())
	r = run(t, checked(t, spoiled(registry.Approximate)))
	require.NotZero(t, r.Systems[0].Check.Findings)
	require.Empty(t, r.Broken(), "it does not promise")
}

// TestOwnReference: a system with a reference of its own is checked against it.
func TestOwnReference(t *testing.T) {
	s := catalog.Systems()[0]
	s.Reference = func(train.System, *train.State) consistency.Reference { return nothing{} }
	_, err := experiment.Run(t.Context(), checked(t, s))
	require.ErrorIs(t, err, errNothing)
	require.ErrorContains(t, err, "hybrid: check: ")
}

var errNothing = errors.New("nothing to compare with")

// nothing is a reference whose rows are all zero.
type nothing struct{}

func (nothing) Row(int, uint32) []float32                             { return make([]float32, 100) }
func (nothing) Old(int, uint32) [][]float32                           { return nil }
func (nothing) Step(int, dlrm.Batch, []float32) error                 { return nil }
func (nothing) Compare(train.System, func(consistency.Finding)) error { return errNothing }

func TestCheckRefusals(t *testing.T) {
	j := checked(t, catalog.Systems()[0])
	j.Valueless = true
	_, err := experiment.Run(t.Context(), j)
	require.EqualError(t, err, "experiment: without values there is nothing to check")
}

// TestCheckOutOfMemory: a system that runs out of memory is not checked, and the checks of the
// other systems are unaffected.
func TestCheckOutOfMemory(t *testing.T) {
	var page bytes.Buffer
	j := checked(t, catalog.Systems()[:1]...)
	j.Systems = append(j.Systems, registry.Description{Name: "large", New: func(s *server.Server, _ driver.Device, from *train.State, _ registry.Setting) (train.System, error) {
		s.Host.Reserve("nothing", 1<<50)
		return hybrid.New(s, from), nil
	}})
	r := run(t, j)
	require.NotNil(t, r.Systems[1].OutOfMemory)
	require.Nil(t, r.Systems[1].Check)
	require.Zero(t, r.Systems[0].Check.Findings)
	require.NoError(t, r.WriteHTML(&page))
}
