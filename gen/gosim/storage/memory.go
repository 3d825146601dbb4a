package storage

import (
	"fmt"

	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// MemoryType returns the type of the storage of m.
func MemoryType(m *plan.Memory) string {
	t := ElemType(m.Width)
	if m.Width > 64 {
		t = fmt.Sprintf("[%d]uint64", ir.Words(m.Width))
	}
	switch {
	case m.Lanes == 1:
		return fmt.Sprintf("[%d]%s", m.Room, t)
	case m.Across():
		return fmt.Sprintf("[%d][%d]%s", m.Room, m.Lanes, t)
	}
	return fmt.Sprintf("[%d][%d]%s", m.Lanes, m.Room+m.Gap(), t)
}

// MemoryWord returns a word of a lane of m.
func MemoryWord(m *plan.Memory, lane, at *code.Expr) *code.Expr {
	cells := code.Name("s.m%d", m.ID)
	switch {
	case m.Lanes == 1:
		return cells.Index(at)
	case m.Across():
		return cells.Index(at).Index(Masked(lane, m.Lanes))
	}
	return cells.Index(Masked(lane, m.Lanes)).Index(at)
}

// WordType returns the type of the words of memories of a width.
func WordType(width int) string {
	if width > 64 {
		return "uint64"
	}
	return ElemType(width)
}
