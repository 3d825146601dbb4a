// Package bench compares the speed of the generated Go models with Verilator, and with Icarus
// Verilog and CXXRTL on a few stimuli. All engines run the same design and stimulus, and must
// compute the same checksum of the outputs. Times are CPU times of one thread, as medians of
// interleaved runs. A run consists of as many passes over the stimulus as are needed to measure the
// engine for 0.3 seconds. scripts/bench runs it; docs/evidence/performance.md describes the method
// and contains the results.
package bench
