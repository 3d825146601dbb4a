package asyncfifo_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/examples/asyncfifo"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/hwtest"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// bench is a running FIFO and the words that are in it.
type bench struct {
	asyncfifo.Ports
	*sim.Schedule
	*rand.Rand
	depth       int
	sent, moved int
	queue       []int
	offered     bool
}

// traffic sends words from one clock domain to the other until 200 have arrived. The sides are
// ready at the given rates.
func traffic(p asyncfifo.FIFO, writePeriod, readPeriod uint64, writes, reads float64) hwtest.Drive {
	return func(s sim.Simulator) error {
		clocks, err := sim.NewSchedule(s, sim.Beat{Clock: "wr_clk", Period: writePeriod}, sim.Beat{Clock: "rd_clk", Period: readPeriod, Phase: readPeriod / 2})
		if err != nil {
			return err
		}
		b := &bench{Ports: sim.Bind[asyncfifo.Ports](s, p), Schedule: clocks, Rand: rand.New(rand.NewPCG(1, 2)), depth: p.Depth}
		for edges := [2]int{}; edges[0] < 4 || edges[1] < 4; { // both resets are low for four edges of each clock
			for i := range edges {
				if b.Edge(i) {
					edges[i]++
				}
			}
			if err := b.Step(); err != nil {
				return err
			}
		}
		sim.Find(s, "wr_rst_n").Set(1)
		sim.Find(s, "rd_rst_n").Set(1)
		for b.moved < 200 {
			if err := b.step(writes, reads); err != nil {
				return err
			}
		}
		return nil
	}
}

// step offers a word and takes a word, if there is an edge for it.
func (b *bench) step(writes, reads float64) error {
	b.offered = b.offered || b.Float64() < writes
	b.Push.Valid.Poke(bit(b.offered))
	b.Push.Data.Poke(uint64(b.sent % 256))
	b.Pop.Ready.Poke(bit(b.Float64() < reads))
	room, level := int(b.Room.Peek()), int(b.Level.Peek())
	if room > b.depth-len(b.queue) || level > len(b.queue) {
		return fmt.Errorf("room for %d and %d to read, with %d of %d words inside", room, level, len(b.queue), b.depth)
	}
	if b.Time() > 20_000 {
		return fmt.Errorf("%d words have come", b.moved)
	}
	if b.Edge(1) && b.Pop.Valid.Peek()&b.Pop.Ready.Peek() == 1 {
		if got := int(b.Pop.Data.Peek()); got != b.queue[0] {
			return fmt.Errorf("word %d is %d, want %d", b.moved, got, b.queue[0])
		}
		b.queue = b.queue[1:]
		b.moved++
	}
	if b.Edge(0) && b.Push.Valid.Peek()&b.Push.Ready.Peek() == 1 {
		b.queue = append(b.queue, b.sent%256)
		b.sent++
		b.offered = false
	}
	return b.Step()
}

func bit(on bool) uint64 {
	if on {
		return 1
	}
	return 0
}

func TestFIFO(t *testing.T) {
	p := asyncfifo.FIFO{Width: 8, Depth: 8}
	for _, c := range [][2]uint64{{2, 2}, {2, 3}, {7, 2}, {1, 5}} {
		for _, rates := range [][2]float64{{1, 1}, {1, 0.3}, {0.3, 1}} {
			d, err := hw.Elaborate(p)
			require.NoError(t, err)
			s, err := interp.New(d)
			require.NoError(t, err)
			require.NoError(t, traffic(p, c[0], c[1], rates[0], rates[1])(s), "%v %v", c, rates)
		}
	}
	hwtest.Run(t, p, traffic(p, 3, 5, 0.7, 0.7))
	// A reset lasts four edges. The positions are reset, and the registers of the Gray codes
	// follow them in that time.
	hwtest.Resets(t, p, traffic(p, 1, 1, 1, 0.5), "fifo.written_gray", "fifo.taken_gray")
}

func TestDepth(t *testing.T) {
	_, err := hw.Elaborate(asyncfifo.FIFO{Width: 8, Depth: 6})
	require.ErrorContains(t, err, "depth is 6; expected a power of two of at least 2")
}
