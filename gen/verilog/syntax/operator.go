package syntax

// precedence of binary operators, as Verilog has it.
var precedence = map[string]int{
	"*": 12, "/": 12, "%": 12, "+": 11, "-": 11, "<<": 10, ">>": 10, ">>>": 10,
	"<": 9, "<=": 9, ">": 9, ">=": 9, "==": 8, "!=": 8,
	"&": 7, "^": 6, "|": 5, "&&": 4, "||": 3,
}

const unaryPrecedence = 14

func IsComparison(op string) bool { p := precedence[op]; return p == 8 || p == 9 }

func IsOrder(op string) bool { return precedence[op] == precedence["<"] }

func associative(op string) bool {
	switch op {
	case "+", "&", "|", "^", "&&", "||", "*":
		return true
	}
	return false
}
