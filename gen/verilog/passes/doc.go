// Package passes changes Verilog syntax trees for readers and linters. No pass changes what a
// module does.
//
// The table in passes.go has the passes in their order, and which must follow which.
// testdata/passes has the text of a small module before and after each of them.
package passes
