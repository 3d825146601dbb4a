package experiment

import (
	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/driver"
	"github.com/hotline-rtl/hotline/host/rec"
	"github.com/hotline-rtl/hotline/host/server"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/cdlrm"
	"github.com/hotline-rtl/hotline/host/train/cpuhotline"
	"github.com/hotline-rtl/hotline/host/train/elrec"
	"github.com/hotline-rtl/hotline/host/train/fae"
	"github.com/hotline-rtl/hotline/host/train/hotline"
	"github.com/hotline-rtl/hotline/host/train/hugectr"
	"github.com/hotline-rtl/hotline/host/train/hybrid"
	"github.com/hotline-rtl/hotline/host/train/scratchpipe"
	"github.com/hotline-rtl/hotline/host/train/shadow"
	"github.com/hotline-rtl/hotline/host/train/staticcache"
	"github.com/hotline-rtl/hotline/host/train/xdl"
)

// Systems are those of the project: baselines first, and then one paper after the other.
func Systems() []System {
	return []System{
		{Name: "hybrid", Title: "hybrid CPU-GPU: rows in CPU memory, MLPs data-parallel on the GPUs", New: newHybrid},
		{Name: "hybrid-intel", Title: "hybrid with the CPU kernels of the DLRM that Intel optimised, whatever the profile says", New: newHybridIntel},
		{Name: "xdl", Title: "parameter server as XDL: workers pull dense parameters and rows, and push gradients", New: newXDL},
		{Name: "hugectr", Title: "GPUs alone, as HugeCTR: tables dealt out row by row, rows exchanged all to all", New: newHugeCTR},
		{Name: "cpu-hotline", Title: "Hotline without an accelerator: the CPU learns, segregates, collects and updates", New: newCPUHotline},
		{Name: "static-cache", Title: "hybrid with a static cache: the top rows of each table on the GPUs (ScratchPipe's baseline)", New: newStaticCache},
		{Name: "fae", Title: "FAE (VLDB 2022): mini-batches of inputs whose rows are all on the GPUs, and of the others", Promise: OwnOrder, New: newFAE, Check: checkFAE},
		{Name: "cdlrm", Title: "cDLRM (RecSys 2021): GPUs cache the rows of a look-ahead window", New: newCDLRM(false), Check: checkCDLRM, Weakened: averaging},
		{Name: "cdlrm-paper", Title: "the same as its authors released it: reads old rows, loses updates", Promise: Approximate, New: newCDLRM(true), Check: checkCDLRM},
		{Name: "elrec", Title: "EL-Rec (SC 2022): large tables in tensor-train form on the GPUs, products reused", Promise: Approximate, New: newELRec, Truth: truthOfCores, Keeps: keepsCores},
		{Name: "tt-rec", Title: "TT-Rec (MLSys 2021): the same form, multiplied lookup by lookup", Promise: Approximate, New: newTTRec, Truth: truthOfCores, Keeps: keepsCores},
		{Name: "scratchpipe", Title: "ScratchPipe (ISCA 2022): rows come to the GPUs before they are read, in a pipeline", New: newScratchPipe(scratchpipe.New)},
		{Name: "scratchpipe-strawman", Title: "the same, one mini-batch after the other", New: newScratchPipe(scratchpipe.NewStrawman)},
		{Name: "scratchpipe-ideal", Title: "the same without read-after-write dependencies, as in the Hotline paper", Promise: Approximate, New: newScratchPipe(scratchpipe.NewIdeal)},
		{Name: "hotline", Title: "Hotline (ISCA 2024): hot rows on the GPUs, the accelerator gathers the others", Accelerated: true, New: newHotline},
	}
}

func newHybrid(s *server.Server, _ driver.Device, from *train.State, _ *configs.Config) (train.System, error) {
	return hybrid.New(s, from), nil
}

func newFAE(s *server.Server, _ driver.Device, from *train.State, c *configs.Config) (train.System, error) {
	return fae.New(s, from, c.FAE.Options(c.Training.Seed))
}

func newHotline(s *server.Server, dev driver.Device, from *train.State, c *configs.Config) (train.System, error) {
	o := hotline.DefaultOptions()
	o.Sample, o.Relearn = c.Training.LearnShare, c.Training.Relearn
	return hotline.New(s, dev, from, o)
}

func newHybridIntel(s *server.Server, _ driver.Device, from *train.State, _ *configs.Config) (train.System, error) {
	return hybrid.NewIntel(s, from), nil
}

// checkFAE reports a budget that has no room for tables that are hot as a whole and a
// row of each other one.
func checkFAE(c *configs.Config, model rec.Config) error {
	o := c.FAE.Options(c.Training.Seed).Static
	room, least := o.Budget/int64(4*model.Dim), 0
	for _, t := range model.Tables {
		if int64(t.Rows)*int64(4*model.Dim) < o.Small {
			least += t.Rows
		} else {
			least++
		}
	}
	if room < int64(least) {
		return c.Errorf("fae", "budget_mib", "budget_mib is %v, which holds %d rows, but tables of less than %v KiB and a row of each other one are %d: use a larger budget_mib, or a smaller small_kib",
			c.FAE.BudgetMiB, room, c.FAE.SmallKiB, least)
	}
	return nil
}

func newXDL(s *server.Server, _ driver.Device, from *train.State, _ *configs.Config) (train.System, error) {
	return xdl.New(s, from), nil
}

func newHugeCTR(s *server.Server, _ driver.Device, from *train.State, _ *configs.Config) (train.System, error) {
	return hugectr.New(s, from), nil
}

// newCPUHotline has as many hot rows as the accelerator has blocks for.
func newCPUHotline(s *server.Server, _ driver.Device, from *train.State, c *configs.Config) (train.System, error) {
	t := c.Training
	return cpuhotline.New(s, from, cpuhotline.Options{Rows: min(c.Accelerator.Blocks, totalRows(from.Model.Tables)), Sample: t.LearnShare, Relearn: t.Relearn})
}

func newStaticCache(s *server.Server, _ driver.Device, from *train.State, _ *configs.Config) (train.System, error) {
	return staticcache.New(s, from, staticcache.DefaultOptions())
}

// newScratchPipe makes one of the ways of ScratchPipe.
func newScratchPipe(way func(*server.Server, *train.State, scratchpipe.Options) (*scratchpipe.System, error)) func(*server.Server, driver.Device, *train.State, *configs.Config) (train.System, error) {
	return func(s *server.Server, _ driver.Device, from *train.State, c *configs.Config) (train.System, error) {
		return way(s, from, *c.ScratchPipe)
	}
}

// newCDLRM makes cDLRM, or what its authors released.
func newCDLRM(released bool) func(*server.Server, driver.Device, *train.State, *configs.Config) (train.System, error) {
	return func(s *server.Server, _ driver.Device, from *train.State, c *configs.Config) (train.System, error) {
		o := c.LookAhead()
		o.Released = released
		return cdlrm.New(s, from, o)
	}
}

func checkCDLRM(c *configs.Config, model rec.Config) error {
	if err := c.LookAhead().CheckModel(model); err != nil {
		return c.Errorf("cdlrm", "lambda", "%v", err)
	}
	return nil
}

// averaging tells that the GPUs average caches that they have updated by themselves.
func averaging(c *configs.Config) bool { return !c.LookAhead().Sequential() }

func newELRec(s *server.Server, _ driver.Device, from *train.State, c *configs.Config) (train.System, error) {
	return elrec.New(s, from, *c.ELRec)
}

func newTTRec(s *server.Server, _ driver.Device, from *train.State, c *configs.Config) (train.System, error) {
	return elrec.NewTTRec(s, from, *c.ELRec)
}

// keepsCores are the tables in tensor-train form on all GPUs, with their gradients.
func keepsCores(c *configs.Config, model rec.Config, inputs float64) need {
	bytes := float64(c.Training.GPUs*c.Training.Nodes) * c.ELRec.Bytes(model, inputs)
	return need{"tables in tensor-train form", bytes, "elrec", "rank", "use a smaller rank or threshold"}
}

// truthOfCores is sequential training of the cores of EL-Rec and TT-Rec.
func truthOfCores(s train.System, from *train.State) shadow.Truth {
	return shadow.NewFormed(from, s.(*elrec.System).Rule())
}
