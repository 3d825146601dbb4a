// Package compiled runs designs as generated Go (gen/gosim): the engine for
// speed. A model is chosen by the hash of the design, so that a stale one never
// runs.
//
// It imports hw/ir and below, sim, sim/interp and gen/gosim.
package compiled
