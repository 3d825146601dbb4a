// Package cover tells what simulations of a design have exercised, and what never
// happened in them:
//
//   - bits of registers, and of the ports of the top, that rose and that fell;
//   - values that registers with named values had, such as states of an FSM (they count
//     by value, not by bit);
//   - conditions of Module.Cover that were met.
//
// Memories do not count. Nothing counts before the top has been out of reset.
//
//	p, err := cover.Of(design)     // p.Design is what to simulate
//	r := p.Recorder()
//	s, err := interp.New(p.Design, interp.Record(r))
//	...
//	seen := r.Record()
//
// A Record of one run can be merged with others of the same design, in files too, and
// printed as a report by module.
package cover
