package enum

import (
	"cmp"
	"fmt"
	"math/bits"
	"regexp"
	"slices"
	"strings"
)

// Value is a type whose values have names.
type Value interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64
	Enum() Set
}

// Set is a list of named values. The zero Set has no values. Sets are comparable: a Set returned
// by New equals only itself.
type Set struct{ *set }

type set struct {
	name   string
	width  int
	hex    bool
	values []Named
	byName map[string]uint64
	named  map[uint64]string
}

// Named is a value and its name.
type Named struct {
	Value uint64
	Name  string
}

// Sequence returns a Set of the values 0, 1 and so on, as iota counts them.
func Sequence[T ~uint8 | ~uint16 | ~uint32 | ~uint64](name string, names ...string) Set {
	all := map[T]string{}
	for i, n := range names {
		all[T(i)] = n
	}
	return New(name, all)
}

// Option changes how a Set is stored and printed.
type Option func(*set)

// Width sets the number of bits of a value, if it should exceed the minimum for the largest value.
func Width(bits int) Option { return func(s *set) { s.width = bits } }

// Hex prints values in hexadecimal.
func Hex(s *set) { s.hex = true }

var mnemonic = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

// New returns a Set. Its name and the names of its values are lower-case words of letters and
// digits joined by single underscores. Names must be unique. New panics if the arguments are
// invalid.
func New[T ~uint8 | ~uint16 | ~uint32 | ~uint64](name string, names map[T]string, options ...Option) Set {
	s := &set{name: name, width: 1, byName: map[string]uint64{}, named: map[uint64]string{}}
	s.check(name)
	for v, n := range names {
		s.check(n)
		if other, taken := s.byName[n]; taken {
			panic(fmt.Sprintf("enum: %s: %d and %d have the name %q", name, min(other, uint64(v)), max(other, uint64(v)), n))
		}
		s.byName[n], s.named[uint64(v)] = uint64(v), n
		s.values = append(s.values, Named{uint64(v), n})
		s.width = max(s.width, bits.Len64(uint64(v)))
	}
	if len(names) == 0 {
		panic(fmt.Sprintf("enum: %s has no values", name))
	}
	slices.SortFunc(s.values, func(a, b Named) int { return cmp.Compare(a.Value, b.Value) })
	least := s.width
	for _, o := range options {
		o(s)
	}
	if s.width < least || s.width > 64 {
		panic(fmt.Sprintf("enum: %s: a width of %d, expected %d to 64", name, s.width, least))
	}
	return Set{s}
}

func (s *set) check(name string) {
	if !mnemonic.MatchString(name) {
		panic(fmt.Sprintf("enum: %s: name %q, expected lower-case words of letters and digits joined by single underscores", s.name, name))
	}
}

// Name returns the name of the set, which prefixes the names of its constants.
func (s Set) Name() string { return s.name }

// Width returns the number of bits of a value.
func (s Set) Width() int { return s.width }

// Hex reports whether values are printed in hexadecimal.
func (s Set) Hex() bool { return s.hex }

// Values returns all named values in ascending order.
func (s Set) Values() []Named { return slices.Clone(s.values) }

// Has reports whether v has a name.
func (s Set) Has(v uint64) bool {
	_, ok := s.named[v]
	return ok
}

// Text returns the name of v, or a text such as opcode(7) if v has no name.
func (s Set) Text(v uint64) string {
	if n, ok := s.named[v]; ok {
		return n
	}
	return fmt.Sprintf("%s(%d)", s.name, v)
}

// Parse returns the value of a name. The error lists the valid names.
func (s Set) Parse(name string) (uint64, error) {
	v, ok := s.byName[name]
	if !ok {
		return 0, fmt.Errorf("%q is not a value of %s; expected one of %s", name, s.name, s.List())
	}
	return v, nil
}

// List returns the names in the order of their values.
func (s Set) List() string {
	names := make([]string, len(s.values))
	for i, v := range s.values {
		names[i] = v.Name
	}
	return strings.Join(names, ", ")
}

func (s Set) String() string { return s.name + " {" + s.List() + "}" }
