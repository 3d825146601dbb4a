// Package systemtest is for the tests of training systems that promise the
// parameters of sequential training: on any number of GPUs, with any model and
// optimiser, from any state, and with or without values.
package systemtest
