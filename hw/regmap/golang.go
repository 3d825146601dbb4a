package regmap

import (
	"fmt"
	"go/format"
	"strings"
)

// Go returns a Go file of package pkg with constants for the registers. The byte offset of a word
// has the prefix and the name of the register, for example CSRSQTail. The offset of an array is
// the offset of its first element. The lowest bit of a named field has the suffix Bit if the field
// has one bit, else Low, for example ControlResetBit and Caps1TagsLow.
func (m *Map) Go(pkg, prefix string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "// Code generated from the register map %s; DO NOT EDIT.\n\npackage %s\n", m.Name, pkg)
	fmt.Fprintf(&b, "\n// Byte offsets of registers. %s\nconst (\n", m.Doc)
	for _, r := range m.Registers {
		for w := range r.Words {
			name := r.GoName
			if r.Words == 2 {
				name += [2]string{"Lo", "Hi"}[w]
			}
			fmt.Fprintf(&b, "%s%s = 0x%02X\n", prefix, name, r.At(0, w))
		}
	}
	b.WriteString(")\n")
	if fields := m.goFields(); fields != "" {
		fmt.Fprintf(&b, "\n// Lowest bits of fields.\nconst (\n%s)\n", fields)
	}
	text, err := format.Source([]byte(b.String()))
	if err != nil {
		panic(fmt.Sprintf("regmap: %s: %v", m.Name, err)) // a map's names are valid in Go
	}
	return string(text)
}

func (m *Map) goFields() string {
	var b strings.Builder
	for _, r := range m.Registers {
		for _, f := range r.Fields {
			if f.Name != "" {
				fmt.Fprintf(&b, "%s%s%s = %d\n", r.GoName, f.GoName, map[bool]string{true: "Bit", false: "Low"}[f.High == f.Low], f.Low)
			}
		}
	}
	return b.String()
}
