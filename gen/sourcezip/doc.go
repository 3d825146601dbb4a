// Package sourcezip unpacks the source of a module that a program contains, for programs that build
// other programs without a source tree. The source is in a cache (gen/buildcache) under a name that
// its content determines, so a program never uses the source of another version. Only release
// builds import the package (sim/compiled).
package sourcezip
