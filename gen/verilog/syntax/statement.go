package syntax

import "github.com/hotline-rtl/hotline/hw/ir"

// Stmt is a statement of an always block: a pointer to one of the types below. Src is a
// comment with the position in the description, or "".
type Stmt interface{ isStmt() }

type (
	// SetStmt assigns Rhs to Lhs.
	SetStmt struct {
		Lhs, Rhs    Expr
		Nonblocking bool
		Src         string
	}
	// IfStmt is a condition with two branches, of which Else may be empty.
	IfStmt struct {
		Cond       Expr
		Then, Else []Stmt
		Src        string
	}
	// CaseStmt chooses the item whose label equals Of. A comment names DefaultFor as
	// the only value for which Default is left; "" prints none.
	CaseStmt struct {
		Of         Expr
		Items      []CaseItem
		Default    []Stmt
		DefaultFor string
		Src        string
	}
	// ForStmt repeats Body for all values of Var.
	ForStmt struct {
		Var  *LoopVar
		Body []Stmt
	}
	// ErrorStmt prints a text in a simulation.
	ErrorStmt struct{ Text string }
	// AssertStmt is a claim for formal tools, with a text as comment.
	AssertStmt struct {
		Kind ir.Claim
		Cond Expr
		Text string
		Src  string
	}
)

// CaseItem is an alternative of a CaseStmt.
type CaseItem struct {
	Labels []Expr
	Body   []Stmt
	Src    string
}

func (*SetStmt) isStmt()    {}
func (*IfStmt) isStmt()     {}
func (*CaseStmt) isStmt()   {}
func (*ForStmt) isStmt()    {}
func (*ErrorStmt) isStmt()  {}
func (*AssertStmt) isStmt() {}

// ElseIf returns the if that is the whole else branch of s, or nil.
func (s *IfStmt) ElseIf() *IfStmt {
	if len(s.Else) != 1 {
		return nil
	}
	next, _ := s.Else[0].(*IfStmt)
	return next
}
