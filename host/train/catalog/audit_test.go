package catalog_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/device/functional"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/catalog"
	"github.com/hotline-rtl/hotline/host/train/cdlrm"
	"github.com/hotline-rtl/hotline/host/train/elrec"
	"github.com/hotline-rtl/hotline/host/train/fae"
	"github.com/hotline-rtl/hotline/host/train/registry"
	"github.com/hotline-rtl/hotline/host/train/scratchpipe"
	"github.com/hotline-rtl/hotline/host/train/systemtest"
	"github.com/hotline-rtl/hotline/host/train/timing"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// options are the options of each block with which its systems do all that they can: caches that
// are too small, hot and cold mini-batches, tables in every place. The last ones are for plain SGD.
var options = map[string][]registry.Options{
	"fae":         {&fae.Options{BudgetMiB: 0.02, Sample: 0.5, SmallKiB: 1, Test: 0}},
	"cdlrm":       {&cdlrm.Options{Window: 2, Sets: 8, Ways: 4, Lambda: 1}, &cdlrm.Options{Window: 3, Sets: 8, Ways: 2, Lambda: 2}},
	"elrec":       {&elrec.Options{Threshold: 100, Rank: 4, Queue: 2}, &elrec.Options{Threshold: 500, Rank: 4, Queue: 3, Host: true}},
	"scratchpipe": {&scratchpipe.Options{Share: 0.1, Policy: scratchpipe.DefaultOptions().Policy, Past: 3, Future: 2}},
}

// audited trains a system on an audited machine. It returns the system, the audit and the works.
func audited(t testing.TB, d registry.Description, o registry.Options, model dlrm.Config, gpus int) (train.System, *systemtest.Audit, []timing.Work) {
	s, a := built(t, d, o, model, gpus)
	return s, a, a.Run(t, s, systemtest.Clicks(t, model), train.Unwatched{}).Works
}

// built returns a system on an audited machine.
func built(t testing.TB, d registry.Description, o registry.Options, model dlrm.Config, gpus int) (train.System, *systemtest.Audit) {
	a := systemtest.NewAudit(systemtest.Server(t, gpus, false))
	sizes := arch.Small()
	sizes.Blocks = 256
	var dev driver.Device
	if d.Accelerated {
		card, err := functional.New(a.Server.Kernel, sizes, a.Server.Config.Period, a.Server.Config.Endpoint)
		require.NoError(t, err)
		dev, err = a.Server.Insert(card)
		require.NoError(t, err)
	}
	s, err := d.New(a.Server, dev, systemtest.Initial(t, model), registry.Setting{
		Options: o, GPUs: gpus, Batch: systemtest.Batch, Batches: systemtest.Batches, LearnShare: 0.5, Relearn: 3, Seed: 5, Blocks: 60,
	})
	require.NoError(t, err)
	return s, a
}

// TestAudit: the bytes that each system moves equal the charges of its order, with every profile.
func TestAudit(t *testing.T) {
	optimisers := systemtest.Optimisers()
	for _, d := range catalog.Systems() {
		with := options[d.Block]
		if with == nil {
			with = []registry.Options{d.Options}
		}
		for i, o := range with {
			for name, model := range map[string]dlrm.Config{"DLRM": systemtest.DLRM(), "TBSM": systemtest.TBSM()} {
				for _, gpus := range []int{1, 2, 3, 4} {
					model := model
					model.Optimiser = optimisers[gpus]
					if i > 0 {
						model.Optimiser = dlrm.SGD
					}
					t.Run(fmt.Sprintf("%s %d, %s, %d GPUs, %v", d.Name, i, name, gpus, model.Optimiser.Rule), func(t *testing.T) {
						s, a, works := audited(t, d, o, model, gpus)
						require.NoError(t, a.Check(t, s, s.Order(), works))
					})
				}
			}
		}
	}
}
