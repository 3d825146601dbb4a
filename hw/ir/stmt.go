package ir

// Stmt is a statement: Assign, When, Switch, MemWrite or Assert.
type Stmt interface {
	Position() Pos
	// Blocks returns the nested statement lists.
	Blocks() [][]Stmt
	// Exprs returns the expressions that the statement reads directly.
	Exprs() []*Expr
}

// LValue is the target of an assignment: a whole signal, the element at an Affine index, or, if
// Dyn is not nil, the element that an expression selects. If Bits is not 0, the target is only the
// Bits bits from bit Lo on.
type LValue struct {
	Sig   *Signal
	Part  bool // an element at Index; if false, the whole signal or the element at Dyn
	Index Affine
	Dyn   *Expr
	Lo    int
	Bits  int
}

// Type returns the type of a value assigned to l.
func (l LValue) Type() Type {
	switch {
	case l.Bits > 0:
		return Type{Width: l.Bits}
	case l.Part || l.Dyn != nil:
		return l.Sig.Type.Elem()
	}
	return l.Sig.Type
}

// Assign assigns a wire its value, or a register its next value.
type Assign struct {
	LHS LValue
	RHS *Expr
	Pos Pos
}

// When executes Then if Cond is 1, otherwise Else.
type When struct {
	Cond       *Expr
	Then, Else []Stmt
	Pos        Pos
}

// Case is one alternative of a Switch.
type Case struct {
	Values []*Expr // constants, disjoint from those in other cases
	Body   []Stmt
	Pos    Pos
}

// Switch executes the case with a value equal to Of, or Default.
type Switch struct {
	Of      *Expr
	Cases   []*Case
	Default []Stmt
	Pos     Pos
}

// MemWrite writes Data to Addr at the clock edge. Beyond the depth it has no effect. Mask has one
// bit per lane; lanes are two or more equal parts of the word. Only lanes whose bit is 1 are
// written.
type MemWrite struct {
	Mem        *Mem
	Addr, Data *Expr
	Mask       *Expr // or nil to write the whole word
	Pos        Pos
}

// Claim is the kind of an Assert.
type Claim uint8

const (
	Checked Claim = iota // the design ensures the condition
	Assumed              // the environment ensures the condition
	Covered              // the condition can hold; engines do not check it
)

func (c Claim) String() string { return [...]string{"assert", "assume", "cover"}[c] }

// Assert states that Cond is 1 whenever the statement is reached outside the reset of its
// instance. If Kind is Covered, it states that this is possible.
type Assert struct {
	Kind   Claim
	Cond   *Expr
	Text   string
	Domain *Domain // checked at the edges of this clock; nil for the module's own
	Pos    Pos
}

func (s *Assign) Position() Pos   { return s.Pos }
func (s *When) Position() Pos     { return s.Pos }
func (s *Switch) Position() Pos   { return s.Pos }
func (s *MemWrite) Position() Pos { return s.Pos }
func (s *Assert) Position() Pos   { return s.Pos }

func (s *Assign) Blocks() [][]Stmt   { return nil }
func (s *When) Blocks() [][]Stmt     { return [][]Stmt{s.Then, s.Else} }
func (s *MemWrite) Blocks() [][]Stmt { return nil }
func (s *Assert) Blocks() [][]Stmt   { return nil }
func (s *Switch) Blocks() [][]Stmt {
	var out [][]Stmt
	for _, c := range s.Cases {
		out = append(out, c.Body)
	}
	return append(out, s.Default)
}

func (s *When) Exprs() []*Expr   { return []*Expr{s.Cond} }
func (s *Switch) Exprs() []*Expr { return []*Expr{s.Of} }
func (s *Assert) Exprs() []*Expr { return []*Expr{s.Cond} }
func (s *MemWrite) Exprs() []*Expr {
	if s.Mask != nil {
		return []*Expr{s.Addr, s.Data, s.Mask}
	}
	return []*Expr{s.Addr, s.Data}
}
func (s *Assign) Exprs() []*Expr {
	if s.LHS.Dyn != nil {
		return []*Expr{s.LHS.Dyn, s.RHS}
	}
	return []*Expr{s.RHS}
}

// WalkStmts calls f for every statement of list and of the blocks inside.
func WalkStmts(list []Stmt, f func(Stmt)) {
	for _, s := range list {
		f(s)
		for _, b := range s.Blocks() {
			WalkStmts(b, f)
		}
	}
}

// WalkExpr calls f for e and its operands, operands first. It skips the nodes in visited and adds
// the nodes that it visits.
func WalkExpr(e *Expr, visited map[*Expr]bool, f func(*Expr)) {
	if visited[e] {
		return
	}
	visited[e] = true
	for _, a := range e.Args {
		WalkExpr(a, visited, f)
	}
	f(e)
}
