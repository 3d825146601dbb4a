// Package random makes random valid designs, for tests that compare what several
// consumers of a design make of it.
//
// A design is made through package hw, as a user would, and exercises all of
// the language: every operator on widths at and around the sizes of machine
// words, vectors, memories of all styles, registers with and without reset, state
// machines, nested conditions and loops, loops of more iterations than a machine
// word has bits, arrays of instances, modules that share modules, and combinational
// paths through instances in both directions. Widths are 1 to 1,025, small ones and borders of words most often;
// memories have up to 70,000 words and vectors up to 300 lanes. Some pieces are structures that engines treat as a
// whole: CRCs, leading zeros, large switches, rotations, sticky shifts, lanes alike, rows of about 512 bits,
// wide products. Every module has an output, digest,
// into which its signals flow, so that little of a design is dead. How much a
// design holds is bounded. A module favours a kind of piece and of operator, and some
// have long names, so that combinations that are rare in most are frequent in some.
// Some have several clocks, with resets of all kinds or none, some foreign Verilog with a model.
// Some modules have widths that are a Verilog parameter. Together joins designs to one.
//
// The same seed and options give the same design until this package or hw
// changes: keep the text of one that matters, not its seed.
//
// It is for tests only.
package random
