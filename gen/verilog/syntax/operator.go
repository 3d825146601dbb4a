package syntax

// precedence holds the binary operators of Verilog; a higher one binds more tightly.
var precedence = map[string]int{
	"*": 12, "/": 12, "%": 12, "+": 11, "-": 11, "<<": 10, ">>": 10, ">>>": 10,
	"<": 9, "<=": 9, ">": 9, ">=": 9, "==": 8, "!=": 8,
	"&": 7, "^": 6, "|": 5, "&&": 4, "||": 3,
}

const unaryPrecedence = 14

// IsComparison reports whether op compares its operands.
func IsComparison(op string) bool { p := precedence[op]; return p == 8 || p == 9 }

// IsOrder reports whether op is <, <=, > or >=.
func IsOrder(op string) bool { return precedence[op] == precedence["<"] }

// associative reports whether a chain of op needs no parentheses.
func associative(op string) bool {
	switch op {
	case "+", "&", "|", "^", "&&", "||", "*":
		return true
	}
	return false
}
