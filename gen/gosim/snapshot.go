package gosim

// snapshot prints the methods that save and restore the state.
func (g *generator) snapshot() {
	last := ""
	if g.funcs.LastInputs(g.copies != nil) != "" {
		last = "model.Bytes(&s.last), "
	}
	marks, in, own := "", "&s.In", ""
	if g.copies != nil {
		in, own = "s.In", "s.In = &s.own\n"
	}
	if g.blocks != nil { // the kernels of blocks ignore marks
		marks = "s.markUnits()\ns.markEdge()\n"
	}
	g.f(`// Snapshot is the state of a model at some time, inputs and outputs included. Those of
// a model share what has not changed from one to the next. A zero one has no state; UnmarshalBinary
// gives it one.
type Snapshot struct{ pages model.Pages }

// Snapshot returns the current state.
func (s *Model) Snapshot() *Snapshot {
	s.saved = model.Save(s.parts(), s.saved)
	return &Snapshot{s.saved}
}

// Restore goes back to a snapshot of this or another Model of this package.
func (s *Model) Restore(from *Snapshot) {
	%sfrom.pages.Restore(s.parts())
	s.saved = from.pages
%s	if s.trace != nil {
		s.trace.Edge(nil, true)
	}
}

// parts returns everything that changes while a model runs.
func (s *Model) parts() [][]byte {
	return [][]byte{
		model.Bytes(%s), model.Bytes(&s.Out), model.Bytes(&s.Reset), model.Bytes(&s.cycle), %s
		model.Bytes(&s.dirty), model.Bytes(&s.writes), model.Bytes(&s.commits), model.Bytes(&s.state),
	}
}

// MarshalBinary implements encoding.BinaryMarshaler, for a model of the same design in
// any program.
func (x *Snapshot) MarshalBinary() ([]byte, error) {
	s := New(Options{})
	s.Restore(x)
	return model.Marshal(s, s.Reset, DesignHash)
}

// UnmarshalBinary implements encoding.BinaryUnmarshaler. It returns an error if the data
// are damaged or belong to another design.
func (x *Snapshot) UnmarshalBinary(data []byte) error {
	s := New(Options{})
	if err := model.Unmarshal(data, s, DesignHash); err != nil {
		return err
	}
	s.Eval()
	*x = *s.Snapshot()
	return nil
}
`, own, marks, in, last)
}
