// Package timingtest tests the orders of training systems: against manually computed timelines
// ([Golden]), against the kernels and bytes that a mini-batch must have ([Totals]), and against
// rules that hold for any work ([AddsUp]).
package timingtest
