package papers

import (
	"context"
	"fmt"
	"math"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train/cpuhotline"
	"github.com/hotline-rtl/hotline/host/train/elrec"
	"github.com/hotline-rtl/hotline/host/train/fae"
	"github.com/hotline-rtl/hotline/host/train/hotline"
	"github.com/hotline-rtl/hotline/host/train/hugectr"
	"github.com/hotline-rtl/hotline/host/train/hybrid"
	"github.com/hotline-rtl/hotline/host/train/scratchpipe"
	"github.com/hotline-rtl/hotline/host/train/timing"
	"github.com/hotline-rtl/hotline/host/train/xdl"
)

// bench runs everything that measures need, each training and each time once.
type bench struct {
	ctx       context.Context
	clock     *clock
	trainings once[string, outcome]
	traces    once[string, trace]
	samples   once[string, *sample]
}

// Figures of the Hotline paper, from which its work follows.
const (
	usualPopular = 0.75    // share of popular samples (Sec. VII-F1)
	usualCold    = 0.25    // share of FAE's cold mini-batches
	hotTable     = 1 << 21 // rows on each GPU: 512 MiB of 64 values
	coldRows     = 6       // rows of a non-popular sample that are not hot, of 26; 5 to 9 in the Criteo log
	perCycle     = 60      // lookups that the accelerator classifies (Fig. 16)
	cycle        = 2857 * des.Picosecond
	pcie         = 91 * des.Picosecond // a byte, at 11 GB/s
)

// work returns the counts of a mini-batch as the Hotline paper describes it.
func (c Case) work(m dlrm.Config) timing.Work {
	popular := usualPopular
	if c.Popular > 0 {
		popular = c.Popular
	}
	inputs := c.all()
	others := int(math.Round(float64(inputs) * (1 - popular)))
	lookups, colds := inputs*m.Lookups(), others*max(coldRows, coldRows*len(m.Tables)/26)
	return timing.Work{
		Inputs: inputs, Popular: inputs - others, HotRows: lookups / 4, ColdRows: colds, ColdCopies: colds, Listed: lookups / 2, HotTable: hotTable,
	}
}

// accelerator returns the time of the accelerator's commands for a mini-batch.
func accelerator(m dlrm.Config, w timing.Work) hotline.Work {
	lookups, bytes := w.Inputs*m.Lookups(), w.ColdRows*m.Dim*4
	return hotline.Work{Classify: des.Time(lookups) * cycle / perCycle, Gather: des.Time(bytes) * pcie, Update: des.Time(2*bytes) * pcie}
}

// plain lists the systems whose mini-batches need nothing but samples.
var plain = map[string]timing.System{
	"hybrid": hybrid.Order, "hybrid-intel": hybrid.FusedOrder, "hugectr": hugectr.Order, "dlrm-gpus": hugectr.ReferenceOrder,
}

// mix returns the mini-batches of a system in a case.
func (b *bench) mix(system string, c Case) (mix, error) {
	if x, ok := trained[system]; ok {
		return all(b.trained(system, x, c)), nil
	}
	if order, ok := cached[system]; ok {
		return all(b.cached(system, order, c)), nil
	}
	m, err := c.config()
	if err != nil {
		return nil, err
	}
	w := c.work(m)
	repeat := func(order timing.System, w timing.Work, settles int) source {
		name := fmt.Sprintf("%s: %+v, %+v", system, c, w)
		return source{name, func() (load, error) { return steady(order, m, c, w, settles), nil }}
	}
	if order, ok := plain[system]; ok {
		return all(repeat(order, timing.Work{Inputs: w.Inputs}, usual)), nil
	}
	switch system {
	case "hotline", "hotline with a gather of no time":
		own := accelerator(m, w)
		if system != "hotline" {
			own.Gather = 0
		}
		w.Own = own
		return all(repeat(hotline.Order, w, usual)), nil
	case "cpu-hotline":
		return all(repeat(cpuhotline.Order, w, usual)), nil
	case "scratchpipe-ideal":
		w.Own = scratchpipe.Work{Slots: hotTable, Fills: w.ColdRows, Leaves: w.ColdRows}
		return all(repeat(scratchpipe.IdealOrder, w, pipelined)), nil
	case "xdl": // reads and updates all rows
		rows := timing.Work{Inputs: w.Inputs, Listed: w.Listed + w.ColdCopies, ColdRows: w.HotRows + w.ColdRows}
		return all(repeat(xdl.Order, rows, usual)), nil
	case "fae":
		cold, table := usualCold, hotTable
		if c.Cold > 0 {
			cold = c.Cold
		}
		if c.HotMB > 0 {
			table = int(c.HotMB*1e6) / 4 / m.Dim
		}
		hot := timing.Work{Inputs: w.Inputs, Popular: w.Inputs, HotRows: w.HotRows, Listed: w.Listed, HotTable: table}
		return mix{{1 - cold, repeat(fae.Order, hot, usual)}, {cold, repeat(fae.Order, timing.Work{Inputs: w.Inputs, Own: fae.Work{Cold: true}}, usual)}}, nil
	}
	return nil, fmt.Errorf("papers: there is no system %q", system)
}

// trained lists the systems whose work is counted in a training.
var trained = map[string]trainedSystem{
	"cdlrm":                              {run: cdlrmRun(false)},
	"cdlrm-paper":                        {run: cdlrmRun(true)},
	"hotline, run":                       {run: hotlineRun},
	"fae, run":                           {run: faeRun},
	"elrec":                              {run: elrecRun(nil)},
	"tt-rec":                             {run: ttrecRun},
	"elrec, rank 64, own processes":      {run: elrecRun(rank64), ownProcesses: true},
	"elrec, queues of 1":                 {run: elrecRun(queues(1))},
	"elrec, queues of 2":                 {run: elrecRun(queues(2))},
	"elrec without reordering":           {run: elrecRun(unordered)},
	"elrec without aggregated gradients": {run: elrecRun(nil), change: func(w *elrec.Work) { w.TTBackward = w.TTLookups }},
	"elrec without reuse":                {run: elrecRun(nil), change: unshared},
	"elrec without reuse and reordering": {run: elrecRun(unordered), change: unshared},
}

// trainedSystem is a system with options, and a change of what its mini-batches ask for.
type trainedSystem struct {
	run          func(c Case) (key string, make constructor)
	change       func(*elrec.Work)
	ownProcesses bool // a process for each GPU, and an exchange of changed rows only, whatever the profile has
}

// unshared makes every lookup a product by itself.
func unshared(w *elrec.Work) { w.TTPrefixes, w.TTRows = w.TTLookups, w.TTLookups }

// trained returns a training as a source.
func (b *bench) trained(system string, x trainedSystem, c Case) source {
	return source{fmt.Sprintf("%s: %+v", system, c), func() (load, error) {
		o, t, err := b.run(x, c)
		if err != nil {
			return load{}, err
		}
		l := load{o.system.Order(), t.model, t.gpus, append([]timing.Work{}, o.Works...), 0, 1}
		for i := range l.works {
			if x.change != nil {
				own := timing.Own[elrec.Work](l.works[i])
				x.change(&own)
				l.works[i].Own = own
			}
		}
		if order := l.system; x.ownProcesses {
			l.system = func(s *timing.Schedule, works []timing.Work) {
				s.Profile.Processes, s.Profile.HotExchange = "per-gpu", "sparse"
				order(s, works)
			}
		}
		return l, nil
	}}
}

// run trains a system in a case, once.
func (b *bench) run(x trainedSystem, c Case) (outcome, training, error) {
	t, err := trainingOf(c)
	if err != nil {
		return outcome{}, t, err
	}
	key, make := x.run(c)
	o, err := b.trainings.get(fmt.Sprintf("%s: %+v", key, c), func() (outcome, error) { return t.run(b.ctx, make) })
	return o, t, err
}
