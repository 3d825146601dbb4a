package code

import (
	"fmt"
	"math/bits"
	"strings"
)

// Kind classifies expressions.
type Kind uint8

// Kinds of expressions.
const (
	Number  Kind = iota // an untyped constant
	Named               // a variable, or a selector of a variable
	Indexed             // an element of an array
	Sliced              // a slice of an array
	Unary               // an operator before its operand
	Binary              // an operator between two
	Called              // a call, or a conversion
	Listed              // an array of words
)

// Expr is an expression. It is immutable, so that several expressions can share it.
type Expr struct {
	kind Kind
	text string // name, operator or function
	num  uint64
	args []*Expr
}

// Num returns a number.
func Num(x uint64) *Expr { return &Expr{kind: Number, num: x} }

// Int returns a number that is not negative.
func Int(n int) *Expr { return Num(uint64(n)) }

// Zero is the number 0.
var Zero = Num(0)

// Name returns a variable such as x, or a selector such as s.v.
func Name(format string, args ...any) *Expr {
	return &Expr{kind: Named, text: fmt.Sprintf(format, args...)}
}

// Call returns a call of a function, or a conversion to a type.
func Call(function string, args ...*Expr) *Expr {
	return &Expr{kind: Called, text: function, args: args}
}

// Words returns an array of words.
func Words(words ...*Expr) *Expr { return &Expr{kind: Listed, args: words} }

// Word returns x as a word of 64 bits.
func Word(x *Expr) *Expr { return Call("uint64", x) }

// Bit returns 1 if a condition holds, else 0.
func Bit(condition *Expr) *Expr { return Call("bit", condition) }

// Op returns a binary operation.
func Op(operator string, x, y *Expr) *Expr {
	if x.kind == Number && y.kind == Number {
		if k, ok := fold(operator, x.num, y.num); ok {
			return Num(k)
		}
	}
	return &Expr{kind: Binary, text: operator, args: []*Expr{x, y}}
}

// fold computes an operation on numbers, if the result is a number.
func fold(operator string, x, y uint64) (uint64, bool) {
	switch operator {
	case "+":
		return x + y, true
	case "-":
		return x - y, true
	case "*":
		return x * y, true
	case "&":
		return x & y, true
	case "|":
		return x | y, true
	case "^":
		return x ^ y, true
	case "&^":
		return x &^ y, true
	case "<<":
		return x << y, true
	case ">>":
		return x >> y, true
	}
	return 0, false
}

// All joins terms by an operator; without terms it returns 0.
func All(operator string, terms ...*Expr) *Expr {
	if len(terms) == 0 {
		return Zero
	}
	x := terms[0]
	for _, t := range terms[1:] {
		x = Op(operator, x, t)
	}
	return x
}

// And returns x & y.
func (x *Expr) And(y *Expr) *Expr { return Op("&", x, y) }

// AndNot returns x &^ y.
func (x *Expr) AndNot(y *Expr) *Expr { return Op("&^", x, y) }

// Or returns x | y.
func (x *Expr) Or(y *Expr) *Expr { return x.joined("|", y) }

// Xor returns x ^ y.
func (x *Expr) Xor(y *Expr) *Expr { return x.joined("^", y) }

// Add returns x + y.
func (x *Expr) Add(y *Expr) *Expr { return x.joined("+", y) }

// joined returns an operation for which 0 is neutral.
func (x *Expr) joined(operator string, y *Expr) *Expr {
	switch {
	case y.IsZero():
		return x
	case x.IsZero():
		return y
	}
	return Op(operator, x, y)
}

// Sub returns x - y.
func (x *Expr) Sub(y *Expr) *Expr { return Op("-", x, y) }

// Mul returns x * y.
func (x *Expr) Mul(y *Expr) *Expr {
	if k, ok := y.Number(); ok && k == 1 {
		return x
	}
	return Op("*", x, y)
}

// Up returns x << n.
func (x *Expr) Up(n int) *Expr { return x.shift("<<", n) }

// Down returns x >> n.
func (x *Expr) Down(n int) *Expr { return x.shift(">>", n) }

func (x *Expr) shift(operator string, n int) *Expr {
	if n == 0 {
		return x
	}
	return Op(operator, x, Int(n))
}

// Low returns x & (1<<width - 1); width is at most 64.
func (x *Expr) Low(width int) *Expr {
	if width == 64 {
		return x
	}
	return x.And(Num(1<<width - 1))
}

// Equal returns the condition x == y.
func (x *Expr) Equal(y *Expr) *Expr { return Op("==", x, y) }

// Differs returns the condition x != y.
func (x *Expr) Differs(y *Expr) *Expr {
	if y.IsZero() && x.kind == Called && x.text == "bit" {
		return x.args[0]
	}
	return Op("!=", x, y)
}

// Neg returns -x.
func (x *Expr) Neg() *Expr {
	if x.kind == Number {
		return Num(-x.num)
	}
	return &Expr{kind: Unary, text: "-", args: []*Expr{x}}
}

// Not returns ^x.
func (x *Expr) Not() *Expr {
	if x.kind == Number {
		return Num(^x.num)
	}
	return &Expr{kind: Unary, text: "^", args: []*Expr{x}}
}

// False returns the negation of the condition x.
func (x *Expr) False() *Expr {
	if opposite, ok := opposites[x.text]; ok && x.kind == Binary {
		return Op(opposite, x.args[0], x.args[1])
	}
	return &Expr{kind: Unary, text: "!", args: []*Expr{x}}
}

// opposites maps each comparison to its negation.
var opposites = map[string]string{"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}

// Address returns &x.
func (x *Expr) Address() *Expr { return &Expr{kind: Unary, text: "&", args: []*Expr{x}} }

// Pointed returns *x.
func (x *Expr) Pointed() *Expr { return &Expr{kind: Unary, text: "*", args: []*Expr{x}} }

// Index returns x[i].
func (x *Expr) Index(i *Expr) *Expr { return &Expr{kind: Indexed, args: []*Expr{x, i}} }

// At returns x[i] for a number i.
func (x *Expr) At(i int) *Expr { return x.Index(Int(i)) }

// Slice returns x[:].
func (x *Expr) Slice() *Expr { return &Expr{kind: Sliced, args: []*Expr{x}} }

// Part returns x[from:to].
func (x *Expr) Part(from, to int) *Expr {
	return &Expr{kind: Sliced, args: []*Expr{x, Int(from), Int(to)}}
}

// Number returns the value of x, if x is a number.
func (x *Expr) Number() (uint64, bool) { return x.num, x.kind == Number }

// IsZero reports whether x is the number 0.
func (x *Expr) IsZero() bool { return x.kind == Number && x.num == 0 }

// Variable reports whether x is a variable.
func (x *Expr) Variable() bool { return x.kind == Named && !strings.Contains(x.text, ".") }

// Simple reports whether x is a variable or a number, so that using it twice costs nothing.
func (x *Expr) Simple() bool { return x.kind == Number || x.Variable() }

// Array returns the array of which words are all elements, in order. It returns false if there is
// none.
func Array(words []*Expr) (*Expr, bool) {
	if words[0].kind != Indexed {
		return nil, false
	}
	base := words[0].args[0]
	for i, w := range words {
		if w.kind != Indexed || !w.args[0].same(base) || w.args[1].kind != Number || w.args[1].num != uint64(i) {
			return nil, false
		}
	}
	return base, true
}

// same reports whether x and y are the same expression.
func (x *Expr) same(y *Expr) bool {
	if x == y {
		return true
	}
	if x.kind != y.kind || x.text != y.text || x.num != y.num || len(x.args) != len(y.args) {
		return false
	}
	for i := range x.args {
		if !x.args[i].same(y.args[i]) {
			return false
		}
	}
	return true
}

// typed reports whether Go infers the type of x from x alone. The type of a number depends on its
// context.
func (x *Expr) typed() bool {
	switch {
	case x.kind == Number:
		return false
	case x.kind == Unary, x.kind == Binary && (x.text == "<<" || x.text == ">>"):
		return x.args[0].typed()
	case x.kind == Binary:
		return x.args[0].typed() || x.args[1].typed()
	}
	return true
}

// binds contains the precedence of the operators of Go.
var binds = map[string]int{
	"||": 1, "&&": 2, "==": 3, "!=": 3, "<": 3, "<=": 3, ">": 3, ">=": 3,
	"+": 4, "-": 4, "|": 4, "^": 4, "*": 5, "/": 5, "%": 5, "<<": 5, ">>": 5, "&": 5, "&^": 5,
}

const unaryBinds, primary = 6, 7

func (x *Expr) binds() int {
	switch x.kind {
	case Binary:
		return binds[x.text]
	case Unary:
		return unaryBinds
	}
	return primary
}

// String returns x in Go.
func (x *Expr) String() string {
	var b strings.Builder
	x.print(&b)
	return b.String()
}

func (x *Expr) print(b *strings.Builder) {
	switch x.kind {
	case Number:
		b.WriteString(Hex(x.num))
	case Named:
		b.WriteString(x.text)
	case Unary:
		b.WriteString(x.text)
		x.args[0].operand(b, unaryBinds)
	case Binary:
		x.args[0].operand(b, x.binds())
		b.WriteString(" " + x.text + " ")
		x.args[1].operand(b, x.binds()+1)
	case Called:
		b.WriteString(x.text)
		list(b, "(", x.args, ")")
	case Listed:
		fmt.Fprintf(b, "[%d]uint64", len(x.args))
		list(b, "{", x.args, "}")
	case Indexed:
		x.args[0].operand(b, primary)
		list(b, "[", x.args[1:], "]")
	case Sliced:
		x.args[0].operand(b, primary)
		if len(x.args) == 1 {
			b.WriteString("[:]")
			return
		}
		fmt.Fprintf(b, "[%s:%s]", x.args[1], x.args[2])
	}
}

// operand prints x, in parentheses if it binds less strongly than least.
func (x *Expr) operand(b *strings.Builder, least int) {
	if x.binds() < least {
		b.WriteString("(")
		defer b.WriteString(")")
	}
	x.print(b)
}

func list(b *strings.Builder, open string, args []*Expr, closing string) {
	b.WriteString(open)
	for i, a := range args {
		if i > 0 {
			b.WriteString(", ")
		}
		a.print(b)
	}
	b.WriteString(closing)
}

// Hex returns a number, in hexadecimal if it has several digits.
func Hex(x uint64) string {
	if x < 10 {
		return fmt.Sprint(x)
	}
	return fmt.Sprintf("%#x", x)
}

// Power reports whether n is a power of two, and returns the exponent.
func Power(n int) (int, bool) { return bits.TrailingZeros(uint(n)), n > 0 && n&(n-1) == 0 }
