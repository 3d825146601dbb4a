// Package systemtest tests training systems that guarantee the parameters of sequential training:
// on any number of GPUs, with any model and optimiser, from any state, and with or without values.
// [Hooks] seed bugs into a watch. A test with its own model and click log embeds a [Job].
package systemtest
