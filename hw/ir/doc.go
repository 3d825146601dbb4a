// Package ir defines the result of elaborating a hardware description: a small, strictly typed,
// structured representation of synchronous two-state logic.
//
// A Design is a list of Modules, callees first. A Module has Ports and a Body Scope. A Scope
// declares Signals and Mems, instantiates other modules, and contains Stmts and Fors. A For is a
// loop whose body is a Scope that exists N times. Arrays of instances, of registers and of wires
// are all expressed with For and stay loops until a consumer unrolls them. Signals that cross the
// boundary of a loop are vectors (Type.Len > 0), indexed by an Affine function of the loop
// variables.
//
// Clocks: a module either has its own clock and reset, or Domains. Its own clock and reset, named
// clk and rst unless Own specifies otherwise, are inherited from the module that instantiates it.
// Domains are clocks that are input ports, each with an optional reset; all state of the module
// follows one of them. Clocks may have their edges at the same time or at different times. A clock
// port of the top module is 1 in each time step in which the clock has an edge.
//
// Values: all state starts at zero. A wire has the value of the last assignment in program order
// whose conditions hold, and must have a value on every path. A register takes that value at the
// next edge of its clock, or else keeps its value. A read of a signal always returns its final
// value in the cycle, regardless of the position of the read.
//
// Resets: an instance is in reset while the module that contains it is, and also while its Reset,
// if it has one, is 1. The top module is in reset while rst is active. A register with a reset
// value takes this value at every clock edge at which its instance is in reset; assertions of the
// instance are not checked there. Resets do not affect registers without a reset value and
// memories. An asynchronous reset acts immediately: while it is active, a register with a reset
// value reads as this value, whether its clock has an edge or not.
//
// A module may be an external Verilog module, an Extern. Its body is a placeholder that describes
// which inputs each output depends on combinationally. Engines in Go need a model of the module to
// run the design.
//
// Operands of an operator have equal widths. Signedness is a property of the operator.
//
// A Design accepted by Verify, drivers.Lower and netlist.Loops can be printed and simulated
// without further checks.
//
// # Text form
//
// Designs have a text form, used for tests, for people and for Hash. It contains everything except
// source positions and models of external modules. Equal designs have equal texts. Print writes
// the text form and Parse reads it:
//
//	design   = { module } { probe }            the last module is the top
//	module   = "module" name ["clk" name] ["rst" name] ["low"] ["async"] ["clock"] ["reset"] "{" { parameter } [generic] ["doc" string] [extern] { pad } { enum } { domain } scope "}"
//	probe    = a module with the word "probe" in place of "module"
//	parameter = "parameter" string string ["verilog"] ["meaning" string]   name and value; of the Verilog module
//	generic  = "generic" name string number ["probe"]   Verilog module, name and value of its parameter
//	extern   = "extern" string { "param" string ( number | string ) } { "source" string string }   name; names and texts
//	pad      = "pad" name ":" width ["doc" string]
//	enum     = "enum" name width ["hex"] { name "=" const }
//	domain   = "domain" name ["reset" name ["low"] ["async"]]   names of inputs
//	scope    = { inst | signal | pin | mem | for | stmt }
//	inst     = "inst" name ":" module [clock] ["pads" name { name }]
//	signal   = ("input" | "output" | "wire" | "reg") name ":" type
//	           { "len" number } ["reset" const] [clock] [crossing] ["unused"] ["kept"] ["enum" name] ["group" string] ["doc" string]
//	crossing = "crosses" ("level" | "gray" | "flow" | "held") | "settles"
//	pin      = "pin" name ":" type ("->" | "<-") inst "." port ["unused"]       into or out of the instance; port rst is its Reset
//	mem      = "mem" name ":" depth "x" width [clock] ["style" string] ["any"] ["doc" string] ["init" const { const }]
//	clock    = "clock" name                    of a domain
//	for      = "for" name count "{" scope "}"
//	stmt     = lvalue "=" expr | "when" expr block { "else" "when" expr block } [ "else" block ]
//	         | "switch" expr "{" { "case" const { "," const } block } [ "default" block ] "}"
//	         | mem "[" expr [ "," expr ] "]" "=" expr          the second expression is the mask
//	         | ("assert" | "assume" | "cover") expr string [clock] | temp "=" expr
//	block    = "{" { stmt } "}"
//	lvalue   = ( name | name "[" affine "]" | name "[" expr "]" ) [ "[" high ":" low "]" ]
//	expr     = const | name | temp | expr "[" affine "]" | expr "[" expr "]" | mem "[" expr "]"
//	         | expr "[" bit "]" | expr "[" high ":" low "]" | op [":" type] "(" expr { "," expr } ")" | "loop:" width "(" affine ")"
//	affine   = [ factor { "+" factor } ] [ number ], factor = loop ["*" number]
//	type     = width | length "x" width
//	const    = width "'d" decimal [string] | width "'h" hexadecimal [string]   the string, a label, follows without space
//	temp     = "%" number                      a value used more than once or nested deeply; valid to the end of the module
//
// Operators are named by Op.String; zext, sext, decode, unpack and route include their type. Names
// must be declared before their use. White space, including line breaks, only separates tokens. A
// comment extends from # to the end of the line.
package ir
