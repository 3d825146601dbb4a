package code

import "slices"

// Prune removes declarations of unread variables, assignments to them, and loops and choices that
// are then empty. Unread variables are frequent, because often only part of a value is needed.
func Prune(body []Stmt) []Stmt {
	for {
		p := newPruning()
		p.count(body)
		body = p.prune(body)
		if !p.dropped {
			return body
		}
	}
}

type pruning struct {
	reads    map[string]int
	declared map[string]bool
	dropped  bool
}

func newPruning() *pruning {
	return &pruning{reads: map[string]int{}, declared: map[string]bool{}}
}

// unread reports whether x is a variable of the function that nothing reads.
func (p *pruning) unread(x *Expr) bool {
	return x != nil && x.Variable() && p.declared[x.text] && p.reads[x.text] == 0
}

func (p *pruning) read(x *Expr) {
	if x == nil {
		return
	}
	if x.Variable() {
		p.reads[x.text]++
	}
	for _, a := range x.args {
		p.read(a)
	}
}

func (p *pruning) declare(variables ...*Expr) {
	for _, x := range variables {
		if x != nil {
			p.declared[x.text] = true
		}
	}
}

func (p *pruning) count(body []Stmt) {
	for _, s := range body {
		p.countOne(s)
	}
}

func (p *pruning) countOne(s Stmt) {
	switch s := s.(type) {
	case *Define:
		p.declare(s.Name)
		p.read(s.X)
	case *Var:
		p.declare(s.Name)
	case *Assign:
		if !s.To.Variable() {
			p.read(s.To)
		}
		p.read(s.X)
	case *If:
		if s.Init != nil {
			p.countOne(s.Init)
		}
		p.read(s.Cond)
		p.count(s.Then)
		p.count(s.Else)
	case *Switch:
		p.read(s.X)
		for _, c := range s.Cases {
			p.count(c.Body)
		}
		p.count(s.Else)
	case *Range:
		p.declare(s.Index, s.Elem)
		p.read(s.N)
		p.count(s.Body)
	case *Count:
		p.read(s.From)
		p.read(s.To)
		p.count(s.Body)
	case *Bits:
		p.declare(s.Bit)
		p.read(s.Mask)
		p.read(s.X)
		p.read(s.Base)
		p.count(s.Body)
	case *Do:
		p.read(s.X)
	case *Return:
		p.read(s.X)
	}
}

func (p *pruning) prune(body []Stmt) []Stmt {
	var out []Stmt
	for _, s := range body {
		if p.keep(s) {
			out = append(out, s)
		} else {
			p.dropped = true
		}
	}
	return out
}

// keep prunes the statements in s and reports whether any are left.
func (p *pruning) keep(s Stmt) bool {
	switch s := s.(type) {
	case *Define:
		return !p.unread(s.Name)
	case *Var:
		return !p.unread(s.Name)
	case *Assign:
		return !p.unread(s.To)
	case *If:
		s.Then, s.Else = p.prune(s.Then), p.prune(s.Else)
		return len(s.Then)+len(s.Else) > 0
	case *Switch:
		for _, c := range s.Cases {
			c.Body = p.prune(c.Body)
		}
		s.Else = p.prune(s.Else)
		return len(s.Else) > 0 || slices.ContainsFunc(s.Cases, func(c *Case) bool { return len(c.Body) > 0 })
	case *Range:
		s.Body = p.prune(s.Body)
		return len(s.Body) > 0
	case *Count:
		s.Body = p.prune(s.Body)
		return len(s.Body) > 0
	case *Bits:
		s.Body = p.prune(s.Body)
		return len(s.Body) > 0
	}
	return true
}
