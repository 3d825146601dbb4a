package hclfile

import (
	"bytes"
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// depth computes an upper bound of the recursion depth of the parser and the evaluator at a token.
// Each open bracket is a level. Operators count, too: a chain such as --1, 1+1+1 or a[0][0] becomes
// a tree as deep as the length of the chain.
type depth struct {
	total  int // number of all levels and their operators
	levels []level
}

// level is an open bracket.
type level struct {
	closed    hclsyntax.TokenType // token that closes it
	lines     bool                // newlines separate its elements
	operators int                 // number of operators in the current element
}

func newDepth() *depth { return &depth{levels: []level{{lines: true}}} }

// closers maps the tokens that open brackets, quotes and template sequences to the tokens that
// close them.
var closers = map[hclsyntax.TokenType]hclsyntax.TokenType{
	hclsyntax.TokenOParen: hclsyntax.TokenCParen, hclsyntax.TokenOBrack: hclsyntax.TokenCBrack, hclsyntax.TokenOBrace: hclsyntax.TokenCBrace,
	hclsyntax.TokenOQuote: hclsyntax.TokenCQuote, hclsyntax.TokenOHeredoc: hclsyntax.TokenCHeredoc,
	hclsyntax.TokenTemplateInterp: hclsyntax.TokenTemplateSeqEnd, hclsyntax.TokenTemplateControl: hclsyntax.TokenTemplateSeqEnd,
}

// operators lists the tokens that add a level to a syntax tree.
var operators = []hclsyntax.TokenType{
	hclsyntax.TokenMinus, hclsyntax.TokenPlus, hclsyntax.TokenStar, hclsyntax.TokenSlash, hclsyntax.TokenPercent, hclsyntax.TokenBang,
	hclsyntax.TokenAnd, hclsyntax.TokenOr, hclsyntax.TokenEqualOp, hclsyntax.TokenNotEqual, hclsyntax.TokenLessThan, hclsyntax.TokenLessThanEq,
	hclsyntax.TokenGreaterThan, hclsyntax.TokenGreaterThanEq, hclsyntax.TokenQuestion, hclsyntax.TokenDot,
}

// add counts a token; rest contains the following tokens.
func (d *depth) add(t hclsyntax.Token, rest hclsyntax.Tokens) {
	top := &d.levels[len(d.levels)-1]
	closer, opens := closers[t.Type]
	switch {
	case opens:
		if t.Type == hclsyntax.TokenTemplateControl {
			top.operators++ // an if or a for, which ends with another template sequence
			d.total++
		}
		d.levels = append(d.levels, level{closed: closer, lines: t.Type == hclsyntax.TokenOBrace && !isFor(rest)})
		d.total++
	case t.Type == top.closed && len(d.levels) > 1:
		d.total -= 1 + top.operators
		d.levels = d.levels[:len(d.levels)-1]
		if t.Type == hclsyntax.TokenCBrack {
			d.levels[len(d.levels)-1].operators++ // possibly of an index
			d.total++
		}
	case slices.Contains(operators, t.Type):
		top.operators++
		d.total++
	case t.Type == hclsyntax.TokenComma, top.lines && endsLine(t):
		d.total -= top.operators
		top.operators = 0
	}
}

// endsLine reports whether a token ends a line. Single-line comments include the newline.
func endsLine(t hclsyntax.Token) bool {
	return t.Type == hclsyntax.TokenNewline || t.Type == hclsyntax.TokenComment && bytes.HasSuffix(t.Bytes, []byte("\n"))
}

// isFor reports whether the tokens after a brace start a "for" expression, which may contain
// newlines anywhere.
func isFor(rest hclsyntax.Tokens) bool {
	for _, t := range rest {
		if t.Type != hclsyntax.TokenNewline && t.Type != hclsyntax.TokenComment {
			return t.Type == hclsyntax.TokenIdent && string(t.Bytes) == "for"
		}
	}
	return false
}
