// Package cover reports what simulations of a design have exercised, and what never happened in
// them:
//
//   - bits of registers and top-level ports that rose and fell;
//   - values of registers with named values, such as FSM states, counted by value and not by bit;
//   - conditions of Module.Cover that were met.
//
// Memories do not count. Nothing counts before the first cycle after a reset.
//
//	p, err := cover.Of(design)     // simulate p.Design
//	r := p.Recorder()
//	s, err := interp.New(p.Design, interp.Record(r))
//	...
//	seen := r.Record()
//
// The Record of a run can be saved to a file and printed as a report by module. Records of the same
// design can be merged.
package cover
