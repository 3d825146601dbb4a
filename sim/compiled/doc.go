// Package compiled runs designs as generated Go (gen/gosim): the engine for
// speed. A model is chosen by the hash of the design, so that a stale one never
// runs. A program has the models whose packages it imports. Build makes a command,
// of this module or a user's own, with a model that the running one lacks, all of
// it from one version of the source.
package compiled
