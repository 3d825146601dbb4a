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
// Play is a clock edge with each of the inputs, which are read where they are. It goes on after failed
// assertions; the error is sim.Failures, the first of each copy.
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

// Batch is any number of copies, as models that are best played in turn, many cycles each, as the state of
// one stays in a processor's caches then.
type Batch []*Model

// NewBatch makes models of n copies, or of as many more as fill the last one.
func NewBatch(n int, o Options) Batch {
	b := make(Batch, (n+Copies-1)/Copies)
	for i := range b {
		b[i] = New(o)
	}
	return b
}

// Copy is copy i of all.
func (b Batch) Copy(i int) sim.Copy { return b[i/Copies].Copy(i %% Copies) }
`, blocks)
}
