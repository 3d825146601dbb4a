// Package model is what generated cycle models share: the registry by design
// hash, the paths of their state, the recording of waves, arithmetic on the lanes
// of a word.
package model
