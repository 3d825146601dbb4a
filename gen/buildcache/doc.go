// Package buildcache keeps what other programs have built, simulators above all, from
// one run to the next: in the user's cache directory, under a name that tells what
// went into it. Other processes never see half a build, and what has not been used
// for long is removed.
package buildcache
