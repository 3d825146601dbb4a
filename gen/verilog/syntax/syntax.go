package syntax

import "github.com/hotline-rtl/hotline/hw/ir"

const (
	Wire ObjectKind = iota
	Reg
	Input
	Output
	OutputReg
	Inout
	Memory
	Localparam
)

// Expr is an expression: one of the types below.
type Expr interface{}

type (
	// Ident is a whole object.
	Ident struct{ Obj *Object }
	// Number is a sized constant of little-endian words.
	Number struct {
		Width int
		Val   []uint64
		Hex   bool // whatever its size
		Count bool // of something: decimal, if that is open
		Ones  bool // all bits are 1, whatever the width is
	}
	// Part is width bits from bit lo of element elem of an object that is
	// divided in elements of size bits.
	Part struct {
		Obj       *Object
		Elem      Affine
		Size      int
		Lo, Width int
	}
	// DynPart is part with an element number that is computed.
	DynPart struct {
		Obj       *Object
		Index     Expr
		Size      int
		Lo, Width int
	}
	// Word is a word of a memory, or width bits of it from bit lo.
	Word struct {
		Mem       *Object
		Addr      Expr
		Lo, Width int // width 0: all of it
	}
	// LoopBits are the low bits of a loop variable.
	LoopBits struct {
		Var   *LoopVar
		Width int
	}
	// LoopValue is a function of loop variables, as an integer.
	LoopValue struct{ Value Affine }
	Unary     struct {
		Op string
		X  Expr
	}
	Binary struct {
		Op   string
		X, Y Expr
	}
	Ternary struct{ Cond, Yes, No Expr }
	Concat  struct{ Parts []Expr }
	Repeat  struct {
		N int
		X Expr
	}
	Signed struct{ X Expr }
)

// Stmt is a statement of an always block: one of the types below.
type Stmt interface{}

type (
	SetStmt struct {
		Lhs, Rhs    Expr
		Nonblocking bool
		Src         string
	}
	IfStmt struct {
		Cond       Expr
		Then, Else []Stmt
		Src        string
	}
	CaseStmt struct {
		Of    Expr
		Items []CaseItem
		// rest is the default; restFor names the value that it stands for
		// if it is the only one left.
		Default    []Stmt
		DefaultFor string
		Src        string
	}
	CaseItem struct {
		Labels []Expr
		Body   []Stmt
		Src    string
	}
	ForStmt struct {
		Var  *LoopVar
		Body []Stmt
	}
	ErrorStmt  struct{ Text string }
	AssertStmt struct {
		Kind ir.Claim
		Cond Expr
		Text string
		Src  string
	}
)

// Item is what a module or generate block consists of: one of the types below.
type Item interface{}

type (
	// DeclItem declares an object, with its value if init is not nil.
	DeclItem struct {
		Obj   *Object
		Init  Expr
		Local bool // belongs to the item that follows
		Alone bool // has a blank line on either side
		Src   string
	}
	AssignItem struct {
		Lhs, Rhs Expr
		Src      string
	}
	AlwaysItem struct {
		Clock   *Object    // nil: combinational, or initial
		Initial bool       // runs once, at the beginning
		Reset   *Object    // that acts at once; nil if none does
		Low     bool       // reset is active low
		Label   string     // of the block, if it declares something
		Vars    []*LoopVar // integers that it declares
		Locals  []*Object  // variables that it declares
		Body    []Stmt
		Src     string
	}
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
	// FormalItem is what formal tools read, or simulators; synthesis has neither.
	FormalItem struct{ Formal, Simulated []Item }
)

// ParamValue gives a parameter of an instance a value.
type ParamValue struct {
	Name  string
	Value int
	Text  *string // instead
}

// Connection connects a port of an instance.
type Connection struct {
	Port   string
	Value  Expr
	Output bool
}

// Parameter is the parameter of a module, with the value that it has if no instance gives
// it one.
type Parameter struct {
	Name  string
	Value int
}

// Module is a whole file.
type Module struct {
	Header []string // comment lines
	Name   string
	Pos    ir.Pos     // of what it stands for
	Names  *Names     // that have a meaning in it
	Param  *Parameter // or nil
	Ports  []*Object
	Items  []Item
}
