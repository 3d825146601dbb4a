// Package ir is what a hardware description elaborates to: a small, strictly
// typed, structured representation of synchronous two-state logic.
//
// A Design is a list of Modules, callees first. A Module has Ports and a Body
// Scope; a Scope declares Signals and Mems, instantiates other modules, holds
// Stmts, and contains Fors: loops whose body is a Scope that exists N times.
// Arrays of instances, of registers and of wires are one concept, the For, and
// stay loops until a consumer wants them unrolled. Signals that cross a loop's
// boundary are vectors (Type.Len > 0), indexed by an Affine function of the
// loop variables.
//
// Semantics: a module has a clock and a reset of its own, clk and rst unless Own says
// otherwise, which it takes from where it is instantiated; or it has Domains, clocks
// that are input ports, with a reset or none each, and all state in it follows one of
// them. All state starts at zero. A wire has the value of the last assignment
// in program order whose conditions hold, and must have one on every path; a
// register takes that value at the next edge of its clock and otherwise holds. Reading
// a signal always gives its settled value, wherever the read stands.
//
// An instance is in reset while the module that holds it is, and also while its
// Reset, if it has one, is 1; the top module is while rst is. A register with a
// reset value takes that at every clock edge at which its instance is in reset,
// and no assertion of the instance is checked there. Registers without one and
// memories take no notice. An asynchronous reset acts at once: while it does, a
// register with a reset value reads as that, whether its clock has an edge or not.
// Clocks have their edges at the same time or at different ones; a clock port of the
// top is 1 in a step of time in which it has one.
//
// A module may be foreign Verilog, an Extern. Its body only stands in for it: it says on
// what the outputs depend within the cycle. Engines in Go have a model of it, or cannot
// run the design.
//
// Operands of an operator have equal widths; signedness belongs to the operator.
//
// The package promises that a Design accepted by Verify, net.Lower and
// flat.Loops can be printed and simulated without further checks.
//
// # Text form
//
// A design has a text form for tests, for people and for its Hash. It holds all
// of a design but source positions, and equal designs give equal texts. Print
// writes it, Parse reads it:
//
//	design   = { module } { probe }            the last module is the top
//	module   = "module" name ["clk" name] ["rst" name] ["low"] ["async"] ["clock"] ["reset"] "{" ["params" string] [generic] ["doc" string] [extern] { pad } { domain } scope "}"
//	probe    = as module, with the word "probe"
//	generic  = "generic" name string string number ["probe"]   of the Verilog module, its other parameters, the name and the value of the parameter
//	extern   = "extern" string { "param" string ( number | string ) } { "source" string string }   name; names and texts
//	pad      = "pad" name ":" width ["doc" string]
//	domain   = "domain" name ["reset" name ["low"] ["async"]]   names of inputs
//	scope    = { inst | signal | pin | mem | for | stmt }
//	inst     = "inst" name ":" module [clock] ["pads" name { name }]
//	signal   = ("input" | "output" | "wire" | "reg") name ":" type
//	           { "len" number } ["reset" const] [clock] [crossing] ["unused"] ["kept"] ["enum" name] ["group" string] ["doc" string]
//	crossing = "crosses" ("level" | "gray" | "flow" | "held") | "settles"
//	pin      = "pin" name ":" type ("->" | "<-") inst "." port ["unused"]       into or out of the instance; port rst is its Reset
//	mem      = "mem" name ":" depth "x" width [clock] ["style" string]
//	clock    = "clock" name                    of a domain
//	for      = "for" name count "{" scope "}"
//	stmt     = lvalue "=" expr | "when" expr block { "else" "when" expr block } [ "else" block ]
//	         | "switch" expr "{" { "case" const { "," const } block } [ "default" block ] "}"
//	         | mem "[" expr "]" "=" expr | "assert" expr string [clock] | temp "=" expr
//	block    = "{" { stmt } "}"
//	lvalue   = name | name "[" affine "]" | name "[" expr "]"
//	expr     = const | name | temp | expr "[" affine "]" | expr "[" expr "]" | mem "[" expr "]"
//	         | expr "[" bit "]" | expr "[" high ":" low "]" | op [":" type] "(" expr { "," expr } ")" | "loop:" width "(" affine ")"
//	affine   = [ factor { "+" factor } ] [ number ], factor = loop ["*" number]
//	type     = width | length "x" width
//	const    = width "'d" decimal [string] | width "'h" hexadecimal [string]   the string, a state's name, adjoins
//	temp     = "%" number                      a value used more than once or nested deeply, to the end of the module
//
// An operator has its Op.String as name; zext, sext, decode, unpack and route
// give their type. What is named stands before its use. White space, line ends
// included, only separates; a comment runs from # to the end of the line.
package ir
