package timing

import "github.com/hotline-rtl/hotline/host/des/timeline"

// CPUBags trains on mini-batches whose rows are in host memory. The CPU pools and updates rows, and
// the GPUs train on pooled vectors. Nothing overlaps, unless the profile is pipelined. Then the CPU
// pools for the next mini-batch while the GPUs train.
type CPUBags struct {
	*Schedule
	pooled timeline.Point // the vectors of the next mini-batch
	ahead  bool           // the next mini-batch has been pooled
}

// Step books a mini-batch and ends it. It may pool the first of the next mini-batches ahead.
func (c *CPUBags) Step(w Work, next []Work) {
	s := c.Schedule
	if !c.ahead {
		c.pooled = c.first(w, s.Params)
	}
	copied := s.vectors("pooled vectors", s.ToGPUs, w, c.pooled)
	s.Mark(PhaseCopies, copied)
	c.ahead = s.Profile.Pipelined && len(next) > 0
	if c.ahead {
		c.poolAhead(next[0])
	}
	trained := s.Wait(s.GPU(append(s.PooledVectors(), s.Train(s.Share(w.Inputs))...), copied))
	s.Mark(PhaseGPU, trained)
	back := s.vectors("gradients", s.ToHost, w, trained)
	sent := s.BetweenServers("gradients for other servers", w.Inputs*s.Model.Lookups(), back)
	updated := s.UpdateLookups(s.bagRows(w), s.ServerShare(w.ColdRows), sent)
	reduced := s.Replicate(s.AllReduce(trained))
	optimised := s.Wait(s.GPU(s.Optimiser(), reduced))
	if c.ahead {
		s.Mark(PhaseOptimiser, optimised)
		s.End(optimised)
		return
	}
	s.Mark(PhaseCopies, back)
	s.Mark(PhaseEmbedding, updated)
	s.Mark(PhaseOptimiser, optimised)
	s.End(timeline.Latest(updated, optimised))
}

// first books loading inputs and pooling their rows, which no other work hides.
func (c *CPUBags) first(w Work, after timeline.Point) timeline.Point {
	loaded := c.Load(w.Inputs, false, after)
	c.Mark(PhaseLoad, loaded)
	pooled := c.pool(w, loaded)
	c.Mark(PhaseEmbedding, pooled)
	return pooled
}

// poolAhead books loading and pooling for the next mini-batch.
func (c *CPUBags) poolAhead(next Work) {
	m := c.miniBatch
	c.Begin(m + 1)
	c.pooled = c.pool(next, c.Load(next.Inputs, false, c.pooled))
	c.Begin(m)
}

// pool books the CPU's pooling of rows. Rows of other servers come over the network.
func (s *Schedule) pool(w Work, after timeline.Point) timeline.Point {
	there := s.BetweenServers("rows of other servers", w.Inputs*s.Model.Lookups(), after)
	return s.ReadRows("pool rows", s.bagRows(w), there)
}

// bagRows returns how many rows the inputs of a server read.
func (s *Schedule) bagRows(w Work) int { return s.ServerShare(w.Inputs) * s.Model.Lookups() }

// vectors copies a vector per bag between host and GPUs, one way.
func (s *Schedule) vectors(label string, way *timeline.Resource, w Work, after timeline.Point) timeline.Point {
	return s.Copy(label, way, s.Pieces(), s.Vectors(w.Inputs), after)
}

// PooledVectors returns the operators that bring pooled vectors into the dense part and
// their gradients out of it.
func (s *Schedule) PooledVectors() []Op {
	return []Op{{Label: "pooled vectors", Count: int(s.Machine.HybridTableOps) * s.Pieces()}}
}
