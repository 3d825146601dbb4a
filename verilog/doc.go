// Package verilog contains the generated Verilog of the shipped configurations, for users who do
// not want to run Go: small, and paper (the scale of the paper). Each comes with a file list, a
// FuseSoC core, constraints and a manifest. The files must not be edited: go generate writes them,
// and a test checks that they are up to date.
package verilog

//go:generate go run ../cmd/hotline gen --config ../configs/small.hcl --out small
//go:generate go run ../cmd/hotline gen --config ../configs/paper.hcl --out paper
