package catalog_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des/timeline"
	"github.com/hotline-rtl/hotline/host/train/catalog"
	"github.com/hotline-rtl/hotline/host/train/hotline"
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
		{"xdl", "a forgotten copy", then(nil), "audit: parameter server, mini-batch 0, host to GPUs: 1032 bytes moved (dense gradients 1032), but the timeline charges 0 (nothing)"},
		{"xdl", "workers on the GPUs", gpuWorkers, "audit: parameter server, mini-batch 0, host to GPUs: 1032 bytes moved (dense gradients 1032), but the timeline charges "},
		{"cdlrm", "the order of another system", hotline.Order, "audit: cDLRM, mini-batch 0, host to GPUs: "},
		{"hotline", "the order of another system", hybrid.Order, "audit: Hotline, mini-batch 0, host to GPUs: "},
		{"hybrid", "the order of another system", hotline.Order, "audit: hybrid CPU-GPU, mini-batch 0, host to GPUs: 2304 bytes moved (pooled vectors 2304), but the timeline charges 0 (nothing)"},
		{"hybrid", "a copy charged twice", twice, "but the timeline charges 4608 (pooled vectors 2304, pooled vectors again 2304)"},
		{"hybrid", "bytes on the wrong link", wrongLink, "audit: hybrid CPU-GPU, mini-batch 0, host to GPUs: 2304 bytes moved (pooled vectors 2304), but the timeline charges 0 (nothing)"},
		{"hybrid", "no all-reduce", noReduction, "audit: hybrid CPU-GPU, mini-batch 0, GPU network: 516 bytes moved (dense gradients 516), but the timeline charges 0 (nothing)"},
	} {
		all := catalog.Systems()
		d := all[slices.IndexFunc(all, func(d registry.Description) bool { return d.Name == c.system })]
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

var (
	// gpuWorkers is the order of a parameter server whose workers pull rows and parameters to GPUs.
	gpuWorkers = then(func(s *timing.Schedule, w timing.Work, p timeline.Point) timeline.Point {
		p = s.Copy("parameters", s.ToGPUs, s.Pieces(), s.Dense().And(s.Rows(w.Listed)), p)
		return s.Copy("gradients", s.ToHost, s.Pieces(), s.Dense().And(s.Rows(w.Listed)), p)
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
		p = s.Copy("pooled vectors", s.ToGPUs, 1, s.Vectors(w.Inputs), p)
		return s.Copy("gradients", s.ToHost, 1, s.Vectors(w.Inputs), p)
	})
)
