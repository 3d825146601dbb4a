package syntax

import "github.com/hotline-rtl/hotline/hw/ir"

// Module is the module of a file. If it has a Param, its sizes may follow from it (PerParam).
type Module struct {
	Header Header
	Name   string
	Pos    ir.Pos     // in the description, for errors
	Names  *Names     // that have a meaning in the module
	Param  *Parameter // or nil
	Ports  []*Object
	Items  []Item
}

// Parameter is the parameter of a module, with its default value.
type Parameter struct {
	Name    string
	Value   int
	Comment string
}

// Item is a part of a module or of a generate loop: a pointer to one of the types below. Src
// is a comment with the position in the description, or "".
type Item interface{ isItem() }

type (
	// DeclItem declares an object, with its value if Init is not nil.
	DeclItem struct {
		Obj   *Object
		Init  Expr
		Local bool // belongs to the item that follows
		Alone bool // has a blank line on either side
		Src   string
	}
	// AssignItem is a continuous assignment.
	AssignItem struct {
		Lhs, Rhs Expr
		Src      string
	}
	// AlwaysItem is an always or initial block.
	AlwaysItem struct {
		Clock   *Object    // nil: combinational, or initial
		Initial bool       // runs once, at the beginning
		Reset   *Object    // asynchronous reset, or nil
		Low     bool       // Reset is active low
		Label   string     // of the block, if it declares something
		Vars    []*LoopVar // integers that it declares
		Locals  []*Object  // variables that it declares
		Body    []Stmt
		Src     string
	}
	// InstanceItem is an instance of another module.
	InstanceItem struct {
		Module, Name string
		Params       []ParamValue
		Conns        []Connection
		Src          string
	}
	// GenerateItem is a generate loop.
	GenerateItem struct {
		Var   *LoopVar
		Label string
		Body  []Item
	}
	// FormalItem has items for formal tools and items for simulators. Synthesis sees neither.
	FormalItem struct{ Formal, Simulated []Item }
)

// ParamValue gives a parameter of an instance a value: Text if it is not nil, else Value.
type ParamValue struct {
	Name  string
	Value int
	Text  *string
}

// Connection connects a port of an instance.
type Connection struct {
	Port   string
	Value  Expr
	Output bool
}

func (*DeclItem) isItem()     {}
func (*AssignItem) isItem()   {}
func (*AlwaysItem) isItem()   {}
func (*InstanceItem) isItem() {}
func (*GenerateItem) isItem() {}
func (*FormalItem) isItem()   {}
