package kernel

import (
	"fmt"
	"slices"
	"strings"
)

// MostGroups is the maximum number of groups of changes. A kernel returns them in a word.
const MostGroups = 31

// groups returns the groups of the changes by some operations.
func (k *Kernel) groups(ops ...Op) (out []int) {
	for _, i := range k.Insts {
		if slices.Contains(ops, i.Op) && i.Group >= 0 && !slices.Contains(out, i.Group) {
			out = append(out, i.Group)
		}
	}
	return out
}

// unrolled is the maximum number of instructions of a kernel without a loop.
const unrolled = 120

// framed returns the instructions of all vectors, with the setup before them and the return of
// changes after them.
func (c *Code) framed(vectors string) string {
	b := &strings.Builder{}
	c.Size = c.Kernel.Widest
	for _, g := range c.totals {
		x, at := c.Sum(g)
		fmt.Fprintf(b, "\t%[1]s %[2]s, %[2]s, %[2]s\n", c.on.Xor, x)
		if at != "" {
			fmt.Fprintf(b, "\t%s %s, %s\n", c.on.Move, x, at)
		}
	}
	for i, g := range c.unions {
		if i < len(general) {
			fmt.Fprintf(b, "\tXORL %s, %s\n", c.Union(g), c.Union(g))
		} else {
			fmt.Fprintf(b, "\tMOVQ $0, %s\n", c.Union(g))
		}
	}
	copies := c.Kernel.copies()
	if copies {
		fmt.Fprintf(b, "\tXORL %s, %s\n", Counter, Counter)
	}
	if part := c.Kernel.away(); part != "" {
		fmt.Fprintf(b, "\tMOVQ Model_%s(AX), %s\n", part, away)
	}
	if c.Looped {
		fmt.Fprintf(b, "\tXORL CX, CX\n\tXORL DX, DX\n")
		if c.Kernel.Round > 0 {
			fmt.Fprintf(b, "%s:\n\tXORL %s, %s\n\tXORL %s, %s\n", c.Label("round"), again["CX"], again["CX"], again["DX"], again["DX"])
		}
		fmt.Fprintf(b, "%s:\n", c.Label("loop"))
	}
	b.WriteString(vectors)
	if c.Looped {
		fmt.Fprintf(b, "\tADDQ $%d, CX\n\tADDQ $%d, DX\n", c.Step, c.Step/8)
		from := "loop"
		if c.Kernel.Round > 0 {
			fmt.Fprintf(b, "\tADDQ $%d, %s\n\tADDQ $%d, %s\n\tCMPQ %[2]s, $%[5]d\n\tJLT %[6]s\n", c.Step, again["CX"], c.Step/8, again["DX"], c.Kernel.Round, c.Label("loop"))
			from = "round"
		}
		fmt.Fprintf(b, "\tCMPQ CX, $%d\n\tJLT %s\n", c.Kernel.Lanes, c.Label(from))
	}
	if copies {
		c.copying(b, c.Kernel.Insts[len(c.Kernel.Insts)-1])
	}
	b.WriteString("\tXORL AX, AX\n")
	flag := func(g int, r string) {
		fmt.Fprintf(b, "\tNEGQ %s\n\tSBBQ %s, %s\n\tANDL $%d, %s\n\tORL %s, AX\n", r, r, r, 1<<g, r, r)
	}
	for _, g := range c.totals {
		x, at := c.Sum(g)
		if at != "" {
			fmt.Fprintf(b, "\t%s %s, %s\n", c.on.Move, at, x)
		}
		fmt.Fprintf(b, c.on.Test, x)
		flag(g, "R9")
	}
	for _, g := range c.unions {
		fmt.Fprintf(b, "\tMOVQ %s, R9\n", c.Union(g))
		flag(g, "R9")
	}
	b.WriteString("\tMOVQ AX, ret+8(FP)\n\tVZEROUPPER\n\tRET\n")
	return b.String()
}

// block prints the instructions for one vector, with registers. It returns the number of bytes of
// stack that they need.
func (c *Code) block(b *strings.Builder, v int, sel Selector) int {
	c.code, c.kinds, c.of, c.loads = nil, nil, map[Value]Reg{}, map[Place][]int{}
	c.fixed = map[string]Reg{}
	sel.Begin()
	skip := c.Label(fmt.Sprintf("skip%d", v))
	if c.Kernel.Masked {
		fmt.Fprintf(b, "\t%s %s, R9\n", c.LoadBits(), c.Bits(c.Kernel.Mask))
		if c.Lanes < c.Step {
			fmt.Fprintf(b, "\tANDL $%#x, R9\n", c.ByteMask())
		}
		fmt.Fprintf(b, "\tTESTQ R9, R9\n\tJEQ %s\n", skip)
	}
	if part := c.Kernel.Next.Turns; part != "" {
		c.line(part)
	}
	for n, i := range c.Kernel.Insts {
		c.Size = c.Kernel.WordBits(i)
		sel.Select(Value(n), i)
	}
	text, frame := allocate(c.on, c.code, c.kinds, c.on.Registers-min(len(c.totals), c.on.Sums), c.taken()+c.pairBytes()+c.scratchBytes())
	b.WriteString(text)
	if c.Kernel.Masked {
		fmt.Fprintf(b, "%s:\n", skip)
	}
	return frame
}

// Sum returns the register that gathers the changes of words of a group. If the group is on the
// stack, it returns a temporary register and the address.
func (c *Code) Sum(g int) (register, stack string) {
	i := slices.Index(c.totals, g)
	if i < c.on.Sums {
		return fmt.Sprintf("%s%d", c.letter(), c.on.Registers-1-i), ""
	}
	return c.letter() + "0", fmt.Sprintf("%d(SP)", c.stacked()+(i-c.on.Sums)*c.on.Longest/8)
}

// stacked returns the size in bytes of the changes of masks on the stack. Changes of words follow.
func (c *Code) stacked() int { return 8 * max(0, len(c.unions)-len(general)) }

// taken returns the size in bytes of the changes of masks and words on the stack.
func (c *Code) taken() int { return c.stacked() + max(0, len(c.totals)-c.on.Sums)*c.on.Longest/8 }

// Scratch returns the offset on the stack of two vectors that the instructions of scatters and of rows may use.
func (c *Code) Scratch() int { return c.taken() + c.pairBytes() }

// scratchBytes returns the size of these vectors.
func (c *Code) scratchBytes() int {
	if !slices.ContainsFunc(c.Kernel.Insts, func(i Inst) bool { return slices.Contains([]Op{Scatter, Row, StoreRow}, i.Op) }) {
		return 0
	}
	return 2 * c.on.Longest / 8
}

// line fetches the cache line behind a part that this iteration is to fetch.
func (c *Code) line(part string) {
	at := fmt.Sprintf("%s__size+%d(%s)", part, 64*(c.First/c.Lanes), away)
	if c.Looped {
		at += fmt.Sprintf("(CX*%d)", 64/c.Lanes)
	}
	c.Effect("PREFETCHT1 " + at)
}

// general are the registers that gather changes of masks. Changes of further groups are on
// the stack. R15 is not among them: programs that are linked dynamically lose it at each
// use of a constant.
var general = []string{"BX", "SI", "DI", "R10", "R11", "R12"}

// Union returns the register, or memory, that gathers the changes of masks of a group.
func (c *Code) Union(g int) string {
	i := slices.Index(c.unions, g)
	if i < len(general) {
		return general[i]
	}
	return fmt.Sprintf("%d(SP)", 8*(i-len(general)))
}

// body is a kernel on a target: instructions from the model in AX to the return, and bytes of the stack.
type body struct {
	text  string
	frame int
}

// body returns k on a target.
func (a *Assembly) body(k *Kernel, on Target) (body, error) {
	c := &Code{Kernel: k, target: on, on: on.Features(), a: a, uses: make([]int, len(k.Insts))}
	for _, i := range k.Insts {
		for _, v := range i.Args {
			c.uses[v]++
		}
	}
	c.totals, c.unions = k.groups(Store, StoreWords), k.groups(StoreMask, Copy, Scatter)
	if len(c.totals) > c.on.Groups || k.Groups > MostGroups {
		return body{}, fmt.Errorf("kernel %s: %d groups of changes", k.Name, k.Groups)
	}
	for c.Width = c.on.Longest; k.Lanes*k.Widest%c.Width != 0; c.Width /= 2 {
		if c.Width == 128 {
			return body{}, fmt.Errorf("kernel %s: %d lanes of %d bits are not vectors", k.Name, k.Lanes, k.Widest)
		}
	}
	if k.mixed() && (!c.on.Mixed || c.Width < c.on.Longest) {
		return body{}, fmt.Errorf("kernel %s: words of several sizes, or scattered", k.Name)
	}
	c.Lanes = c.Width / k.Widest
	c.Step = max(c.Lanes, min(8, k.Lanes))
	if c.Lanes < c.Step && !c.on.Parts {
		return body{}, fmt.Errorf("kernel %s: %d lanes of %d bits are vectors of %d", k.Name, k.Lanes, k.Widest, c.Lanes)
	}
	vectors := k.Lanes / c.Lanes
	sel := on.Selector(c)
	c.Looped = k.Lanes > c.Step && k.Lanes%c.Step == 0 && (k.Round > 0 || vectors*len(k.Insts) > unrolled) && c.loops()
	if k.Round > 0 && !c.Looped {
		return body{}, fmt.Errorf("kernel %s: rounds of %d lanes are not a loop", k.Name, k.Round)
	}
	if vectors*len(k.Insts) > 10*unrolled && !c.Looped {
		return body{}, fmt.Errorf("kernel %s: %d vectors of %d instructions that differ", k.Name, vectors, len(k.Insts))
	}
	var text strings.Builder
	frame := 0
	for v := range vectors {
		c.First = v * c.Lanes
		n := c.block(&text, v, sel)
		frame = max(frame, n)
		if c.Looped && c.First+c.Lanes == c.Step {
			break
		}
	}
	if c.err != nil {
		return body{}, fmt.Errorf("kernel %s: %w", k.Name, c.err)
	}
	return body{c.framed(text.String()), frame}, nil
}
