// Package timingtest tests the orders of training systems: against timelines that were
// worked out by hand ([Golden]), against the kernels and bytes that a mini-batch must have
// ([Totals]), and against rules that hold for any work ([AddsUp]).
package timingtest
