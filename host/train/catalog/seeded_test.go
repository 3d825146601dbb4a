package catalog_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des/timeline"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train/catalog"
	"github.com/hotline-rtl/hotline/host/train/elrec"
	"github.com/hotline-rtl/hotline/host/train/hotline"
	"github.com/hotline-rtl/hotline/host/train/hugectr"
	"github.com/hotline-rtl/hotline/host/train/hybrid"
	"github.com/hotline-rtl/hotline/host/train/registry"
	"github.com/hotline-rtl/hotline/host/train/systemtest"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// TestSeededOrders: the audit finds orders that charge other bytes than their systems move.
func TestSeededOrders(t *testing.T) {
	for _, c := range []struct {
		system string
		bug    string
		order  timing.System
		want   string
	}{
		{"xdl", "a forgotten copy", then(nil), "audit: parameter server, mini-batch 0, host to GPUs: 1032 bytes counted (dense gradients 1032), but the timeline charges 0 (nothing)"},
		{"xdl", "workers on the GPUs", gpuWorkers, "audit: parameter server, mini-batch 0, host to GPUs: 1032 bytes counted (dense gradients 1032), but the timeline charges "},
		{"cdlrm", "the order of another system", hotline.Order, "audit: cDLRM, mini-batch 0, host to GPUs: "},
		{"hotline", "the order of another system", hybrid.Order, "audit: Hotline, mini-batch 0, host to GPUs: "},
		{"hybrid", "the order of another system", hotline.Order, "audit: hybrid CPU-GPU, mini-batch 0, host to GPUs: 2304 bytes counted (pooled vectors 2304), but the timeline charges 0 (nothing)"},
		{"hybrid", "a copy charged twice", twice, "but the timeline charges 4608 (pooled vectors 2304, pooled vectors again 2304)"},
		{"hybrid", "bytes on the wrong link", wrongLink, "audit: hybrid CPU-GPU, mini-batch 0, host to GPUs: 2304 bytes counted (pooled vectors 2304), but the timeline charges 0 (nothing)"},
		{"hybrid", "no all-reduce", noReduction, "audit: hybrid CPU-GPU, mini-batch 0, GPU network: 516 bytes counted (dense gradients 516), but the timeline charges 0 (nothing)"},
		{"hybrid", "a gather in the wrong memory", gathersOnGPU, "audit: hybrid CPU-GPU, mini-batch 0, host memory, read: 4608 bytes counted (embedding tables 4608), but the timeline charges 0 (nothing)"},
		{"hybrid", "an update of each lookup", perLookup, "audit: hybrid CPU-GPU, mini-batch 0, host memory, update: 2240 bytes counted (embedding tables 2240), but the timeline charges 9216 (update rows 9216)"},
		{"hugectr", "a gather in the wrong memory", gathersOnCPU, "audit: GPU-only, mini-batch 0, host memory, read: 0 bytes counted (nothing), but the timeline charges 4608 (pool rows 4608)"},
	} {
		d := system(c.system)
		o := d.Options
		if with := options[d.Block]; with != nil {
			o = with[0]
		}
		s, a, works := audited(t, d, o, systemtest.DLRM(), 2)
		require.NoError(t, a.Check(t, s, s.Order(), works), c.system)
		if c.bug == "the order of another system" {
			for i := range works {
				works[i].Own = nil // of a type that the other order does not know
			}
		}
		assert.ErrorContains(t, a.Check(t, s, c.order, works), c.want, "%s with %s", c.system, c.bug)
	}
}

// then returns an order that books only the given work for each mini-batch.
func then(book func(s *timing.Schedule, w timing.Work, after timeline.Point) timeline.Point) timing.System {
	return func(s *timing.Schedule, works []timing.Work) {
		for m, w := range works {
			s.Begin(m)
			p := s.LoadAll(w.Inputs, s.Params)
			if book != nil {
				p = book(s, w, p)
			}
			s.Mark("work", p)
			s.End(p)
		}
	}
}

// trains books the copies of the hybrid system and its all-reduce.
func trains(s *timing.Schedule, w timing.Work, p timeline.Point) timeline.Point {
	p = s.Copy("pooled vectors", s.ToGPUs, 1, s.Vectors(w.Inputs), p)
	return s.AllReduce(s.Copy("gradients", s.ToHost, 1, s.Vectors(w.Inputs), p))
}

// TestSeededWorks: the audit finds counts of work that are wrong in one mini-batch.
func TestSeededWorks(t *testing.T) {
	for _, c := range []struct {
		system string
		in     func(w timing.Work) bool // the first such mini-batch
		bug    func(w *timing.Work)
		want   string
	}{
		{"static-cache", misses, func(w *timing.Work) { w.Listed += w.ColdCopies }, "GPU network: "}, // gradients of missed rows are sent twice
		{"static-cache", misses, func(w *timing.Work) { w.ColdRows++ }, "host memory, update: "},
		{"cpu-hotline", misses, func(w *timing.Work) { w.HotRows = w.Listed }, "GPU memory, update: "},
		{"fae", hot, func(w *timing.Work) { w.HotRows = 0 }, "GPU memory, update: "},
		{"elrec", misses, func(w *timing.Work) {
			own := timing.Own[elrec.Work](*w)
			own.Recent++
			w.Own = own
		}, "GPU memory, read: "},
		{"hotline", misses, func(w *timing.Work) {
			own := timing.Own[hotline.Work](*w)
			own.Cold--
			w.Own = own
		}, "accelerator, read host memory: "},
	} {
		s, a, works := audited(t, system(c.system), lastOptions(c.system), sgd(), 2)
		require.NoError(t, a.Check(t, s, s.Order(), works), c.system)
		m := slices.IndexFunc(works, c.in)
		c.bug(&works[m])
		assert.ErrorContains(t, a.Check(t, s, s.Order(), works), fmt.Sprintf("audit: %s, mini-batch %d, %s", s.Name(), m, c.want), c.system)
	}
}

func misses(w timing.Work) bool { return w.ColdRows > 0 }
func hot(w timing.Work) bool    { return w.HotRows > 0 }

func sgd() dlrm.Config {
	model := systemtest.DLRM()
	model.Optimiser = dlrm.SGD
	return model
}

// system returns the description of a system.
func system(name string) registry.Description {
	all := catalog.Systems()
	return all[slices.IndexFunc(all, func(d registry.Description) bool { return d.Name == name })]
}

// lastOptions returns the last options with which a system is audited.
func lastOptions(name string) registry.Options {
	d := system(name)
	if with := options[d.Block]; with != nil {
		return with[len(with)-1]
	}
	return d.Options
}

var (
	// gpuWorkers is the order of a parameter server whose workers pull rows and parameters to GPUs.
	gpuWorkers = then(func(s *timing.Schedule, w timing.Work, p timeline.Point) timeline.Point {
		p = s.Copy("parameters", s.ToGPUs, s.Pieces(), s.Dense().And(s.Rows(w.Listed)), p)
		return s.Copy("gradients", s.ToHost, s.Pieces(), s.Dense().And(s.Rows(w.Listed)), p)
	})
	// gathersOnGPU and perLookup are orders of the hybrid system with one wrong line.
	gathersOnGPU = then(func(s *timing.Schedule, w timing.Work, p timeline.Point) timeline.Point {
		p = s.GPU(s.Embedding(w.Inputs), p)
		return trains(s, w, s.UpdateRows(w.ColdRows, p))
	})
	perLookup = then(func(s *timing.Schedule, w timing.Work, p timeline.Point) timeline.Point {
		lookups := w.Inputs * s.Model.Lookups()
		p = s.ReadRows("pool rows", lookups, p)
		return trains(s, w, s.UpdateRows(lookups, p))
	})
	gathersOnCPU = then(func(s *timing.Schedule, w timing.Work, p timeline.Point) timeline.Point {
		p = s.ReadRows("pool rows", w.Inputs*s.Model.Lookups(), p)
		return s.TrainOwn(w, timing.Own[hugectr.Work](w).Gathered, nil, p)
	})
	twice = then(func(s *timing.Schedule, w timing.Work, p timeline.Point) timeline.Point {
		p = s.Copy("pooled vectors", s.ToGPUs, 1, s.Vectors(w.Inputs), p)
		p = s.Copy("pooled vectors again", s.ToGPUs, 1, s.Vectors(w.Inputs), p)
		return s.AllReduce(s.Copy("gradients", s.ToHost, 1, s.Vectors(w.Inputs), p))
	})
	wrongLink = then(func(s *timing.Schedule, w timing.Work, p timeline.Point) timeline.Point {
		p = s.Copy("pooled vectors", s.ToHost, 1, s.Vectors(w.Inputs), p)
		return s.AllReduce(s.Copy("gradients", s.ToHost, 1, s.Vectors(w.Inputs), p))
	})
	noReduction = then(func(s *timing.Schedule, w timing.Work, p timeline.Point) timeline.Point {
		p = s.ReadRows("pool rows", w.Inputs*s.Model.Lookups(), p)
		p = s.Copy("pooled vectors", s.ToGPUs, 1, s.Vectors(w.Inputs), p)
		return s.Copy("gradients", s.ToHost, 1, s.Vectors(w.Inputs), p)
	})
)
