package code

// Stmt is a statement: a pointer to one of the types below.
type Stmt interface{}

// Define declares a variable with a value. Its type is the type of the value, or uint64.
type Define struct {
	Name *Expr
	X    *Expr
	Int  bool // the type is the type of the value
}

// Var declares a variable that is zero.
type Var struct {
	Name *Expr
	Type string
}

// Assign changes a variable or a place in memory by an operator such as |=; = sets it.
type Assign struct {
	To       *Expr
	Operator string
	X        *Expr
}

// If does Then if a condition holds, and Else if not.
type If struct {
	Init Stmt // a Define that Cond and the branches can read; may be nil
	Cond *Expr
	Then []Stmt
	Else []Stmt
}

// Switch executes the statements of the case that equals X, or else Else.
type Switch struct {
	X     *Expr
	Cases []*Case
	Else  []Stmt
}

// Case contains the statements for some numbers.
type Case struct {
	Values []*Expr
	Body   []Stmt
}

// Range is a loop over the numbers below N, or over the elements of an array. Index and Elem may be
// nil.
type Range struct {
	Index, Elem *Expr
	N           *Expr
	Body        []Stmt
}

// Count is a loop over numbers from From on, below To, in steps.
type Count struct {
	Index    *Expr
	From, To *Expr
	Step     int
	Body     []Stmt
}

// Bits is a loop over the bits that are set in a mask, lowest first. Mask is a variable, which
// loses each bit; X is its first value, or nil if it has one.
type Bits struct {
	Mask, X *Expr
	Bit     *Expr // variable with the number of the bit plus Base
	Base    *Expr
	Body    []Stmt
}

// Do is a call executed for its effect.
type Do struct{ X *Expr }

// Return leaves a function with a result.
type Return struct{ X *Expr }
