package hclfile

import (
	"bytes"
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// depth bounds how deep the parser and the evaluator recurse at a token. Each open bracket
// is a level. Operators count as well: a chain such as --1, 1+1+1 or a[0][0] becomes a tree
// that is as deep as the chain is long.
type depth struct {
	total  int // of all levels, and their operators
	levels []level
}

// level is an open bracket.
type level struct {
	closed    hclsyntax.TokenType // by this token
	lines     bool                // newlines separate its elements
	operators int                 // of the present element
}

func newDepth() *depth { return &depth{levels: []level{{lines: true}}} }

// closers are the tokens that close brackets, quotes and template sequences.
var closers = map[hclsyntax.TokenType]hclsyntax.TokenType{
	hclsyntax.TokenOParen: hclsyntax.TokenCParen, hclsyntax.TokenOBrack: hclsyntax.TokenCBrack, hclsyntax.TokenOBrace: hclsyntax.TokenCBrace,
	hclsyntax.TokenOQuote: hclsyntax.TokenCQuote, hclsyntax.TokenOHeredoc: hclsyntax.TokenCHeredoc,
	hclsyntax.TokenTemplateInterp: hclsyntax.TokenTemplateSeqEnd, hclsyntax.TokenTemplateControl: hclsyntax.TokenTemplateSeqEnd,
}

// operators are the tokens that put one node of a tree above another.
var operators = []hclsyntax.TokenType{
	hclsyntax.TokenMinus, hclsyntax.TokenPlus, hclsyntax.TokenStar, hclsyntax.TokenSlash, hclsyntax.TokenPercent, hclsyntax.TokenBang,
	hclsyntax.TokenAnd, hclsyntax.TokenOr, hclsyntax.TokenEqualOp, hclsyntax.TokenNotEqual, hclsyntax.TokenLessThan, hclsyntax.TokenLessThanEq,
	hclsyntax.TokenGreaterThan, hclsyntax.TokenGreaterThanEq, hclsyntax.TokenQuestion, hclsyntax.TokenDot,
}

// add counts a token; rest are the tokens after it.
func (d *depth) add(t hclsyntax.Token, rest hclsyntax.Tokens) {
	top := &d.levels[len(d.levels)-1]
	closer, opens := closers[t.Type]
	switch {
	case opens:
		if t.Type == hclsyntax.TokenTemplateControl {
			top.operators++ // an if or a for, whose end is another template sequence
			d.total++
		}
		d.levels = append(d.levels, level{closed: closer, lines: t.Type == hclsyntax.TokenOBrace && !isFor(rest)})
		d.total++
	case t.Type == top.closed && len(d.levels) > 1:
		d.total -= 1 + top.operators
		d.levels = d.levels[:len(d.levels)-1]
		if t.Type == hclsyntax.TokenCBrack {
			d.levels[len(d.levels)-1].operators++ // perhaps of an index
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

// endsLine reports whether a token ends a line: comments in one line contain the newline.
func endsLine(t hclsyntax.Token) bool {
	return t.Type == hclsyntax.TokenNewline || t.Type == hclsyntax.TokenComment && bytes.HasSuffix(t.Bytes, []byte("\n"))
}

// isFor reports whether the tokens after a brace are a "for" expression, which may have
// newlines anywhere.
func isFor(rest hclsyntax.Tokens) bool {
	for _, t := range rest {
		if t.Type != hclsyntax.TokenNewline && t.Type != hclsyntax.TokenComment {
			return t.Type == hclsyntax.TokenIdent && string(t.Bytes) == "for"
		}
	}
	return false
}
