// Package buildcache caches the results of other programs, such as built simulators, between runs.
// The cache is in the user's cache directory. The name of an entry is derived from all inputs of
// the build. Other processes never see a partial build. Builds that have not been used for long are
// removed.
package buildcache
