package regmap

import (
	"fmt"
	"strings"
)

// Markdown returns a table of the registers with the hexadecimal offsets of their words, name,
// access, purpose and fields.
func (m *Map) Markdown() string {
	var b strings.Builder
	b.WriteString("| offset | name | access | |\n|---|---|---|---|\n")
	for _, r := range m.Registers {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", r.offsets(), r.title(), r.access(), r.text())
	}
	return b.String()
}

func (r Register) offsets() string {
	var list []string
	for w := range r.Words {
		text := fmt.Sprintf("%02X", r.At(0, w))
		if r.Count > 0 {
			text += fmt.Sprintf(" + %X·n", WordBytes*r.Words)
		}
		list = append(list, text)
	}
	return strings.Join(list, ", ")
}

func (r Register) title() string {
	if r.Count > 0 {
		return fmt.Sprintf("`%s[n]`, n < %d", r.Name, r.Count)
	}
	return "`" + r.Name + "`"
}

// access returns the common access of all fields, or the combined access of different fields.
func (r Register) access() string {
	reads, writes, same := false, false, true
	for _, f := range r.Fields {
		reads, writes, same = reads || f.Access.Reads(), writes || f.Access.Writes(), same && f.Access == r.Fields[0].Access
	}
	switch {
	case same:
		return r.Fields[0].Access.String()
	case !writes:
		return ReadOnly.String()
	case !reads:
		return WriteOnly.String()
	}
	return ReadWrite.String()
}

// text describes the purpose of a register and its fields.
func (r Register) text() string {
	var list []string
	for _, f := range r.Fields {
		about := []string{f.bits()}
		if f.Access.String() != r.access() {
			about = append(about, f.Access.String())
		}
		if f.Reset != 0 {
			about = append(about, fmt.Sprintf("%d after a reset", f.Reset))
		}
		text := fmt.Sprintf("(%s)", strings.Join(about, ", "))
		switch {
		case f.Name != "":
			text = strings.TrimSpace(fmt.Sprintf("`%s` %s %s", f.Name, text, f.Doc))
		case text == fmt.Sprintf("(%d:0)", WordBits-1):
			continue
		}
		list = append(list, text)
	}
	fields := strings.Join(list, "; ")
	switch {
	case fields == "":
		return r.Doc
	case r.Doc == "":
		return fields
	case r.Fields[0].Name == "":
		return r.Doc + " " + fields
	}
	return r.Doc + ": " + fields
}

func (f Field) bits() string {
	if f.High == f.Low {
		return fmt.Sprint(f.Low)
	}
	return fmt.Sprintf("%d:%d", f.High, f.Low)
}
