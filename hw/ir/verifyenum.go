package ir

import (
	"regexp"
	"strings"
)

// enum checks an Enum of the module and records it.
func (v *verifier) enum(e *Enum) {
	if e == nil {
		v.errorf(v.mod.Pos, "an enum is nil")
		return
	}
	for other := range v.enums {
		if other.Name == e.Name {
			v.errorf(v.mod.Pos, "two enums %s", e.Name)
		}
	}
	v.enums[e] = true
	if !legalName.MatchString(e.Name) || e.Width < 1 || e.Width > 64 {
		v.errorf(v.mod.Pos, "enum %q of %d bits: not a legal name, or more than 64 bits", e.Name, e.Width)
		return
	}
	names := map[string]bool{}
	for i, x := range e.Values {
		switch {
		case !legalName.MatchString(x.Name) || names[x.Name]:
			v.errorf(v.mod.Pos, "enum %s: %q: not a legal name, or there twice", e.Name, x.Name)
		case i > 0 && x.Value <= e.Values[i-1].Value:
			v.errorf(v.mod.Pos, "enum %s: %q is not in the order of values", e.Name, x.Name)
		case !masked([]uint64{x.Value}, e.Width):
			v.errorf(v.mod.Pos, "enum %s: %q is %d, which has no %d bits", e.Name, x.Name, x.Value, e.Width)
		default:
			v.label(e.Label(x.Value), []uint64{x.Value}, v.mod.Pos)
		}
		names[x.Name] = true
	}
}

var legalLabel = regexp.MustCompile(`^[A-Z][A-Z0-9_]*$`)

// label checks the name of a constant. The name has a single value in a module, but may have
// several widths.
func (v *verifier) label(label string, val []uint64, pos Pos) {
	_, text, _ := strings.Cut(ConstText(64*max(len(val), 1), val), "'")
	text = strings.TrimPrefix(text, "d")
	switch {
	case !legalLabel.MatchString(label):
		v.errorf(pos, "constant %q: not a legal name", label)
	case v.labels[label] != "" && v.labels[label] != text:
		v.errorf(pos, "constant %s is %s here and %s elsewhere", label, text, v.labels[label])
	}
	v.labels[label] = text
}
