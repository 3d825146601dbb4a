package experiment_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/study/experiment"
	"github.com/hotline-rtl/hotline/host/study/report"
	"github.com/hotline-rtl/hotline/host/train/catalog"
	"github.com/hotline-rtl/hotline/host/train/registry"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/top"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/interp"
)

const tiny = "testdata/tiny.hcl"

// design returns the accelerator of tiny.hcl.
var design = sync.OnceValues(func() (*ir.Design, error) {
	c, err := configs.Load(tiny)
	if err != nil {
		return nil, err
	}
	return hw.Elaborate(top.Hotline{Params: *c.Accelerator})
})

func engine(t testing.TB) sim.Simulator {
	d, err := design()
	require.NoError(t, err)
	s, err := interp.New(d)
	require.NoError(t, err)
	return s
}

// newJob returns the job of tiny.hcl. change, unless nil, modifies the configuration.
func newJob(t testing.TB, change func(c *configs.Config)) experiment.Job {
	c, err := configs.Load(tiny)
	require.NoError(t, err)
	if change != nil {
		change(c)
	}
	clicks, err := experiment.Clicks(c)
	require.NoError(t, err)
	return experiment.Job{Config: c, Data: clicks, Systems: bitIdentical(t), Accelerator: experiment.Cycle("interp", engine(t))}
}

// bitIdentical returns the baseline and Hotline, which must be bit-identical.
func bitIdentical(t testing.TB) []registry.Description {
	list, err := registry.Choose(catalog.Systems(), "hybrid,hotline")
	require.NoError(t, err)
	return list
}

func run(t testing.TB, j experiment.Job) *report.Report {
	r, err := experiment.Run(t.Context(), j)
	require.NoError(t, err)
	return r
}

// system returns the report of a system.
func system(t testing.TB, r *report.Report, name string) report.System {
	for _, s := range r.Systems {
		if s.System == name {
			return s
		}
	}
	t.Fatalf("no system %s", name)
	return report.System{}
}

func printed(t *testing.T, r *report.Report) string {
	var b strings.Builder
	require.NoError(t, r.Print(&b))
	return b.String()
}
