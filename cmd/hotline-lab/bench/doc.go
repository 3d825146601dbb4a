// Package bench compares the generated Go models with Verilator and, briefly,
// Icarus: same design, same stimulus, same checksum of the outputs, one thread,
// CPU time, medians of interleaved runs. A run is as many passes over the stimulus
// as it takes to measure the engine for a third of a second. scripts/bench runs it;
// docs/evidence/performance.md tells what is measured and has its results.
package bench
