package passes

import "github.com/hotline-rtl/hotline/gen/verilog/syntax"

// pass is a step that changes the text of a module, but nothing that the module does.
type pass struct {
	name  string
	after []string // passes that it would hinder, or whose results it needs
	run   func(*syntax.Module)
}

// table has the passes in their order.
var table = []pass{
	// Clocked blocks with one guard become one block.
	{"merge", nil, merge},
	// Wires are declared where they are assigned, or before the instance that drives them.
	{"declare", nil, declare},
	// Opaque wires hide constants that Verilator would warn of. They separate blocks.
	{"hide", []string{"merge"}, hideConstants},
	// A wire in each scope reads the bits that nothing else reads, opaque wires included.
	{"unused", []string{"hide"}, listUnused},
	// Numbers that a reader compares get one radix.
	{"radix", nil, unifyRadix},
}

// Run takes m through all passes. If after is not nil, Run calls it after each pass.
func Run(m *syntax.Module, after func(pass string)) {
	for _, p := range table {
		p.run(m)
		if after != nil {
			after(p.name)
		}
	}
}
