// Package data makes the inputs that a recommendation model trains on: it reads the original Criteo format and generates
// clicks like Criteo's. Both give a Set.
//
// The loader accepts a file or rejects it with a FormatError that names file, line and column, what was found and what was
// expected. It never repairs.
//
// The generator is deterministic: input i depends on the parameters and i alone. It reproduces what matters to a system that
// tells popular inputs from others: the skew of each table, and the correlation between tables, without which hardly any input
// would have all its rows among the popular ones.
//
// The package imports rec, rec/repro and the standard library.
package data
