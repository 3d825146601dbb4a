package ram_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/lib/ram"
	"github.com/hotline-rtl/hotline/sim/bench"
)

// checkRAM clears a memory, then compares random accesses with a Go slice.
func checkRAM(d *ir.Design, depth, width int) error {
	b, err := bench.New(d, 1)
	if err != nil {
		return err
	}
	en, we, addr, wdata, rdata := b.Pin("en"), b.Pin("we"), b.Pin("addr"), b.Pin("wdata"), b.Pin("rdata")
	mem := make([]uint64, depth)
	en.Set(1)
	we.Set(1)
	for at := range mem {
		addr.Set(uint64(at))
		if err := b.Sim.Step(); err != nil {
			return err
		}
	}
	we.Set(0)
	if err := b.Sim.Step(); err != nil {
		return err
	}
	var word uint64
	for range 20*depth + 100 {
		on, write, at, data := b.Rand.IntN(4) > 0, b.Rand.IntN(2) > 0, b.Rand.IntN(depth), b.Rand.Uint64()>>(64-width)
		en.SetBool(on)
		we.SetBool(write)
		addr.Set(uint64(at))
		wdata.Set(data)
		if rdata.Get() != word {
			return fmt.Errorf("cycle %d: read %x, want %x", b.Sim.Cycle(), rdata.Get(), word)
		}
		switch {
		case on && write:
			mem[at] = data
		case on:
			word = mem[at]
		}
		if err := b.Sim.Step(); err != nil {
			return err
		}
	}
	return nil
}

// checkDual compares accesses on both ports of a SimpleDual with a Go slice.
func checkDual(d *ir.Design, depth, width int) error {
	b, err := bench.New(d, 1)
	if err != nil {
		return err
	}
	we, waddr, wdata := b.Pin("we"), b.Pin("waddr"), b.Pin("wdata")
	re, raddr, rdata := b.Pin("re"), b.Pin("raddr"), b.Pin("rdata")
	mem := make([]uint64, depth)
	we.Set(1)
	for at := range mem {
		waddr.Set(uint64(at))
		if err := b.Sim.Step(); err != nil {
			return err
		}
	}
	re.Set(1)
	if err := b.Sim.Step(); err != nil {
		return err
	}
	var word uint64
	for range 20*depth + 100 {
		write, read := b.Rand.IntN(2) > 0, b.Rand.IntN(2) > 0
		to, from, data := b.Rand.IntN(depth), b.Rand.IntN(depth), b.Rand.Uint64()>>(64-width)
		if b.Rand.IntN(4) == 0 {
			from = to
		}
		we.SetBool(write)
		waddr.Set(uint64(to))
		wdata.Set(data)
		re.SetBool(read)
		raddr.Set(uint64(from))
		if rdata.Get() != word {
			return fmt.Errorf("cycle %d: read %x, want %x", b.Sim.Cycle(), rdata.Get(), word)
		}
		if read {
			word = mem[from]
		}
		if write {
			mem[to] = data
		}
		if err := b.Sim.Step(); err != nil {
			return err
		}
	}
	return nil
}

func TestAgainstModel(t *testing.T) {
	for _, depth := range []int{1, 2, 3, 16, 100} {
		for _, width := range []int{1, 16, 64} {
			d, err := hw.Elaborate(ram.RAM[hw.Bits]{Of: hw.Width(width), Depth: depth, Style: "block"})
			require.NoError(t, err)
			require.NoError(t, checkRAM(d, depth, width), d.Top.Name)
			d, err = hw.Elaborate(ram.SimpleDual[hw.Bits]{Of: hw.Width(width), Depth: depth})
			require.NoError(t, err)
			require.NoError(t, checkDual(d, depth, width), d.Top.Name)
		}
	}
}

func TestFaultsAreCaught(t *testing.T) {
	d, err := hw.Elaborate(ram.RAM[hw.Bits]{Of: hw.Width(8), Depth: 16})
	require.NoError(t, err)
	survivors, tried := bench.Survivors(d, func() error { return checkRAM(d, 16, 8) })
	require.Empty(t, survivors)
	require.Greater(t, tried, 2)
	d, err = hw.Elaborate(ram.SimpleDual[hw.Bits]{Of: hw.Width(8), Depth: 16})
	require.NoError(t, err)
	survivors, tried = bench.Survivors(d, func() error { return checkDual(d, 16, 8) })
	require.Empty(t, survivors)
	require.Greater(t, tried, 2)
}

func TestRejectsStyle(t *testing.T) {
	_, err := hw.Elaborate(ram.RAM[hw.Bits]{Of: hw.Width(8), Depth: 16, Style: "huge"})
	require.ErrorContains(t, err, `style is "huge"; expected block, ultra, distributed or nothing`)
}
