package kernel

import (
	"fmt"
	"slices"
	"strings"
)

// fewest is the minimum number of lanes of a kernel.
const fewest = 4

// Verify returns an error if a kernel is invalid: operands that are computed later or of the wrong
// kind, or sizes that do not fit.
func (k *Kernel) Verify() error {
	if !slices.Contains([]int{8, 16, 32, 64}, k.Widest) || k.Lanes < fewest {
		return fmt.Errorf("kernel %s: %d lanes of %d bits", k.Name, k.Lanes, k.Widest)
	}
	if part := k.away(); part != "" && k.Groups > 0 {
		return fmt.Errorf("kernel %s: it reads %s, which is outside its state, and reports changes", k.Name, part)
	}
	if k.Round > 0 && (k.Groups > 0 || k.Lanes%k.Round != 0) {
		return fmt.Errorf("kernel %s: rounds of %d lanes, which do not divide its lanes, or which report changes", k.Name, k.Round)
	}
	sizes := map[int]int{}                       // of words by group
	part, within := make([]int, len(k.Insts)), 0 // beginning of the skippable part that contains each instruction; 0 for none
	for n, i := range k.Insts {
		switch {
		case i.Op == Begin && within == 0:
			within = n
		case i.Op == End && within > 0:
			within = 0
		case i.Op == Begin || i.Op == End:
			return fmt.Errorf("kernel %s: %%%d, %s: it has no other", k.Name, n, i.Op)
		}
		part[n] = within
		if problem := k.problem(n, i); problem != "" {
			return fmt.Errorf("kernel %s: %%%d, %s: %s", k.Name, n, i.Op, problem)
		}
		for _, a := range i.Args {
			if part[a] > 0 && part[a] != within {
				return fmt.Errorf("kernel %s: %%%d, %s: operand %%%d may have been left out", k.Name, n, i.Op, a)
			}
		}
		if i.Op != Store && i.Op != StoreWords || i.Group < 0 {
			continue
		}
		if size, ok := sizes[i.Group]; ok && size != i.Size {
			return fmt.Errorf("kernel %s: group %d has words of %d bits and of %d", k.Name, i.Group, size, i.Size)
		}
		sizes[i.Group] = i.Size
	}
	return nil
}

func (k *Kernel) problem(n int, i Inst) string {
	want, _, _ := strings.Cut(signatures[i.Op], ">")
	if (i.Op == Store || i.Op == StoreMask) && len(i.Args) == 2 {
		want += "m"
	}
	if i.Op == StoreWords {
		want = strings.Repeat("w", i.At.Size/64) + strings.Repeat("m", len(i.Args)-i.At.Size/64)
	}
	if i.Op == Parities {
		want = strings.Repeat("w", len(i.Args))
	}
	have := ""
	for _, a := range i.Args {
		switch {
		case a < 0 || int(a) >= n:
			return fmt.Sprintf("operand %%%d is not there yet", a)
		case !k.Insts[a].Op.result():
			return fmt.Sprintf("operand %%%d is nothing", a)
		case i.Op != Resize && i.Size > 0 && !k.Insts[a].Op.mask() && k.Insts[a].Size != i.Size:
			return fmt.Sprintf("operand %%%d has words of %d bits, expected %d", a, k.Insts[a].Size, i.Size)
		case k.Insts[a].Op.mask():
			have += "m"
		default:
			have += "w"
		}
	}
	switch {
	case i.At.Again && k.Round == 0:
		return "it begins again, without rounds"
	case have != want:
		return fmt.Sprintf("operands are %q, expected %q", have, want)
	case slices.Contains([]Op{Load, Pick, Splat, Gather, Store, Scatter}, i.Op) && (!slices.Contains([]int{8, 16, 32, 64}, i.At.Size) || i.At.Size > i.Size):
		return fmt.Sprintf("lanes of %d bits in memory", i.At.Size)
	case i.Op == Copy && !slices.Contains([]int{8, 16, 32}, i.At.Size) && (i.At.Size <= 0 || i.At.Size%64 != 0):
		return fmt.Sprintf("pieces of %d bits", i.At.Size)
	case i.Op == Copy && n < len(k.Insts)-1:
		return "it is not the last"
	case i.Op == StoreWords && len(i.Args) > i.At.Size/64+1:
		return "several masks"
	case i.Op == StoreWords && (i.Size != 64 || i.At.Size < 128):
		return fmt.Sprintf("%d words of %d bits", i.At.Size/64, i.Size)
	case slices.Contains([]Op{Gather, Copy, Scatter, LeadingZeros}, i.Op) && i.Size < 32, i.Size == 8 && slices.Contains([]Op{Mul, ShlBy, ShrBy, SarBy}, i.Op):
		return fmt.Sprintf("words of %d bits", i.Size)
	case slices.Contains([]Op{Table, Pick, PickMask}, i.Op) && len(i.Numbers) != k.Lanes:
		return fmt.Sprintf("%d numbers", len(i.Numbers))
	case (i.Op == Row || i.Op == StoreRow) && (i.Size != 64 || i.Imm >= RowWords):
		return fmt.Sprintf("word %d of rows, of %d bits", i.Imm, i.Size)
	case i.Op == Parities && (i.Size != 64 || len(i.Args) == 0 || len(i.Rows) == 0 || len(i.Rows) > 64):
		return fmt.Sprintf("%d parities of %d words of %d bits", len(i.Rows), len(i.Args), i.Size)
	case i.Op == Parities && slices.ContainsFunc(i.Rows, func(row []uint64) bool { return len(row) != len(i.Args) }):
		return "a row for other operands"
	case slices.Contains([]Op{Shl, Shr}, i.Op) && i.Imm >= uint64(i.Size):
		return fmt.Sprintf("shift by %d", i.Imm)
	}
	return ""
}
