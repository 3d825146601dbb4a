// Package model provides the runtime of generated cycle models: a registry by design hash, the
// paths of their state, waveform recording, and arithmetic on the lanes of a word.
package model
