// Package cosim is the main job: it trains a model twice on the same mini-batches,
// on a machine with the hybrid CPU-GPU baseline and on one with a simulated
// Hotline accelerator in a PCIe slot, and compares every parameter.
//
// It promises that the outcome depends on configuration, data and seed only, and
// that what does not fit is said before anything runs. It may import configs,
// sim and the packages of host.
package cosim
