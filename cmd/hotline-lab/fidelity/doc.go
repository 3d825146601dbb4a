// Package fidelity measures the functional model of the accelerator
// (host/device/functional) against the cycle model: the same commands on the same machine over
// a grid of sizes, mini-batches, rows, GPUs and links; the time of each command as
// the driver sees it, and what it counts. scripts/fidelity runs it, and
// docs/evidence/performance.md has its results.
//
// Cycle models that are not part of the program are built by sim/compiled; another
// program, with the model in it, then measures these points.
package fidelity
