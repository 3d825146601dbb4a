package papers

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// What the Hotline paper states, or follows from it.
const (
	popularOf4 = 3       // of 4 inputs (Sec. VII-F1)
	hotTable   = 1 << 21 // rows on each GPU: 512 MB of 64 values
	cold       = 6       // rows of another input that are not hot; 5 to 9 of the 26 tables of the Criteo log
	perCycle   = 60      // lookups that the accelerator classifies (Fig. 16)
	clock350   = 2857 * des.Picosecond
	pcie       = 91 * des.Picosecond // a byte, at 11 GB/s
)

// perGPU is the number of inputs that the papers give each GPU.
const perGPU = 1024

// counts are those of a mini-batch of a model as the Hotline paper describes it.
func counts(m dlrm.Config, inputs int) timing.Work {
	return countsOf(m, inputs, inputs*(4-popularOf4)/4)
}

// countsOf are those of a mini-batch in which so many inputs are not popular.
func countsOf(m dlrm.Config, inputs, others int) timing.Work {
	lookups, colds := inputs*m.Lookups(), others*max(cold, cold*len(m.Tables)/26)
	bytes := colds * m.Dim * 4
	return timing.Work{
		Inputs: inputs, Popular: inputs - others, HotRows: lookups / 4, ColdRows: colds, ColdCopies: colds, Listed: lookups / 2, HotTable: hotTable,
		Slots: hotTable, Fills: colds, Leaves: colds,
		Classify: des.Time(lookups) * clock350 / perCycle, Gather: des.Time(bytes) * pcie, Update: des.Time(2*bytes) * pcie,
	}
}

// site is where systems are compared: a model, GPUs, and inputs of a mini-batch.
type site struct {
	model dlrm.Config
	gpus  int
	batch int // of all GPUs
	nodes int
}

// at is a site with as many inputs for each GPU.
func at(m dlrm.Config, gpus, inputs int) site { return site{m, gpus, gpus * inputs, 1} }

// steady is a system at a site, whose mini-batches are all alike. The name tells it from
// any other.
func (s site) steady(name string, system timing.System, w timing.Work, settles int) source {
	full := fmt.Sprintf("%s: %s, %d x %d GPUs, %+v", name, s.model.Name, s.nodes, s.gpus, w)
	return source{full, func() (load, error) {
		l := steady(system, s.model, s.gpus, w, settles)
		l.nodes = s.nodes
		return l, nil
	}}
}

// hotline is a system of the Hotline paper's comparisons at its counts.
func (s site) hotline(system string) mix {
	w := counts(s.model, s.batch)
	switch system {
	case "hybrid":
		return all(s.steady(system, timing.Hybrid, timing.Work{Inputs: s.batch}, usual))
	case "hybrid-intel":
		return all(s.steady(system, timing.HybridFused, timing.Work{Inputs: s.batch}, usual))
	case "hugectr":
		return all(s.steady(system, timing.ModelParallel, timing.Work{Inputs: s.batch}, usual))
	case "dlrm-gpus":
		return all(s.steady(system, timing.ModelParallelDLRM, timing.Work{Inputs: s.batch}, usual))
	case "xdl":
		return s.xdl(w)
	case "cpu-hotline":
		return all(s.steady(system, timing.CPUHotline, w, usual))
	case "fae":
		return s.fae(1-popularOf4/4., hotTable)
	case "scratchpipe-ideal":
		return all(s.steady(system, timing.ScratchPipeIdeal, w, pipelined))
	}
	return all(s.steady("hotline", timing.Hotline, w, usual))
}

// xdl reads and updates all rows of a mini-batch's counts.
func (s site) xdl(w timing.Work) mix {
	rows := timing.Work{Inputs: w.Inputs, Listed: w.Listed + w.ColdCopies, ColdRows: w.HotRows + w.ColdRows}
	return all(s.steady("xdl", timing.ParameterServer, rows, usual))
}

// fae has a share of mini-batches of inputs that are not hot, and so many hot rows.
func (s site) fae(cold float64, hotRows int) mix {
	w := counts(s.model, s.batch)
	hot := timing.Work{Inputs: s.batch, Popular: s.batch, HotRows: w.HotRows, Listed: w.Listed, HotTable: hotRows}
	return mix{{1 - cold, s.steady("fae", timing.FAE, hot, usual)}, {cold, s.steady("fae", timing.FAE, timing.Work{Inputs: s.batch, Cold: true}, usual)}}
}
