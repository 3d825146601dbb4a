// Package bench tests hardware modules. It drives their streams with random gaps and stalls and
// checks the handshake rules of hw.Stream. It also generates mutants, designs with one injected
// fault, to show that a test would detect the fault.
//
// Traffic is identical for identical seeds. The package is for tests only.
package bench
