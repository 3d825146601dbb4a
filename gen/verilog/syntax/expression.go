package syntax

// Expr is an expression: a pointer to one of the types below.
type Expr interface{ isExpr() }

type (
	// Ident is a whole object.
	Ident struct{ Obj *Object }
	// Number is a constant of Width bits, with little-endian words. A Width of 0 prints the
	// value alone.
	Number struct {
		Width int
		Val   []uint64
		Hex   bool // is hexadecimal, however small it is
		Count bool // counts something, and is decimal unless Hex is set
		Ones  bool // has all bits set, if the width follows from the parameter
	}
	// Part is Width bits from bit Lo of element Elem of an object that consists of elements
	// of Size bits.
	Part struct {
		Obj       *Object
		Elem      Affine
		Size      int
		Lo, Width int
	}
	// DynPart is a Part whose element number is computed.
	DynPart struct {
		Obj       *Object
		Index     Expr
		Size      int
		Lo, Width int
	}
	// Word is a word of a memory, or Width bits of it from bit Lo.
	Word struct {
		Mem       *Object
		Addr      Expr
		Lo, Width int // Width 0: the whole word
	}
	// LoopBits is the low bits of a loop variable.
	LoopBits struct {
		Var   *LoopVar
		Width int
	}
	// LoopValue is a function of loop variables, as an integer.
	LoopValue struct{ Value Affine }
	// Unary is an operator in front of its operand.
	Unary struct {
		Op string
		X  Expr
	}
	// Binary is an operator between its operands.
	Binary struct {
		Op   string
		X, Y Expr
	}
	// Ternary is Cond ? Yes : No.
	Ternary struct{ Cond, Yes, No Expr }
	// Concat is {Parts...}, the highest bits first.
	Concat struct{ Parts []Expr }
	// Repeat is {N{X}}.
	Repeat struct {
		N int
		X Expr
	}
	// Signed is $signed(X).
	Signed struct{ X Expr }
)

func (*Ident) isExpr()     {}
func (*Number) isExpr()    {}
func (*Part) isExpr()      {}
func (*DynPart) isExpr()   {}
func (*Word) isExpr()      {}
func (*LoopBits) isExpr()  {}
func (*LoopValue) isExpr() {}
func (*Unary) isExpr()     {}
func (*Binary) isExpr()    {}
func (*Ternary) isExpr()   {}
func (*Concat) isExpr()    {}
func (*Repeat) isExpr()    {}
func (*Signed) isExpr()    {}
