// Package systemtest is for the tests of training systems that promise the
// parameters of sequential training: on any number of GPUs, with any model and
// optimiser, from any state, and with or without values. Seeded bugs hook into a
// watch.
//
// It may import host/node/machine, host/rec, host/rec/data/gen, host/server,
// host/train, host/train/hybrid, host/train/shadow and host/train/timing.
package systemtest
