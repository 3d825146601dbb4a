// Package study is the room for experiments. It has no code of its own:
//
//	experiment   trains a model with several systems on the same mini-batches and compares them
//	report       the outcome as a table, as JSON, and as a page with pictures
//	sweep        many runs by one file, on this machine or on a cluster
//	papers       the experiments of the papers, and what is left of their results
//
// A result is a function of configuration, data and seed. A simulated speed-up is always printed
// with its range and the constants that decide it.
//
// The room is above all others of host and above configs. Only commands import it.
package study
