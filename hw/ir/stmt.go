package ir

// Stmt is a statement: Assign, When, Switch, MemWrite or Assert.
type Stmt interface {
	Position() Pos
	// Blocks are the statement lists inside it.
	Blocks() [][]Stmt
	// Exprs are the expressions that it reads directly.
	Exprs() []*Expr
}

// LValue is what an assignment writes: a whole signal, an element at an Affine
// index, or (Dyn not nil) the element that an expression selects; of that all, or (Bits
// not 0) Bits bits from bit Lo.
type LValue struct {
	Sig   *Signal
	Part  bool // an element at Index; false: the whole signal, or Dyn
	Index Affine
	Dyn   *Expr
	Lo    int
	Bits  int
}

// Type is the type of the value that l takes.
func (l LValue) Type() Type {
	switch {
	case l.Bits > 0:
		return Type{Width: l.Bits}
	case l.Part || l.Dyn != nil:
		return l.Sig.Type.Elem()
	}
	return l.Sig.Type
}

// Assign gives a wire its value, or a register its next value.
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
	Values []*Expr // constants, disjoint from those of other cases
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

// MemWrite writes Data at Addr at the clock edge; beyond the depth it does
// nothing. A Mask has a bit for each lane, two or more equal parts of the word: only
// lanes whose bit is 1 are written.
type MemWrite struct {
	Mem        *Mem
	Addr, Data *Expr
	Mask       *Expr // or nil: all of the word
	Pos        Pos
}

// Claim is what an Assert says of its condition.
type Claim uint8

const (
	Checked Claim = iota // the design sees to it
	Assumed              // its surroundings do
	Covered              // it is so now and then; engines do not look
)

func (c Claim) String() string { return [...]string{"assert", "assume", "cover"}[c] }

// Assert states that Cond is 1 whenever it is reached outside the reset of its
// instance; or, if it is Covered, that this is possible.
type Assert struct {
	Kind   Claim
	Cond   *Expr
	Text   string
	Domain *Domain // at whose clock edges; nil for the module's own
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

// WalkExpr calls f for e and everything below it, each node once per visited.
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
