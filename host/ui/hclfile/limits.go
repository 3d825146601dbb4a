package hclfile

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/hotline-rtl/hotline/host/ui/format"
	"github.com/hotline-rtl/hotline/host/ui/input"
)

// Limits of a file, far above the needs of any configuration.
const (
	mostDepth      = 200    // nested brackets and operators
	mostAttributes = 10_000 // including blocks
	mostExponent   = 308    // of a number, as in a float64
	mostDigits     = 400
)

// check returns an error if a text exceeds the limits of the parser. It counts tokens, because the
// scanner, unlike the parser, is not recursive.
func check(name string, text []byte) error {
	if len(text) > mostBytes {
		return fmt.Errorf("%s: the text is larger than %s", name, format.Bytes(mostBytes))
	}
	if err := input.CheckText(name, text); err != nil {
		return err
	}
	tokens, _ := hclsyntax.LexConfig(text, name, hcl.InitialPos) // the parser reports invalid tokens
	n, d := 0, newDepth()
	for i, t := range tokens {
		switch d.add(t, tokens[i+1:]); {
		case d.total > mostDepth:
			return at(t.Range, "the nesting is deeper than %d: brackets, blocks, and operators in one expression", mostDepth)
		case t.Type == hclsyntax.TokenNumberLit && !inRange(t.Bytes):
			return at(t.Range, "the number %s is out of range; expected at most %d digits and exponents from -%d to %d", t.Bytes, mostDigits, mostExponent, mostExponent)
		case t.Type == hclsyntax.TokenEqual || t.Type == hclsyntax.TokenOBrace:
			if n++; n > mostAttributes {
				return at(t.Range, "there are more than %s attributes and blocks", format.Thousands(mostAttributes))
			}
		}
	}
	return nil
}

// inRange reports whether a number is small enough for a fast conversion.
func inRange(number []byte) bool {
	digits, exponent, has := bytes.Cut(bytes.ToLower(number), []byte("e"))
	if len(digits) > mostDigits {
		return false
	}
	n, err := strconv.Atoi(string(exponent))
	return !has || err == nil && -mostExponent <= n && n <= mostExponent
}

// at returns an error at a position in a file.
func at(place hcl.Range, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", place.Filename, place.Start.Line, fmt.Sprintf(format, args...))
}
