package isa

import (
	"encoding/binary"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/bench"
)

// TestNamedFaultsAreNoticed inserts two typical faults: a phase bit that never changes, and an
// ignored CRC.
func TestNamedFaultsAreNoticed(t *testing.T) {
	for module, wire := range map[string]string{"completer": "phase", "isa": "intact"} {
		d, err := hw.Elaborate(Of(sizes[0].Params))
		require.NoError(t, err)
		require.NoError(t, checkRings(d, sizes[0].Params, 1, 0))
		require.Equal(t, 1, stick(d, module, wire), wire)
		require.Error(t, checkRings(d, sizes[0].Params, 1, 0), wire)
	}
}

// TestEachBitIsChecked tolerates one damaged bit at a time. checkDamage must detect each such
// fault.
func TestEachBitIsChecked(t *testing.T) {
	p := sizes[0].Params
	for _, bit := range []int{0, 31, 100, 479, 480, 511} {
		d, err := hw.Elaborate(Of(p))
		require.NoError(t, err)
		tolerate(t, d, bit)
		require.ErrorContains(t, checkDamage(d, p, 1), fmt.Sprintf("bit %d: ", bit))
	}
}

// tolerate makes the CRC check accept a command in which this bit is wrong.
func tolerate(t *testing.T, d *ir.Design, bit int) {
	whole, flipped := make([]byte, arch.CommandBytes), make([]byte, arch.CommandBytes)
	flipped[bit/8] ^= 1 << (bit % 8)
	syndrome := func(b []byte) uint32 {
		return arch.Checksum(b[:arch.CommandCRC]) ^ binary.LittleEndian.Uint32(b[arch.CommandCRC:])
	}
	differs := uint64(syndrome(whole) ^ syndrome(flipped))
	found := 0
	for _, m := range d.Modules {
		ir.WalkStmts(m.Body.Stmts, func(s ir.Stmt) {
			if a, ok := s.(*ir.Assign); ok && m.Name == "isa" && a.LHS.Sig.Name == "intact" {
				require.Equal(t, ir.Eq, a.RHS.Op)
				sums := &ir.Expr{Op: ir.Xor, Type: a.RHS.Args[0].Type, Args: a.RHS.Args, Pos: a.Pos}
				wrong := &ir.Expr{Op: ir.Const, Type: sums.Type, Val: []uint64{differs}, Pos: a.Pos}
				tolerated := &ir.Expr{Op: ir.Eq, Type: a.RHS.Type, Args: []*ir.Expr{sums, wrong}, Pos: a.Pos}
				a.RHS = &ir.Expr{Op: ir.Or, Type: a.RHS.Type, Args: []*ir.Expr{a.RHS, tolerated}, Pos: a.Pos}
				found++
			}
		})
	}
	require.Equal(t, 1, found)
}

// stick makes a 1-bit wire constant 1. It returns the number of assignments changed.
func stick(d *ir.Design, module, wire string) (n int) {
	for _, m := range d.Modules {
		ir.WalkStmts(m.Body.Stmts, func(s ir.Stmt) {
			if a, ok := s.(*ir.Assign); ok && m.Name == module && a.LHS.Sig.Name == wire {
				a.RHS = &ir.Expr{Op: ir.Const, Type: ir.Type{Width: 1}, Val: []uint64{1}, Pos: a.Pos}
				n++
			}
		})
	}
	return n
}

// blank is an empty module.
type blank struct{}

func (blank) Build(*hw.Module) struct{} { return struct{}{} }

// own matches the modules of this package.
var own = regexp.MustCompile(`^(isa|command_fetch|completer|control_registers)$`)

// TestFaultsAreNoticed inserts faults into the modules of this package one after the other. The
// checks must detect each fault that changes the behaviour.
func TestFaultsAreNoticed(t *testing.T) {
	p := sizes[0].Params
	d, err := hw.Elaborate(Of(p))
	require.NoError(t, err)
	some, err := hw.Elaborate(blank{})
	require.NoError(t, err)
	for _, m := range d.Modules {
		if own.MatchString(m.Name) {
			some.Modules = append(some.Modules, m)
		}
	}
	survivors, tried := bench.Survivors(some, func() error { return checkAll(d, p, 1) })
	// Harmless faults: the last state of an FSM may have any unused number; the maximum of two
	// equal numbers may be either.
	survivors = slices.DeleteFunc(survivors, func(s string) bool {
		return strings.HasPrefix(s, "leu for ltu") && strings.Contains(sourceLine(t, s), "ReadsInFlight.Most") || strings.HasPrefix(s, "constant off by one") && strings.Contains(sourceLine(t, s), `hw.FSM[struct{`)
	})
	require.Empty(t, survivors)
	require.Greater(t, tried, 100)
}

// checkAll runs all checks until one fails.
func checkAll(d *ir.Design, p arch.Params, seed uint64) error {
	checks := []func() error{func() error { return checkRings(d, p, seed, uint16(seed*0xaaaa)) }}
	for _, name := range []string{"full", "prefetch", "disable", "registers", "halt", "doorbell", "bases", "damage"} {
		checks = append(checks, func() error { return scenarios[name](d, p, seed) })
	}
	for _, check := range checks {
		if err := caught(check); err != nil {
			return err
		}
	}
	return nil
}

var position = regexp.MustCompile(` at (\w+\.go):(\d+)`)

// sourceLine returns the source line of a fault.
func sourceLine(t *testing.T, fault string) string {
	at := position.FindStringSubmatch(fault)
	require.NotNil(t, at, fault)
	text, err := os.ReadFile(at[1])
	require.NoError(t, err)
	n, err := strconv.Atoi(at[2])
	require.NoError(t, err)
	return strings.Split(string(text), "\n")[n-1]
}

// caught runs f and converts a panic into an error, because a fault may break the check itself.
func caught(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	return f()
}
