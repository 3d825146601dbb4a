// Package systemtest is for the tests of training systems that promise the
// parameters of sequential training: on any number of GPUs, with any model and
// optimiser, from any state, and with or without values. Seeded bugs hook into a
// watch. A test with a model and clicks of its own embeds a [Job].
package systemtest
