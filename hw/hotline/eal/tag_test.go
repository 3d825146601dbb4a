package eal

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// lookUpNeighbours learns a row and looks up the keys that differ from its key in one bit of tag,
// set or bank. None of them may hit. The bench compares each answer with the reference.
func lookUpNeighbours(t *testing.T, d *ir.Design, p arch.Params) error {
	b := newBench(t, d, p, 1)
	require.NoError(t, b.reset(t))
	key := Place{Bank: 1, Set: 2, Tag: 0x0aaa & (1<<p.TagBits - 1)}.Key(p)
	learned, asked := make([][]uint32, p.Engines), make([][]uint32, p.Engines)
	learned[0] = []uint32{key}
	for bit := range p.TagBits + p.SetBits() + p.BankBits() {
		asked[0] = append(asked[0], key^1<<bit, key)
	}
	if err := b.run(true, learned, 8); err != nil {
		return err
	}
	return b.run(false, asked, 8)
}

// ignoring returns an EAL whose banks ignore one bit of the tag.
func ignoring(t *testing.T, p arch.Params, bit int) *ir.Design {
	d, err := hw.Elaborate(Of(p))
	require.NoError(t, err)
	spoilt := 0
	for _, m := range d.Modules {
		ir.WalkStmts(m.Body.Stmts, func(s ir.Stmt) {
			a, ok := s.(*ir.Assign)
			if ok && strings.HasPrefix(m.Name, "eal_bank") && a.LHS.Sig.Name == "found" {
				same := a.RHS.Args[0]
				require.Equal(t, ir.EqLanes, same.Op)
				tag := same.Args[1]
				flip := &ir.Expr{Op: ir.Const, Type: tag.Type, Val: []uint64{1 << bit}, Pos: a.Pos}
				other := &ir.Expr{Op: ir.Xor, Type: tag.Type, Args: []*ir.Expr{tag, flip}, Pos: a.Pos}
				like := &ir.Expr{Op: ir.EqLanes, Type: same.Type, Args: []*ir.Expr{same.Args[0], other}, Pos: a.Pos}
				a.RHS.Args[0] = &ir.Expr{Op: ir.Or, Type: same.Type, Args: []*ir.Expr{same, like}, Pos: a.Pos}
				spoilt++
			}
		})
	}
	require.Equal(t, 1, spoilt)
	return d
}

// TestEachBitOfATag: all bits of the tag are compared. The test detects a bank that ignores any of
// them.
func TestEachBitOfATag(t *testing.T) {
	p := arch.Small()
	d, err := hw.Elaborate(Of(p))
	require.NoError(t, err)
	require.NoError(t, lookUpNeighbours(t, d, p))
	for bit := range p.TagBits {
		t.Run(fmt.Sprint(bit), func(t *testing.T) {
			require.Error(t, lookUpNeighbours(t, ignoring(t, p, bit), p))
		})
	}
}
