package ir

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// token is a token of the text form.
type token struct {
	kind tokenKind
	text string
	line int
}

type tokenKind uint8

const (
	endToken    tokenKind = iota
	nameToken             // lane
	tempToken             // %3
	numberToken           // 4, -1, +1
	typeToken             // 4x8
	constToken            // 8'd5, 2'd0"Ask"
	stringToken           // "text"
	markToken             // { } [ ] ( ) : , = * + . -> <-
)

func (t token) String() string {
	if t.kind == endToken {
		return "the end of the text"
	}
	return strconv.Quote(t.text)
}

// scan splits text into tokens. The last token marks the end.
func scan(name, text string) ([]token, error) {
	var out []token
	line := 1
	for len(text) > 0 {
		switch {
		case text[0] == '\n':
			line++
			text = text[1:]
		case strings.IndexByte(" \t\r", text[0]) >= 0:
			text = text[1:]
		case text[0] == '#':
			comment, _, _ := strings.Cut(text, "\n")
			text = text[len(comment):]
		default:
			kind, n := word(text)
			if n == 0 {
				r, _ := utf8.DecodeRuneInString(text)
				return nil, fmt.Errorf("%s:%d: %q starts no word", name, line, r)
			}
			out = append(out, token{kind, text[:n], line})
			text = text[n:]
		}
	}
	return append(out, token{kind: endToken, line: line}), nil
}

// word returns the kind and the length of the token at the start of s, or length 0 if there is
// none.
func word(s string) (tokenKind, int) {
	switch c := s[0]; {
	case isDigit(c):
		return number(s)
	case isLetter(c):
		return nameToken, span(s, func(c byte) bool { return isLetter(c) || isDigit(c) })
	case c == '"':
		return stringToken, quoted(s)
	case c == '%':
		if n := digits(s[1:]); n > 0 {
			return tempToken, 1 + n
		}
	case strings.HasPrefix(s, "->"), strings.HasPrefix(s, "<-"):
		return markToken, 2
	case c == '+' || c == '-':
		if n := digits(s[1:]); n > 0 {
			return numberToken, 1 + n
		}
		if c == '+' {
			return markToken, 1
		}
	case strings.IndexByte("{}[]():,=*.", c) >= 0:
		return markToken, 1
	}
	return endToken, 0
}

// number scans the token at the start of s, which starts with a digit.
func number(s string) (tokenKind, int) {
	n := digits(s)
	rest := s[n:]
	if strings.HasPrefix(rest, "x") {
		if k := digits(rest[1:]); k > 0 {
			return typeToken, n + 1 + k
		}
	}
	k := 0
	switch {
	case strings.HasPrefix(rest, "'d"):
		k = digits(rest[2:])
	case strings.HasPrefix(rest, "'h"):
		k = span(rest[2:], func(c byte) bool { return isDigit(c) || c >= 'a' && c <= 'f' })
	}
	if k == 0 {
		return numberToken, n
	}
	n += 2 + k
	if n < len(s) && s[n] == '"' {
		n += quoted(s[n:])
	}
	return constToken, n
}

// quoted returns the length of the string at the start of s, or 0 if it does not end on the same
// line.
func quoted(s string) int {
	for i := 1; i < len(s) && s[i] != '\n'; i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return 0
}

func digits(s string) int { return span(s, isDigit) }

// span returns the number of leading bytes of s that are in the class.
func span(s string, class func(byte) bool) int {
	n := 0
	for n < len(s) && class(s[n]) {
		n++
	}
	return n
}

func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isLetter(c byte) bool { return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
