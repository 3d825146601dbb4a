// Package compiled runs designs as generated Go code (gen/gosim), the fastest engine. It selects a
// model by the hash of the design, so an outdated model never runs.
//
// A program contains the models whose packages it imports. If the running command lacks a model,
// Build builds it again with the model linked in, all from one version of the source. The command
// may belong to this module or to a user's module.
package compiled
