package verilog

import "github.com/hotline-rtl/hotline/hw/ir"

const (
	wireObject objectKind = iota
	regObject
	inputObject
	outputObject
	outputRegObject
	inoutObject
	memoryObject
	paramObject
)

// expr is an expression: one of the types below.
type expr interface{}

type (
	// ident is a whole object.
	ident struct{ obj *object }
	// number is a sized constant of little-endian words.
	number struct {
		width int
		val   []uint64
		hex   bool // whatever its size
		count bool // of something: decimal, if that is open
		ones  bool // all bits are 1, whatever the width is
	}
	// part is width bits from bit lo of element elem of an object that is
	// divided in elements of size bits.
	part struct {
		obj       *object
		elem      affine
		size      int
		lo, width int
	}
	// dynPart is part with an element number that is computed.
	dynPart struct {
		obj       *object
		index     expr
		size      int
		lo, width int
	}
	// word is a word of a memory, or width bits of it from bit lo.
	word struct {
		mem       *object
		addr      expr
		lo, width int // width 0: all of it
	}
	// loopBits are the low bits of a loop variable.
	loopBits struct {
		v     *loopVar
		width int
	}
	// loopValue is a function of loop variables, as an integer.
	loopValue struct{ a affine }
	unary     struct {
		op string
		x  expr
	}
	binary struct {
		op   string
		x, y expr
	}
	ternary struct{ c, yes, no expr }
	concat  struct{ parts []expr }
	repeat  struct {
		n int
		x expr
	}
	signed struct{ x expr }
)

// stmt is a statement of an always block: one of the types below.
type stmt interface{}

type (
	setStmt struct {
		lhs, rhs    expr
		nonblocking bool
		src         string
	}
	ifStmt struct {
		cond      expr
		then, els []stmt
		src       string
	}
	caseStmt struct {
		of    expr
		items []caseItem
		// rest is the default; restFor names the value that it stands for
		// if it is the only one left.
		rest    []stmt
		restFor string
		src     string
	}
	caseItem struct {
		labels []expr
		body   []stmt
		src    string
	}
	forStmt struct {
		v    *loopVar
		body []stmt
	}
	errorStmt  struct{ text string }
	assertStmt struct {
		kind ir.Claim
		cond expr
		text string
		src  string
	}
)

// item is what a module or generate block consists of: one of the types below.
type item interface{}

type (
	// declItem declares an object, with its value if init is not nil.
	declItem struct {
		obj   *object
		init  expr
		local bool // belongs to the item that follows
		alone bool // has a blank line on either side
		src   string
	}
	assignItem struct {
		lhs, rhs expr
		src      string
	}
	alwaysItem struct {
		clock   *object    // nil: combinational, or initial
		initial bool       // runs once, at the beginning
		reset   *object    // that acts at once; nil if none does
		low     bool       // reset is active low
		label   string     // of the block, if it declares something
		vars    []*loopVar // integers that it declares
		locals  []*object  // variables that it declares
		body    []stmt
		src     string
	}
	instanceItem struct {
		module, name string
		params       []param
		conns        []connection
		src          string
	}
	// generateItem is a generate loop.
	generateItem struct {
		v     *loopVar
		label string
		body  []item
	}
	// formalItem is what formal tools read, or simulators; synthesis has neither.
	formalItem struct{ formal, simulated []item }
)

// param gives a parameter of an instance a value.
type param struct {
	name  string
	value int
	text  *string // instead
}

// connection connects a port of an instance.
type connection struct {
	port   string
	value  expr
	output bool
}

// parameter is the parameter of a module, with the value that it has if no instance gives
// it one.
type parameter struct {
	name  string
	value int
}

// module is a whole file.
type module struct {
	header []string // comment lines
	name   string
	pos    ir.Pos     // of what it stands for
	names  *names     // that have a meaning in it
	param  *parameter // or nil
	ports  []*object
	items  []item
}
