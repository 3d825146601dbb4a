package hw

import (
	"fmt"
	"path"
	"reflect"
	"regexp"
	"strings"

	"github.com/hotline-rtl/hotline/hw/internal/snake"
	"github.com/hotline-rtl/hotline/hw/ir"
)

var identifier = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

// portName matches valid names in external Verilog.
var portName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)

const nameRule = "a name is lower-case words of letters and digits joined by single underscores"

// checkName reports names that some consumer of the design could not keep.
func (m *Module) checkName(kind, name string, pos ir.Pos) (ok bool) {
	legal, rule := identifier, nameRule
	if m.extern != nil {
		legal, rule = portName, "a name is letters, digits and underscores"
	}
	switch {
	case !legal.MatchString(name) && kind == "module":
		m.errorf(pos, "name", "%s %q: %s; give the generator a ModuleName", kind, name, nameRule)
	case !legal.MatchString(name):
		m.errorf(pos, "name", "%s %q: %s", kind, name, rule)
	case ir.Keyword(name):
		m.errorf(pos, "name", "%s %q is a keyword of Verilog, SystemVerilog or C++", kind, name)
	case len(m.ir.Domains) == 0 && m.extern == nil && (name == m.ir.Own.ClockName() || name == m.ir.Own.ResetName()):
		m.errorf(pos, "name", "%s %q: %s and %s are implicit", kind, name, m.ir.Own.ClockName(), m.ir.Own.ResetName())
	default:
		return true
	}
	return false
}

// baseName returns the name of the module that g describes, without its parameters. If the name of
// its type is a keyword, it begins with the package.
func baseName(g any) string {
	if n, ok := g.(Namer); ok {
		return n.ModuleName()
	}
	t := reflect.Indirect(reflect.ValueOf(g)).Type()
	name := snake.Case(plainName(t))
	if ir.Keyword(name) {
		return legal(path.Base(t.PkgPath())) + "_" + name
	}
	return name
}

// describe formats a parameter's value. Unlike %+v it prints no addresses, so that the text is the
// same in every run.
func describe(v reflect.Value) string {
	if v.IsValid() && v.Type().Implements(shapeType) {
		return shapeOf(v).String()
	}
	switch v.Kind() {
	case reflect.Struct:
		return describeAll(parameters(nil, v))
	case reflect.Array:
		parts := make([]string, v.Len())
		for i := range parts {
			parts[i] = describe(v.Index(i))
		}
		return "[" + strings.Join(parts, " ") + "]"
	case reflect.Interface:
		return describe(v.Elem())
	case reflect.Pointer, reflect.Func, reflect.Chan, reflect.Map, reflect.Slice, reflect.UnsafePointer, reflect.Invalid:
		return "?"
	}
	return fmt.Sprint(v)
}

func describeAll(params []param) string {
	var parts []string
	for _, p := range params {
		parts = append(parts, p.name+":"+describe(p.value))
	}
	return "{" + strings.Join(parts, " ") + "}"
}
