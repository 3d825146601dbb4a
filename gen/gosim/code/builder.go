package code

import "fmt"

// Builder appends the statements of a function. The zero Builder is empty.
type Builder struct {
	body  []Stmt // statements so far, of the function or of a nested statement
	temps int
}

// Do appends statements.
func (b *Builder) Do(s ...Stmt) { b.body = append(b.body, s...) }

// Within returns the statements that f appends, instead of appending them.
func (b *Builder) Within(f func()) []Stmt {
	outer := b.body
	b.body = nil
	f()
	inner := b.body
	b.body = outer
	return inner
}

// When appends an if statement with the statements that f appends, or only these statements if the
// condition is nil.
func (b *Builder) When(condition *Expr, f func()) {
	if condition == nil {
		f()
		return
	}
	b.Do(&If{Cond: condition, Then: b.Within(f)})
}

// Times appends a loop with the statements that f appends. It runs n times and counts in index.
func (b *Builder) Times(index *Expr, n int, f func()) {
	b.Do(&Range{Index: index, N: Int(n), Body: b.Within(f)})
}

// Temp returns the name of a new variable.
func (b *Builder) Temp() *Expr {
	b.temps++
	return Name("t%d", b.temps)
}

// Set declares a variable that is a word.
func (b *Builder) Set(x *Expr) *Expr {
	t := b.Temp()
	b.Do(&Define{Name: t, X: x})
	return t
}

// Number declares a variable of the type of x.
func (b *Builder) Number(x *Expr) *Expr {
	t := b.Temp()
	b.Do(&Define{Name: t, X: x, Int: true})
	return t
}

// Zeros declares n words that are zero.
func (b *Builder) Zeros(n int) []*Expr {
	out := make([]*Expr, n)
	for i := range out {
		out[i] = b.Temp()
		b.Do(&Var{Name: out[i], Type: "uint64"})
	}
	return out
}

// Array declares an array of n words that are zero.
func (b *Builder) Array(n int) *Expr {
	t := b.Temp()
	b.Do(&Var{Name: t, Type: fmt.Sprintf("[%d]uint64", n)})
	return t
}

// Variable returns x in a variable, so that several uses compute it only once.
func (b *Builder) Variable(x *Expr) *Expr {
	if x.Variable() {
		return x
	}
	return b.Set(x)
}

// Variables returns words in variables.
func (b *Builder) Variables(words []*Expr) []*Expr {
	out := make([]*Expr, len(words))
	for i, w := range words {
		out[i] = b.Variable(w)
	}
	return out
}

// Put assigns a word.
func (b *Builder) Put(to, x *Expr) { b.Do(&Assign{To: to, Operator: "=", X: x}) }

// Or sets the bits of x in a word.
func (b *Builder) Or(to, x *Expr) { b.Do(&Assign{To: to, Operator: "|=", X: x}) }
