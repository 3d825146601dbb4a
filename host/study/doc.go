// Package study groups the packages for experiments. It contains no code:
//
//	experiment   trains a model with several systems on the same mini-batches and compares them
//	report       formats the result as a table, as JSON, and as a page with plots
//	sweep        runs many experiments that one file describes, on this machine or on a cluster
//	papers       reproduces the experiments of the papers
//
// A result is a function of the configuration, the data and the seed. A simulated speed-up is
// always printed with its range and the constants that determine it.
//
// Package study is above all other packages of host and above configs. Only commands and tests import
// it.
package study
