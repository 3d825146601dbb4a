// Package bench tests hardware parts: it drives the streams of a part with
// random gaps and stalls, watches the handshake rules of hw.Stream, and makes
// mutants, copies of a design with one fault, to show that a test would see it.
//
// It promises the same traffic for the same seed. Nothing but tests imports it.
package bench
