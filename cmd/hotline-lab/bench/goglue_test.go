package bench

import (
	"fmt"
	"math/bits"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/gosim"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// TestGoProgram builds and runs the model of a design with ports of all types and compares its
// checksum with the interpreter. Each input is registered and connected to an output.
func TestGoProgram(t *testing.T) {
	t.Chdir("../../..") // the tool runs in the root of the project
	types := []string{"1", "5", "8", "33", "64", "65", "577", "2100",
		"1x1", "7x1", "64x1", "77x1", "2100x1", "3x8", "64x8", "64x32", "33x32", "5x64", "40x64",
		"64x4", "64x14", "128x36", "256x10", "300x10", "3x100", "100x130"}
	var text strings.Builder
	text.WriteString("module ports clock reset {\n")
	for i, x := range types {
		fmt.Fprintf(&text, "  input in_%d : %s\n  output out_%d : %s\n  reg kept_%d : %s\n  kept_%d = in_%d\n  out_%d = kept_%d\n", i, x, i, x, i, x, i, i, i, i)
	}
	text.WriteString("  output out : 1\n  reg flips : 1 reset 1'd1\n  flips = not(flips)\n  out = flips\n}\n")
	d, err := ir.Parse("ports.ir", text.String())
	require.NoError(t, err)

	s := Settings{Dir: t.TempDir()}
	f := sim.NewFormat(sim.PortsOf(d))
	counts := always(300)
	for c := range counts {
		counts[c] = c < 50 || c >= 260
	}
	st, err := s.write("ports", "random", f, sim.Random(f, 1), counts)
	require.NoError(t, err)
	programs, err := s.buildCompiled("ports", "v1", d)
	require.NoError(t, err)
	for passes := range 3 {
		want := checksum(t, d, 300, passes)
		for _, p := range programs {
			o, err := p.run(st, passes)
			require.NoError(t, err)
			require.Equal(t, want, o.sum, "%s, %d passes", p.name, passes)
			require.EqualValues(t, 90*passes, o.cycles)
		}
	}
}

// checksum returns the checksum of passes over random inputs. Consecutive cycles have different
// inputs.
func checksum(t *testing.T, d *ir.Design, cycles, passes int) string {
	s, err := interp.New(d)
	require.NoError(t, err)
	f := sim.NewFormat(s.Ports())
	out, h := make([]uint64, f.OutWords), uint64(0)
	for range passes {
		source, in := sim.Random(f, 1), make([]uint64, f.InWords)
		for range cycles {
			require.NoError(t, source.Next(in))
			s.SetReset(in[0] != 0)
			for _, x := range f.In {
				s.Set(x.Port, x.Of(in))
			}
			sum := uint64(0)
			for _, x := range f.Out {
				s.Get(x.Port, x.Of(out))
			}
			for _, w := range out {
				sum = bits.RotateLeft64(sum, 7) ^ w
			}
			h = (h^sum)*0x9E3779B97F4A7C15 + 1
			require.NoError(t, s.Step())
		}
	}
	return fmt.Sprintf("%016x", h)
}

// TestGoGlue checks that no superfluous words are copied.
func TestGoGlue(t *testing.T) {
	p := arch.Small()
	d, err := hw.Elaborate(dma.Read{Link: p.Link(), VectorValues: p.VectorValues})
	require.NoError(t, err)
	files, err := gosim.Generate(d, "design")
	require.NoError(t, err)
	text, err := goGlue(d, files)
	require.NoError(t, err)
	for _, want := range []string{
		"\tin.ReqValid = w[1] != 0\n\tin.ReqPeer = w[2] != 0\n",
		"\tin.SAxisReadDataTdata = [2]uint64(w[12:14])\n",
		"\tin.SAxisReadDataTid = uint8(w[",
		"\th = fold(h, bit(m.Out.ReqReady))\n\th = fold(h, bit(m.Out.CommandReady))\n\th = fold(h, bit(m.Out.MAxisReadDescValid))\n\th = fold(h, uint64(m.Out.MAxisReadDescDmaAddr))\n",
		"\t\ty := m.Out.RowData[0]\n\t\ty = fold(y, m.Out.RowData[1])\n",
	} {
		require.Contains(t, text, want)
	}

	e, err := hw.Elaborate(eal.Of(arch.Small()))
	require.NoError(t, err)
	_, err = goGlue(e, files)
	require.EqualError(t, err, "the model's structure In has 22 fields, expected 9")
}

// TestGoParts checks the division of vectors into parts.
func TestGoParts(t *testing.T) {
	for vector, want := range map[ir.Type][]string{
		{Width: 14, Len: 64}:  {" (*[64]uint16)(p[0:]) "},
		{Width: 10, Len: 256}: {"for i := range 8  (*[32]uint16)(p[32*i:]) +5*i"},
		{Width: 10, Len: 260}: {"for i := range 8  (*[32]uint16)(p[32*i:]) +5*i", " (*[4]uint16)(p[256:]) +40"},
		{Width: 4, Len: 1000}: {"for i := range 7  (*[128]uint16)(p[128*i:]) +8*i", " (*[104]uint16)(p[896:]) +56"},
		{Width: 100, Len: 99}: {"for i := range 6  (*[16][2]uint64)(p[16*i:]) +25*i", " (*[3][2]uint64)(p[96:]) +150"},
	} {
		var got []string
		goPort{"p", "uint16", vector}.parts(func(loop string, part goPort, first string) {
			got = append(got, loop+" "+part.at+" "+first)
		})
		require.Equal(t, want, got)
	}
}
