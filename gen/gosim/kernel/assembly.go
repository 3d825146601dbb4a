package kernel

import (
	"fmt"
	"slices"
	"strings"
)

// Assembly collects kernels for a file of Go assembly.
type Assembly struct {
	text   []string // of functions
	consts []uint64
	tables [][]byte
	known  map[string]int // tables by content
}

// Invalid is the error for a kernel that Verify rejects, which is a mistake of its maker.
type Invalid struct{ error }

// NewAssembly returns a file without kernels.
func NewAssembly() *Assembly { return &Assembly{known: map[string]int{}} }

// constant returns the memory operand of 64 bits with x in each word of size bits.
func (a *Assembly) constant(x uint64, size int) string {
	for s := size; s < 64; s *= 2 {
		x |= x << s
	}
	i := slices.Index(a.consts, x)
	if i < 0 {
		i = len(a.consts)
		a.consts = append(a.consts, x)
	}
	return fmt.Sprintf("constants<>+%d(SB)", 8*i)
}

// tableAt returns the memory operand at an offset among the tables.
func tableAt(offset int) string { return fmt.Sprintf("tables<>+%d(SB)", offset) }

// table returns the offset of bytes among the tables. A table longer than half a cache line starts
// a new line.
func (a *Assembly) table(bytes []byte) int {
	for len(bytes)%32 != 0 {
		bytes = append(bytes, 0)
	}
	if known, ok := a.known[string(bytes)]; ok {
		return known
	}
	at := 0
	for _, t := range a.tables {
		at += len(t)
	}
	if len(bytes) > 32 && at%64 != 0 {
		a.tables = append(a.tables, make([]byte, 32))
		at += 32
	}
	a.tables = append(a.tables, bytes)
	a.known[string(bytes)] = at
	return at
}

// Add appends kernels as functions. Each function computes with the best of the targets that the
// level of the model includes. Add returns the targets that support all of the kernels, in the
// order of targets, which must list the best first. If there is none, Add appends nothing, and the
// error states what the last target lacks. The error is Invalid for a kernel that Verify rejects.
func (a *Assembly) Add(targets []Target, kernels ...*Kernel) ([]Target, error) {
	var have []Target
	for _, k := range kernels {
		if k.Lanes < fewest {
			return nil, fmt.Errorf("kernel %s: %d lanes are not a vector", k.Name, k.Lanes)
		}
		if err := k.Verify(); err != nil {
			return nil, &Invalid{fmt.Errorf("%s: %w", k.Doc, err)}
		}
	}
	var failed error
	functions := make([][]body, len(kernels)) // a body for each target
	for _, on := range targets {
		bodies, err := a.bodies(on, kernels)
		if err != nil {
			failed = err
			continue
		}
		have = append(have, on)
		for i, b := range bodies {
			functions[i] = append(functions[i], b)
		}
	}
	if len(have) == 0 {
		return nil, failed
	}
	for i, k := range kernels {
		a.text = append(a.text, k.function(have, functions[i]))
	}
	return have, nil
}

// bodies returns the bodies of kernels for a target, or the first error. After an error, a is
// unchanged.
func (a *Assembly) bodies(on Target, kernels []*Kernel) (out []body, err error) {
	consts, tables := len(a.consts), len(a.tables)
	for _, k := range kernels {
		b, err := a.body(k, on)
		if err != nil {
			for _, t := range a.tables[tables:] {
				delete(a.known, string(t))
			}
			a.consts, a.tables = a.consts[:consts], a.tables[:tables]
			return nil, err
		}
		out = append(out, b)
	}
	return out, nil
}

// function returns k as a function with a body for each target, the best first.
func (k *Kernel) function(targets []Target, bodies []body) string {
	var b strings.Builder
	frame := 0
	for _, x := range bodies {
		frame = max(frame, x.frame)
	}
	fmt.Fprintf(&b, "\n// %s\nTEXT ·%s(SB), 0, $%d-16\n\tMOVQ s+0(FP), AX\n", k.Doc, k.Name, frame)
	for i, x := range bodies {
		if i > 0 {
			fmt.Fprintf(&b, "%s:\n", targets[i].Name())
		}
		if i < len(bodies)-1 {
			fmt.Fprintf(&b, "\tCMPB Model_level(AX), $const_%s\n\tJLT %s\n", Level(targets[i]), targets[i+1].Name())
		}
		b.WriteString(x.text)
	}
	return b.String()
}

// String returns the file.
func (a *Assembly) String() string {
	var b strings.Builder
	b.WriteString("#include \"go_asm.h\"\n#include \"textflag.h\"\n")
	b.WriteString(strings.Join(a.text, ""))
	for i, x := range a.consts {
		fmt.Fprintf(&b, "\nDATA constants<>+%d(SB)/8, $%#x", 8*i, x)
	}
	if len(a.consts) > 0 {
		fmt.Fprintf(&b, "\nGLOBL constants<>(SB), RODATA|NOPTR, $%d\n", 8*len(a.consts))
	}
	at := 0
	for _, t := range a.tables {
		for i := 0; i < len(t); i += 8 {
			x := uint64(0)
			for k, c := range t[i : i+8] {
				x |= uint64(c) << (8 * k)
			}
			fmt.Fprintf(&b, "\nDATA tables<>+%d(SB)/8, $%#x", at, x)
			at += 8
		}
	}
	if at > 0 {
		fmt.Fprintf(&b, "\nGLOBL tables<>(SB), RODATA|NOPTR, $%d\n", at)
	}
	return b.String()
}
