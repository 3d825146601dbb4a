package gosim

// batch prints how a Model plays many cycles, and the Batch type. Kernels join failures
// immediately. A list of failures for each cycle, as Step returns, took 2 % of the time of a design
// that random inputs often break.
func (g *generator) batch() {
	blocks := ""
	if g.blocks != nil {
		blocks = "if s.inBlocks() {\nfailed = s.edge(failed)\ncontinue\n}\n"
	}
	g.f(`
// Play executes a clock edge with each of the inputs, which it reads in place. It continues after failed
// assertions and returns them as sim.Failures, the first one of each instance.
func (s *Model) Play(in []In) error {
	var failed sim.Failures
	for i := range in {
		s.In = &in[i]
		%sif now, ok := s.Step().(sim.Failures); ok {
			failed = failed.Join(now)
		}
	}
	if failed == nil {
		return nil
	}
	return failed
}

// Batch is any number of instances in several models. Play many cycles of one model before the next,
// so that its state stays in the caches of the processor.
type Batch []*Model

// NewBatch returns models of n instances, rounded up to whole models.
func NewBatch(n int, o Options) Batch {
	b := make(Batch, (n+Copies-1)/Copies)
	for i := range b {
		b[i] = New(o)
	}
	return b
}

// Copy returns instance i of all.
func (b Batch) Copy(i int) sim.Copy { return b[i/Copies].Copy(i %% Copies) }
`, blocks)
}
