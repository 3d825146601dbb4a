package asm

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// symbols maps names to numbers and addresses.
type symbols map[string]uint64

var identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// sum evaluates numbers and names, separated by + and -.
func (s symbols) sum(text string) (uint64, error) {
	var total uint64
	sign := byte('+')
	for rest := text; ; {
		end := strings.IndexAny(rest, "+-")
		part := rest
		if end >= 0 {
			part = rest[:end]
		}
		part = strings.TrimSpace(part)
		if part == "" {
			return 0, missing(text)
		}
		v, err := s.term(part)
		if err != nil {
			return 0, err
		}
		before := total
		if sign == '+' {
			total += v
		} else {
			total -= v
		}
		if (sign == '+') != (total >= before) && v != 0 {
			return 0, fmt.Errorf("%q is out of range, expected 0 to 2^64-1", text)
		}
		if end < 0 {
			return total, nil
		}
		sign, rest = rest[end], rest[end+1:]
	}
}

// missing returns the error for a sum that lacks a number or a name.
func missing(sum string) error {
	switch {
	case sum == "":
		return errors.New("found nothing, expected a number or a name")
	case sum[0] == '-':
		return fmt.Errorf("%q is negative, expected a number from 0 on, or a name", sum)
	}
	return fmt.Errorf("%q is not a sum, expected numbers or names with + and - in between", sum)
}

func (s symbols) term(text string) (uint64, error) {
	if v, err := strconv.ParseUint(text, 0, 64); err == nil {
		return v, nil
	}
	if v, known := s[text]; known {
		return v, nil
	}
	if identifier.MatchString(text) {
		return 0, fmt.Errorf("there is no constant or label %q", text)
	}
	return 0, fmt.Errorf("found %q, expected a number or a name", text)
}
