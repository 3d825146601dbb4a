// Package verilog holds the generated Verilog of the shipped configurations, for
// people who do not want to run Go: small and paper (the scale of the paper), each with
// a file list, a FuseSoC core, constraints and a manifest. The files are never edited; go
// generate writes them, and a test keeps them fresh.
package verilog

//go:generate go run ../cmd/hotline gen --config ../configs/small.hcl --out small
//go:generate go run ../cmd/hotline gen --config ../configs/paper.hcl --out paper
