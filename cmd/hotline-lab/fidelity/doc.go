// Package fidelity measures the error of the functional model of the accelerator
// (host/device/functional) relative to the cycle model. Both models execute the same commands on
// the same server, over a grid of sizes, mini-batches, rows, GPUs and links. The comparison covers
// the time of each command as the driver sees it, and the performance counters. scripts/fidelity
// runs it, and docs/evidence/verification.md contains its results.
//
// Package sim/compiled builds the cycle models that this program lacks. Another program that
// contains the model then measures these points.
package fidelity
