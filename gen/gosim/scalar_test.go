package gosim_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// TestScalarDesigns compares random designs of single lanes with the interpreter: state machines
// with nested conditions, registers that read each other, memories and assertions.
func TestScalarDesigns(t *testing.T) {
	designs, derived, switched := map[string]*ir.Design{}, 0, 0
	for i, seed := range some(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23) {
		text := (&scalars{r: rand.New(rand.NewPCG(uint64(seed), 39))}).design()
		d, err := ir.Parse(fmt.Sprintf("seed %d", seed), text)
		require.NoError(t, err, text)
		p, err := plan.New(d, nil)
		require.NoError(t, err, text)
		require.True(t, p.Immediate, text)
		if len(p.Units) > 2 {
			derived++
		}
		if strings.Contains(p.String(), " for [") {
			switched++
		}
		designs[fmt.Sprintf("scalar%d", i)] = d
	}
	require.Greater(t, 4*derived, len(designs), "derived values")
	require.Greater(t, 4*switched, len(designs), "choices by a number")
	lockstep(t, designs, 400)
}

// scalars makes random designs of single lanes.
type scalars struct {
	r     *rand.Rand
	b     strings.Builder
	names []string
	width map[string]int
	regs  []string
}

func (s *scalars) f(format string, args ...any) { fmt.Fprintf(&s.b, format, args...) }

func (s *scalars) declare(kind, name string, width int, more string) {
	s.f("  %s %s : %d%s\n", kind, name, width, more)
	s.names = append(s.names, name)
	s.width[name] = width
}

func (s *scalars) design() string {
	s.width = map[string]int{}
	s.f("module top clock reset {\n")
	for i := range 4 {
		s.declare("input", fmt.Sprintf("in%d", i), []int{1, 1, 16, 40}[i], "")
	}
	s.f("  output q : 32\n  output p : 8\n")
	s.declare("reg", "state", 3, " reset 3'd0")
	s.regs = append(s.regs, "state")
	for i := range 10 + s.r.IntN(10) {
		name, w, reset := fmt.Sprintf("r%d", i), []int{1, 1, 1, 4, 8, 16, 32, 64, 70, 150}[s.r.IntN(10)], ""
		if s.r.IntN(2) == 0 {
			reset = fmt.Sprintf(" reset %d'd%d", w, s.r.IntN(2))
		}
		s.declare("reg", name, w, reset)
		s.regs = append(s.regs, name)
	}
	s.f("  mem cells : 16x20\n")
	for _, name := range s.regs[1:] {
		s.f("  when %s {\n    %s = %s\n  }\n", s.condition(), name, s.expr(s.width[name], 2))
	}
	for range 2 {
		s.block("  ", 3)
	}
	s.f("  state = add(state, %s)\n", s.expr(3, 1))
	for range 2 {
		s.f("  when %s {\n    cells[%s] = %s\n  }\n", s.expr(1, 2), s.expr(4, 1), s.expr(20, 2))
	}
	s.f("  q = %s\n  p = %s\n  assert or(%[3]s, not(%[3]s)) \"holds\"\n}\n", s.expr(32, 3), s.expr(8, 2), s.condition())
	return s.b.String()
}

// block writes statements.
func (s *scalars) block(indent string, depth int) {
	for range 1 + s.r.IntN(4) {
		switch k := s.r.IntN(5); {
		case depth > 0 && k < 2:
			s.f("%swhen %s {\n", indent, s.condition())
			s.block(indent+"  ", depth-1)
			if k == 0 {
				s.f("%s} else {\n", indent)
				s.block(indent+"  ", depth-1)
			}
			s.f("%s}\n", indent)
		case depth > 0 && k == 2:
			s.f("%sswitch state {\n", indent)
			for i := range 5 {
				s.f("%s  case 3'd%d {\n", indent, i)
				s.block(indent+"    ", depth-2)
				s.f("%s  }\n", indent)
			}
			s.f("%s}\n", indent)
		default:
			name := s.regs[s.r.IntN(len(s.regs))]
			s.f("%s%s = %s\n", indent, name, s.expr(s.width[name], 2))
		}
	}
}

func (s *scalars) condition() string {
	if s.r.IntN(2) == 0 {
		return fmt.Sprintf("eq(state, 3'd%d)", s.r.IntN(8))
	}
	return s.expr(1, 2)
}

// expr returns an expression of a width.
func (s *scalars) expr(width, depth int) string {
	if depth == 0 || s.r.IntN(8) == 0 {
		return s.leaf(width)
	}
	sub := func(w int) string { return s.expr(w, depth-1) }
	other := []int{1, 3, 8, 16, 33, 64, 100}[s.r.IntN(7)]
	switch k := s.r.IntN(12); {
	case k < 3:
		return fmt.Sprintf("mux(%s, %s, %s)", s.condition(), sub(width), sub(width))
	case k < 5:
		return fmt.Sprintf("%s(%s, %s)", []string{"and", "or", "xor"}[s.r.IntN(3)], sub(width), sub(width))
	case k == 5:
		return fmt.Sprintf("not(%s)", sub(width))
	case k == 6 && width == 1:
		return fmt.Sprintf("%s(%s, %d'd%d)", []string{"eq", "ne"}[s.r.IntN(2)], s.concat(other, depth-1), other, s.r.IntN(2))
	case k < 9 && width == 1:
		return fmt.Sprintf("%s(%s, %s)", []string{"eq", "ne", "ltu", "lts"}[s.r.IntN(4)], sub(other), sub(other))
	case k == 9 && width == 20:
		return fmt.Sprintf("cells[%s]", sub(4))
	case k < 9:
		return fmt.Sprintf("%s(%s, %s)", []string{"add", "sub", "mul"}[s.r.IntN(3)], sub(width), sub(width))
	}
	return s.concat(width, depth-1)
}

// concat returns a concatenation of bits and words.
func (s *scalars) concat(width, depth int) string {
	var parts []string
	for width > 0 {
		w := min(width, []int{1, 1, 1, 8, 40}[s.r.IntN(5)])
		parts = append(parts, s.expr(w, max(0, depth-1)))
		width -= w
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return "concat(" + strings.Join(parts, ", ") + ")"
}

// leaf returns a part of a signal, or a constant.
func (s *scalars) leaf(width int) string {
	name := s.names[s.r.IntN(len(s.names))]
	w := s.width[name]
	switch {
	case s.r.IntN(6) == 0:
		return fmt.Sprintf("%d'd%d", width, s.r.IntN(2))
	case w == width:
		return name
	case w < width:
		return fmt.Sprintf("zext:%d(%s)", width, name)
	}
	lo := s.r.IntN(w - width + 1)
	return fmt.Sprintf("%s[%d:%d]", name, lo+width-1, lo)
}
