package kernel

import (
	"fmt"
	"slices"
	"strings"
)

// allocator assigns numbers to the registers of straight-line code. If no register is free, the one
// whose next use is last goes to the stack, or is recomputed if possible.
type allocator struct {
	code   []instr
	kinds  []string // letters of registers
	on     Features
	uses   [][]int
	made   []int // index of the instruction that sets a register
	number []int // -1 for a register without one
	slot   []int // offset on the stack; -1 for none
	holds  map[bool][]Reg
	kept   map[bool][]Reg // required contents of registers after a part that may be skipped
	frame  int
	b      strings.Builder
}

// allocate prints code with registers, given the number of registers for vectors. The first taken
// bytes of the stack are in use. The result includes the size of the stack.
func allocate(on Features, code []instr, kinds []string, vectors, taken int) (text string, frame int) {
	n := len(kinds)
	a := &allocator{code: code, kinds: kinds, on: on, frame: taken, uses: make([][]int, n), made: make([]int, n),
		number: slices.Repeat([]int{-1}, n), slot: slices.Repeat([]int{-1}, n), holds: map[bool][]Reg{}}
	for _, mask := range []bool{false, true} {
		size := vectors
		if mask {
			size = 8
		}
		a.holds[mask] = slices.Repeat([]Reg{NoReg}, size)
	}
	for at, i := range slices.Backward(code) {
		if i.def != NoReg && len(a.uses[i.def]) == 0 {
			continue // nothing needs it
		}
		for _, r := range i.uses {
			a.uses[r] = append(a.uses[r], at)
		}
		if i.def != NoReg {
			a.made[i.def] = at
		}
	}
	for _, uses := range a.uses {
		slices.Reverse(uses)
	}
	for n, i := range code {
		if i.until > 0 && a.next(i.def, i.until) < len(code) {
			code[n].pure = false
		}
	}
	for at, i := range code {
		if i.def == NoReg || len(a.uses[i.def]) > 0 {
			a.instr(at, i)
		}
	}
	return a.b.String(), a.frame
}

// mask reports whether r is a mask.
func (a *allocator) mask(r Reg) bool { return a.kinds[r] == masks }

// next returns the instruction after at that uses r.
func (a *allocator) next(r Reg, at int) int {
	uses := a.uses[r]
	if i, _ := slices.BinarySearch(uses, at+1); i < len(uses) {
		return uses[i]
	}
	return len(a.code)
}

func (a *allocator) instr(at int, i instr) {
	switch {
	case i.again():
		return // defined when needed
	case i.part == begins:
		a.begin(at)
	case i.part == ends:
		a.holds, a.kept = a.kept, nil
	}
	for _, r := range i.uses {
		a.ensure(r, at, i.uses)
	}
	for _, r := range i.uses {
		if a.next(r, at) == len(a.code) {
			a.release(r)
		}
	}
	if i.def != NoReg {
		a.define(at, i)
	}
	a.print(i)
}

// define assigns a number to the result of i. If i changes an operand in place, it gets the number
// of that operand, which must have no other use.
func (a *allocator) define(at int, i instr) {
	if i.tied {
		a.number[i.def] = a.number[i.uses[0]]
		a.holds[a.mask(i.def)][a.number[i.def]] = i.def
		return
	}
	a.take(i.def, at, nil)
}

// ensure brings r into a register, for instruction at, which also uses others.
func (a *allocator) ensure(r Reg, at int, others []Reg) {
	if a.number[r] >= 0 && a.holds[a.mask(r)][a.number[r]] == r {
		return
	}
	a.take(r, at-1, others)
	if a.slot[r] < 0 {
		again := a.code[a.made[r]]
		again.def = r
		a.print(again)
		return
	}
	if a.mask(r) {
		fmt.Fprintf(&a.b, "\tKMOVQ %d(SP), %s\n", a.slot[r], a.name(r, ""))
	} else {
		fmt.Fprintf(&a.b, "\t%s %d(SP), %s\n", a.on.Move, a.slot[r], a.name(r, a.on.Letter))
	}
}

// release frees the number of r.
func (a *allocator) release(r Reg) {
	list := a.holds[a.mask(r)]
	if list[a.number[r]] == r {
		list[a.number[r]] = NoReg
	}
}

// take finds a number for r that none of the other registers has.
func (a *allocator) take(r Reg, at int, others []Reg) {
	list, mask := a.holds[a.mask(r)], a.mask(r)
	first := 0
	if mask {
		first = 1 // cannot choose lanes
	}
	best := -1
	for n := first; n < len(list); n++ {
		if list[n] == NoReg {
			best = n
			break
		}
		if !slices.Contains(others, list[n]) && !a.keeps(mask, n) && (best < 0 || a.next(list[n], at) > a.next(list[best], at)) {
			best = n
		}
	}
	if old := list[best]; old != NoReg {
		a.spill(old)
	}
	list[best], a.number[r] = r, best
}

// begin ensures that registers have the same contents after a part of the code, whether or not it
// is skipped. Values that are needed later stay in place; the part uses other registers for
// everything else. Half of the registers are reserved for that.
func (a *allocator) begin(at int) {
	end := at + slices.IndexFunc(a.code[at:], func(i instr) bool { return i.part == ends })
	a.kept = map[bool][]Reg{}
	for _, mask := range []bool{false, true} {
		list := a.holds[mask]
		kept := slices.Repeat([]Reg{NoReg}, len(list))
		var held []int
		for n, r := range list {
			if r != NoReg && a.next(r, end) < len(a.code) {
				kept[n], held = r, append(held, n)
			}
		}
		slices.SortFunc(held, func(n, m int) int { return a.next(list[n], at) - a.next(list[m], at) })
		for _, n := range held[min(len(held), len(list)/2):] {
			a.spill(list[n])
			kept[n], list[n] = NoReg, NoReg
		}
		a.kept[mask] = kept
	}
}

// keeps reports whether a register must not be reassigned.
func (a *allocator) keeps(mask bool, n int) bool { return a.kept != nil && a.kept[mask][n] != NoReg }

// spill saves r on the stack, unless it can be recomputed or is already there.
func (a *allocator) spill(r Reg) {
	if a.code[a.made[r]].again() || a.slot[r] >= 0 {
		return
	}
	a.slot[r] = a.frame
	if a.mask(r) {
		a.frame += 8
		fmt.Fprintf(&a.b, "\tKMOVQ %s, %d(SP)\n", a.name(r, ""), a.slot[r])
	} else {
		a.frame += a.on.Longest / 8
		fmt.Fprintf(&a.b, "\t%s %s, %d(SP)\n", a.on.Move, a.name(r, a.on.Letter), a.slot[r])
	}
}

// name returns the name of r; letter is the one for vectors, or empty for the usual one.
func (a *allocator) name(r Reg, letter string) string {
	if letter == "" || a.mask(r) {
		letter = a.kinds[r]
	}
	return fmt.Sprintf("%s%d", letter, a.number[r])
}

// print prints i with the names of its registers.
func (a *allocator) print(i instr) {
	a.b.WriteByte('\t')
	for rest := i.text; rest != ""; {
		text, after, _ := strings.Cut(rest, "{")
		a.b.WriteString(text)
		if after != "" {
			var place string
			place, after, _ = strings.Cut(after, "}")
			which, letter, _ := strings.Cut(place, ":")
			r := i.def
			if which != "d" {
				r = i.uses[which[0]-'0']
			}
			a.b.WriteString(a.name(r, letter))
		}
		rest = after
	}
	a.b.WriteByte('\n')
}
