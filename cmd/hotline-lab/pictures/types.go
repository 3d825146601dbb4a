package pictures

import (
	"reflect"
	"runtime"
	"strings"

	"github.com/hotline-rtl/hotline/host/ui/picture"
)

const module = "github.com/hotline-rtl/hotline/"

// goType is a Go type with its package.
type goType struct{ name, path string }

// typeOf returns the type of a pointer or of an interface.
func typeOf[T any]() goType {
	t := reflect.TypeFor[T]()
	return goType{t.String(), strings.TrimPrefix(t.PkgPath(), module)}
}

// box returns a box with the name of the type, its package, and more lines.
func (t goType) box(lines ...string) picture.Box {
	return picture.Box{Name: t.name, Lines: append([]string{t.path}, lines...)}
}

// methods lists the methods of an interface.
func methods[T any]() string {
	t := reflect.TypeFor[T]()
	var names []string
	for i := range t.NumMethod() {
		names = append(names, t.Method(i).Name)
	}
	return strings.Join(names, ", ")
}

// contract returns a box for an interface.
func contract[T any]() picture.Box {
	b := typeOf[T]().box(methods[T]())
	b.Dashed = true
	return b
}

// function returns the name of a function with its package, such as driver.Open or
// server.Server.Insert.
func function(f any) string {
	name := runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name()
	return strings.NewReplacer("(*", "", ")", "").Replace(name[strings.LastIndex(name, "/")+1:])
}
