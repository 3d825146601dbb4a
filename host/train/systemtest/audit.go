package systemtest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/audit"
	"github.com/hotline-rtl/hotline/host/train/machine"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// Audit counts the bytes that a training on a machine moves.
type Audit struct {
	Server *server.Server
	ledger *audit.Ledger
}

// NewAudit audits a machine, on which the system must be built afterwards.
func NewAudit(s *server.Server) *Audit {
	a := &Audit{s, audit.NewLedger(0)}
	s.Observe(a.ledger)
	return a
}

// Run trains a system from the first mini-batch.
func (a *Audit) Run(t testing.TB, s train.System, b *train.Batches, w train.Watch) train.Result {
	r, err := train.Run(s, b, w, func(train.Step) error {
		a.ledger.Next()
		return nil
	})
	require.NoError(t, err)
	a.Server.Observe(nil)
	return r
}

// Totals compares the bytes of each resource that a training used, with a software profile.
func (a *Audit) Totals(t testing.TB, s train.System, order timing.System, profile string, works []timing.Work) ([]audit.Total, error) {
	p, err := timing.LoadProfile(profile)
	require.NoError(t, err)
	plan := timing.Plan{Machine: machine.Default(), Profile: p, Model: s.Model(), GPUs: len(a.Server.GPUs), Nodes: 1}
	return a.ledger.Check(s.Name(), order, plan, works)
}

// Check returns the first difference between the bytes that a system has moved and the charges of
// an order, with any software profile.
func (a *Audit) Check(t testing.TB, s train.System, order timing.System, works []timing.Work) error {
	for _, name := range timing.ProfileNames() {
		if _, err := a.Totals(t, s, order, name, works); err != nil {
			return err
		}
	}
	return nil
}
