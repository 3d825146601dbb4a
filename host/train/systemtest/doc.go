// Package systemtest is for the tests of training systems that promise the
// parameters of sequential training: on any number of GPUs, with any model and
// optimiser, from any state, and with or without values. Seeded bugs hook into a
// watch. A test with a model and clicks of its own draws, cuts and watches with the
// same functions.
//
// It may import host/node/machine, host/rec, host/rec/data, its datatest and gen,
// host/server, host/train, host/train/hybrid, host/train/shadow and host/train/timing.
package systemtest
