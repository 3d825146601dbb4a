package passes

import "github.com/hotline-rtl/hotline/gen/verilog/syntax"

// pass is a step that changes the text of a module, and nothing that it does.
type pass struct {
	name  string
	does  string
	after []string // passes whose results it needs, or which would undo its own
	run   func(*syntax.Module)
}

// all are all passes in their order.
var all = []pass{
	{"merge", "clocked blocks of one guard become one", nil, merge},
	{"declare", "wires are declared where they are assigned, or before the instance that drives them", []string{"merge"}, declare},
	{"hide", "wires that Verilator keeps hide constants that it would warn of", []string{"declare"}, hideConstants},
	{"unused", "a wire in each scope reads the bits that nothing else reads", []string{"hide"}, listUnused},
	{"radix", "numbers that a reader compares get one radix", []string{"hide"}, unifyRadix},
}

// Run takes m through all passes. It calls after, if there is one, after each.
func Run(m *syntax.Module, after func(name string)) {
	for _, p := range all {
		p.run(m)
		if after != nil {
			after(p.name)
		}
	}
}
