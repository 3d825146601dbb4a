package regmap

import (
	"fmt"
	"strings"
)

// Define is a line of a C header. About is an optional comment.
type Define struct{ Name, Value, About string }

// String formats the line with an aligned value.
func (d Define) String() string {
	text := "#define " + d.Name
	text += strings.Repeat("\t", max(1, 6-len(text)/8)) + d.Value
	if d.About != "" {
		text += "\t/* " + d.About + " */"
	}
	return text
}

// Defines returns the definitions for bits high down to low of a word with the given number of
// bits: a mask for a single bit, otherwise a shift and a mask.
func Defines(name string, word, high, low int, about string) []Define {
	mask := fmt.Sprintf("0x%0*x", word/4, Field{High: high, Low: low}.mask()) + map[int]string{64: "ULL"}[word]
	if high == low {
		return []Define{{name, mask, about}}
	}
	return []Define{{name + "_SHIFT", fmt.Sprint(low), ""}, {name + "_MASK", mask, about}}
}

// Offsets returns the byte offsets of the words, in names that start with prefix. The macro of an
// array takes the index of an element.
func (m *Map) Offsets(prefix string) (list []Define) {
	for _, r := range m.Registers {
		for w := range r.Words {
			d := Define{Name: prefix + upper(r.wordName(w)), Value: fmt.Sprintf("0x%02x", r.At(0, w))}
			var about []string
			if r.Count > 0 {
				d.Name += "(n)"
				d.Value = fmt.Sprintf("(%s + %d * (n))", d.Value, WordBytes*r.Words)
				about = append(about, fmt.Sprintf("n < %d", r.Count))
			}
			if w == 0 && r.Doc != "" {
				about = append(about, r.Doc)
			}
			d.About = strings.Join(about, ": ")
			list = append(list, d)
		}
	}
	return list
}

// FieldBits returns the named fields of registers.
func (m *Map) FieldBits(prefix string) (list []Define) {
	for _, r := range m.Registers {
		for _, f := range r.Fields {
			if f.Name != "" {
				list = append(list, Defines(prefix+upper(r.Name+"_"+f.Name), WordBits*r.Words, f.High, f.Low, f.Doc)...)
			}
		}
	}
	return list
}

func upper(name string) string { return strings.ToUpper(name) }

// Header returns a C header. All its names start with the name of the map.
func (m *Map) Header() string {
	var b strings.Builder
	prefix := upper(m.Name) + "_"
	fmt.Fprintf(&b, "/* %s */\n#ifndef %sREGS_H\n#define %sREGS_H\n", m.Doc, prefix, prefix)
	fmt.Fprintf(&b, "\n/* Byte offsets of words of %d bits. */\n", WordBits)
	for _, d := range m.Offsets(prefix) {
		fmt.Fprintln(&b, d)
	}
	if fields := m.FieldBits(prefix); len(fields) > 0 {
		b.WriteString("\n/* Fields. */\n")
		for _, d := range fields {
			fmt.Fprintln(&b, d)
		}
	}
	fmt.Fprintf(&b, "\n#endif /* %sREGS_H */\n", prefix)
	return b.String()
}
