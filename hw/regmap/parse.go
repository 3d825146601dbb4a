package regmap

import (
	"fmt"
	"math/bits"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"github.com/hotline-rtl/hotline/hw/internal/snake"
)

// New returns the map that the struct T describes. The name consists of lower-case words of
// letters and digits joined by underscores. New panics if T is not valid.
func New[T any](name, doc string, options ...Option) *Map {
	p := &parser{Map: &Map{Name: name, Doc: doc, layout: layout(reflect.TypeFor[T]())}}
	if !identifier.MatchString(name) {
		p.errorf("", "the name does not consist of lower-case words of letters and digits joined by underscores")
	}
	p.registers(reflect.TypeFor[T]())
	for _, o := range options {
		o(p.Map)
	}
	if len(p.wrong) > 0 {
		panic("regmap: " + strings.Join(p.wrong, "\nregmap: "))
	}
	return p.Map
}

var identifier = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

// layout describes the parts of a struct that determine a map.
func layout(t reflect.Type) string {
	if !isGroup(t) {
		return ""
	}
	text := "{"
	for i := range t.NumField() {
		f := t.Field(i)
		typ := f.Type
		if typ.Kind() == reflect.Slice {
			typ = typ.Elem()
		}
		text += f.Name + " " + strconv.Quote(string(f.Tag)) + layout(typ) + ";"
	}
	return text + "}"
}

// isGroup reports whether t is a struct with register fields, as opposed to a value.
func isGroup(t reflect.Type) bool {
	if t.Kind() != reflect.Struct {
		return false
	}
	for i := range t.NumField() {
		if _, ok := t.Field(i).Tag.Lookup("reg"); ok {
			return true
		}
	}
	return false
}

// parser parses a struct and collects all its mistakes.
type parser struct {
	*Map
	wrong []string
}

func (p *parser) errorf(path, format string, args ...any) {
	if path != "" {
		path = "." + path
	}
	p.wrong = append(p.wrong, p.Name+path+": "+fmt.Sprintf(format, args...))
}

// tag is a parsed struct tag.
type tag struct {
	offset    int // -1 if not given
	access    Access
	high, low int
	reset     uint64
	length    int
	said      map[string]bool
}

// read parses a tag.
func (p *parser) read(path string, f reflect.StructField) tag {
	t := tag{offset: -1, high: WordBits - 1, said: map[string]bool{}}
	text, ok := f.Tag.Lookup("reg")
	if !ok {
		p.errorf(path, `no tag, expected one such as reg:"0x10,rw,15:0"`)
		return t
	}
	if !f.IsExported() {
		p.errorf(path, "not exported: reflection cannot set it")
	}
	if strings.ContainsAny(f.Tag.Get("doc"), "|\n") || strings.Contains(f.Tag.Get("doc"), "*/") {
		p.errorf(path, "| or */ or a new line in its doc, which is put into tables and comments")
	}
	for _, word := range strings.Split(text, ",") {
		if what := t.word(word); what == "" || t.said[what] {
			p.errorf(path, "%q in its tag is not one offset as 0x10, access (%s), bits as 15:0, reset= and len=", word, accesses.List())
		} else {
			t.said[what] = true
		}
	}
	return t
}

// word parses one word of the tag. It returns the kind of the word, or "" if the word is invalid.
func (t *tag) word(word string) string {
	if hex, ok := strings.CutPrefix(word, "0x"); ok {
		n, err := strconv.ParseUint(hex, 16, 31)
		t.offset = int(n)
		return known("offset", err)
	}
	if text, ok := strings.CutPrefix(word, "reset="); ok {
		n, err := strconv.ParseUint(text, 0, 64)
		t.reset = n
		return known("reset", err)
	}
	if text, ok := strings.CutPrefix(word, "len="); ok {
		n, err := strconv.ParseUint(text, 10, 16)
		t.length = int(n)
		return known("len", err)
	}
	if a, err := accesses.Parse(word); err == nil {
		t.access = Access(a)
		return "access"
	}
	high, low, several := strings.Cut(word, ":")
	h, err := strconv.ParseUint(high, 10, 8)
	t.high, t.low = int(h), int(h)
	if err == nil && several {
		h, err = strconv.ParseUint(low, 10, 8)
		t.low = int(h)
	}
	return known("bits", err)
}

func known(what string, err error) string {
	if err != nil {
		return ""
	}
	return what
}

// registers parses the fields of T.
func (p *parser) registers(t reflect.Type) {
	if !isGroup(t) {
		p.errorf("", "%s is not a struct with fields that have reg in their tags", t)
		return
	}
	for i := range t.NumField() {
		p.register(t.Field(i), i)
	}
	for i, r := range p.Registers {
		for _, o := range p.Registers[:i] {
			if r.Offset < o.At(o.Elements(), 0) && o.Offset < r.At(r.Elements(), 0) {
				p.errorf(r.GoName, "at %#02x, where %s is", r.Offset, o.GoName)
			}
		}
	}
	p.names()
}

// register parses a field of T.
func (p *parser) register(f reflect.StructField, i int) {
	t := p.read(f.Name, f)
	if t.offset < 0 {
		if len(t.said) > 0 {
			p.errorf(f.Name, "a register without an offset, as 0x10")
		}
		return
	}
	r := Register{Name: snake.Case(f.Name), GoName: f.Name, Doc: f.Tag.Get("doc"), Offset: t.offset, Words: 1, Count: t.length}
	typ := f.Type
	if t.offset%WordBytes != 0 {
		p.errorf(f.Name, "the offset %#02x is not a multiple of %d", t.offset, WordBytes)
	}
	if typ.Kind() == reflect.Slice {
		typ = typ.Elem()
	}
	if (f.Type.Kind() == reflect.Slice) != (t.length > 0) {
		p.errorf(f.Name, "a slice has len=, from 1 on, and nothing else has it")
	}
	if isGroup(typ) {
		if t.said["access"] || t.said["bits"] || t.said["reset"] {
			p.errorf(f.Name, "access, bits and reset= are for the fields of this register")
		}
		for k := range typ.NumField() {
			p.field(&r, typ.Field(k), []int{i, k})
		}
	} else {
		p.add(&r, Field{Access: t.access, High: t.high, Low: t.low, Reset: t.reset, path: []int{i}}, t, f.Name)
	}
	p.Registers = append(p.Registers, r)
}

// field parses a field of a register.
func (p *parser) field(r *Register, f reflect.StructField, path []int) {
	t := p.read(r.GoName+"."+f.Name, f)
	if t.said["offset"] || t.said["len"] {
		p.errorf(r.GoName+"."+f.Name, "an offset and len= are for registers, not for their fields")
	}
	if f.Type.Kind() == reflect.Slice || isGroup(f.Type) {
		p.errorf(r.GoName+"."+f.Name, "a field of a register is a value, not %s", f.Type)
	}
	p.add(r, Field{Name: snake.Case(f.Name), GoName: f.Name, Doc: f.Tag.Get("doc"), Access: t.access, High: t.high, Low: t.low, Reset: t.reset, path: path}, t, r.GoName+"."+f.Name)
}

// add checks a field and adds it to a register.
func (p *parser) add(r *Register, f Field, t tag, path string) {
	if !t.said["access"] {
		p.errorf(path, "no access; there are %s", accesses.List())
	}
	if f.Low > f.High || f.High >= 2*WordBits {
		p.errorf(path, "bits %d:%d, expected high:low, at most %d:0", f.High, f.Low, 2*WordBits-1)
		return
	}
	if f.High >= WordBits {
		r.Words = 2
		if f.Access == ReadClear {
			p.errorf(path, "bits above 31 cannot be %s", f.Access)
		}
	}
	switch {
	case bits.Len64(f.Reset) > f.Bits():
		p.errorf(path, "reset value %d does not fit in %d bits", f.Reset, f.Bits())
	case t.said["reset"] && !f.Access.Stores():
		p.errorf(path, "%s stores nothing that a reset could set", f.Access)
	}
	for _, o := range r.Fields {
		apart := f.Low > o.High || o.Low > f.High
		if !apart && (f.Access.Reads() && o.Access.Reads() || f.Access.Writes() && o.Access.Writes()) {
			p.errorf(path, "bits %d:%d overlap the bits of %s, and both are read or both written", f.High, f.Low, o.GoName)
		}
	}
	r.Fields = append(r.Fields, f)
}

// names reports fields that would have the same name in hardware.
func (p *parser) names() {
	taken := map[string]bool{}
	for _, r := range p.Registers {
		for _, f := range r.Fields {
			for i := range r.Elements() {
				name := signal(r, f, i)
				if taken[name] {
					p.errorf(r.GoName, "two fields are called %s", name)
				}
				taken[name] = true
			}
		}
	}
}
