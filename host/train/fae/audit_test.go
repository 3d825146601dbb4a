package fae_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/fae"
	"github.com/hotline-rtl/hotline/host/train/systemtest"
)

// TestAudit: tests between strips read rows, which an audit ignores like the order.
func TestAudit(t *testing.T) {
	j := newJob(1, 2)
	a := systemtest.NewAudit(j.server(t))
	f, err := fae.New(a.Server, j.initial(t), j.opts, j.seed)
	require.NoError(t, err)
	r := a.Run(t, f, j.batches(t), train.Unwatched{})
	require.Positive(t, r.Count(fae.CountSwaps))
	require.NoError(t, a.Check(t, f, f.Order(), r.Works))
}
