package rv32i_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/examples/rv32i"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/hwtest"
)

// play runs a program to its end and updates its memory.
func play(s sim.Simulator, m *memory, limit int) error {
	tb := sim.Bind[rv32i.Ports](s, rv32i.Core{})
	for range limit {
		if tb.Halted.Peek() == 1 {
			return nil
		}
		at, bytes, data := uint32(tb.Memory.Address.Peek()), tb.Memory.Write.Peek(), uint32(tb.Memory.Data.Peek())
		tb.Memory.Word.Poke(uint64(m.word(at)))
		for k := range uint32(4) {
			if bytes>>k&1 == 1 {
				m[at&0xffc+k] = byte(data >> (8 * k))
			}
		}
		if err := s.Step(); err != nil {
			return err
		}
	}
	return fmt.Errorf("the program has not halted")
}

// run executes a program on the core and on the reference, and compares their memories.
func run(program []uint32) hwtest.Drive {
	return func(s sim.Simulator) error {
		c := reference{}
		for k := range c.memory { // nonzero data for loads
			c.memory[k] = byte(k * 167)
		}
		for n := range 64 { // the sieve needs zeros
			c.memory[0x200+n] = 0
		}
		for n, w := range program {
			c.set(uint32(4*n), w)
		}
		m := c.memory
		for !c.halted {
			c.step()
		}
		if err := play(s, &m, 5000); err != nil {
			return err
		}
		for at := uint32(0); at < uint32(len(m)); at += 4 {
			if got, want := m.word(at), c.word(at); got != want {
				return fmt.Errorf("the word at %#x is %#x, want %#x", at, got, want)
			}
		}
		return nil
	}
}

func TestSieve(t *testing.T) {
	c := reference{}
	for n, w := range sieve {
		c.set(uint32(4*n), w)
	}
	for !c.halted {
		c.step()
	}
	for n, prime := range []uint32{2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 0} {
		require.Equal(t, prime, c.word(uint32(firstOut+4*n)))
	}
	hwtest.Run(t, rv32i.Core{}, run(sieve))
	hwtest.Resets(t, rv32i.Core{}, run([]uint32{addi(1, 0, 5), s(firstOut, 1, 0, 2), halt}))
}

// random returns a program of n instructions of all kinds. The program only jumps forward and
// finally stores all registers.
func random(seed uint64, n int) (out []uint32) {
	x := rand.New(rand.NewPCG(seed, 7))
	reg := func() uint32 { return x.Uint32N(32) }
	for k := range uint32(32) {
		out = append(out, u(x.Uint32(), k, rv32i.LUI), i(int32(x.Uint32()), k, 0, k, rv32i.OpImm))
	}
	for range n {
		f3, word := x.Uint32N(8), int32(0x600+4*x.Uint32N(64))
		switch x.IntN(9) {
		case 0:
			out = append(out, r(0, reg(), reg(), f3, reg()), add(3, 4, 0), r(0, 3, 4, f3, reg()))
		case 1:
			out = append(out, r(32, reg(), reg(), 5*x.Uint32N(2), reg()))
		case 2:
			out = append(out, i(int32(x.Uint32N(32)|x.Uint32N(2)<<10), reg(), 5, reg(), rv32i.OpImm), i(int32(x.Uint32N(32)), reg(), 1, reg(), rv32i.OpImm))
		case 3:
			out = append(out, i(int32(x.Uint32()), reg(), []uint32{0, 2, 3, 4, 6, 7}[x.IntN(6)], reg(), rv32i.OpImm), i(0, 0, 2+x.Uint32N(2), reg(), rv32i.OpImm))
		case 4:
			out = append(out, b(8, reg(), reg(), []uint32{0, 1, 4, 5, 6, 7}[x.IntN(6)]), addi(reg(), reg(), 1))
		case 5:
			size := x.Uint32N(3)
			out = append(out, s(word+int32(x.Uint32N(4)>>size<<size), reg(), 0, size))
		case 6:
			load := []uint32{0, 1, 2, 4, 5}[x.IntN(5)]
			out = append(out, i(word+int32(x.Uint32N(4)>>(load&3)<<(load&3)), 0, load, reg(), rv32i.Load))
		case 8:
			out = append(out, u(x.Uint32(), reg(), rv32i.AUIPC), b(8, 3, 4, []uint32{0, 1, 4, 5, 6, 7}[x.IntN(6)]), addi(reg(), reg(), 1))
		case 7:
			link := 1 + x.Uint32N(31)
			out = append(out, j(8, reg()), u(x.Uint32(), reg(), rv32i.LUI), u(0, link, rv32i.AUIPC), i(13, link, 0, reg(), rv32i.JALR), u(x.Uint32(), reg(), rv32i.LUI), 0x0ff0000f)
		}
	}
	for k := range uint32(32) {
		out = append(out, s(int32(0x780+4*k), k, 0, 2))
	}
	return append(out, halt)
}

func TestRandomPrograms(t *testing.T) {
	hwtest.Run(t, rv32i.Core{}, func(s sim.Simulator) error {
		for seed := range uint64(30) {
			program := random(seed, 60)
			if 4*len(program) > 0x600 {
				return fmt.Errorf("program %d is too long", seed)
			}
			s.SetReset(true)
			if err := s.Step(); err != nil {
				return err
			}
			s.SetReset(false)
			if err := run(program)(s); err != nil {
				return fmt.Errorf("program %d: %w", seed, err)
			}
		}
		return nil
	})
}
