// Package trial runs a stretch of the campaign: an accelerator in its shell, with
// the oracle beside it and a driver that sends random commands, changes the
// weather, stops and restarts the accelerator in every way that the document knows
// and makes mistakes.
//
// A stretch begins with a new simulator and depends on nothing but its seed, so
// that it can be had again alone.
package trial
