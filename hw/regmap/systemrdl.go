package regmap

import (
	"fmt"
	"slices"
	"strings"
)

// SystemRDL returns the map in SystemRDL 2.0.
func (m *Map) SystemRDL() string {
	var b strings.Builder
	fmt.Fprintf(&b, "addrmap %s {\n%s", escape(m.Name), property("  ", "desc", m.Doc))
	fmt.Fprintf(&b, "  default regwidth = %d;\n  default accesswidth = %d;\n", WordBits, WordBits)
	for _, r := range m.Registers {
		fmt.Fprintf(&b, "\n  reg {\n%s", property("    ", "desc", r.Doc))
		if r.Words > 1 {
			fmt.Fprintf(&b, "    regwidth = %d;\n", WordBits*r.Words)
		}
		for _, f := range r.Fields {
			b.WriteString(f.systemRDL())
		}
		array := ""
		if r.Count > 0 {
			array = fmt.Sprintf("[%d]", r.Count)
		}
		fmt.Fprintf(&b, "  } %s%s @ 0x%02x;\n", escape(r.Name), array, r.Offset)
	}
	b.WriteString("};\n")
	return b.String()
}

func (f Field) systemRDL() string {
	name := f.Name
	if name == "" {
		name = "value"
	}
	reset := ""
	if f.Access.Stores() || f.Access == Pulse {
		reset = fmt.Sprintf(" = %d'h%x", f.Bits(), f.Reset)
	}
	text := fmt.Sprintf("    field {\n%s", property("      ", "desc", f.Doc))
	for _, p := range f.properties() {
		text += "      " + p + ";\n"
	}
	return text + fmt.Sprintf("    } %s[%d:%d]%s;\n", escape(name), f.High, f.Low, reset)
}

// properties returns the software and hardware access properties. The standard defines single
// pulses only for one bit.
func (f Field) properties() []string {
	switch f.Access {
	case ReadOnly:
		return []string{"sw = r", "hw = w"}
	case WriteOnly:
		return []string{"sw = w", "hw = rw"}
	case Count:
		return []string{"sw = r", "hw = rw"}
	case ReadClear:
		return []string{"sw = r", "hw = rw", "onread = rclr"}
	case OneClears:
		return []string{"sw = rw", "hw = rw", "onwrite = woclr"}
	case OneSets:
		return []string{"sw = rw", "hw = rw", "onwrite = woset"}
	case Pulse:
		if f.High == f.Low {
			return []string{"sw = w", "hw = r", "singlepulse"}
		}
		return []string{"sw = w", "hw = r"}
	}
	return []string{"sw = rw", "hw = rw"}
}

// property returns a line with a text property, or "" if the text is empty.
func property(indent, name, text string) string {
	if text == "" {
		return ""
	}
	return fmt.Sprintf("%s%s = \"%s\";\n", indent, name, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text))
}

// escape escapes a name that is a keyword.
func escape(name string) string {
	if slices.Contains(keywords, name) {
		return `\` + name
	}
	return name
}

// keywords are the keywords of SystemRDL 2.0 that are also valid names.
var keywords = strings.Fields(`
abstract accesstype addressingtype addrmap alias all bit boolean bothedge compact component componentwidth constraint
default encode enum external false field fullalign hw inside internal level longint mem na negedge nonsticky number
onreadtype onwritetype posedge property r rclr ref reg regalign regfile rset ruser rw rw1 signal string struct sw this
true type unsigned w w1 wclr woclr woset wot wr wset wuser wzc wzs wzt
`)
