package axil_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/lib/axil"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bench"
)

const addrWidth = 8

// registers models a register file behind the slave. Addresses beyond its end are not mapped. It
// records the expected answers on the bus.
type registers struct {
	b            *bench.Bench
	words        [40]uint32
	asked        bool   // a read in the last cycle
	answer       uint32 // to this read
	failed       bool
	writes       []bench.Item // address, data, strobes
	reads        []bench.Item // address
	wantB, wantR []bench.Item
	io           axil.Access
}

func newRegisters(b *bench.Bench) *registers {
	return &registers{b: b, io: sim.Bind[axil.Ports](b.Sim, axil.Slave{AddrWidth: addrWidth}).Access}
}

// cycle models the registers in one cycle, after combinational logic has been evaluated.
func (r *registers) cycle() error {
	r.respond()
	if r.asked = r.io.Read.Peek() != 0; r.asked {
		addr := r.io.ReadAddr.Peek()
		r.reads = append(r.reads, bench.Item{addr})
		if r.failed = addr/4 >= uint64(len(r.words)); r.failed {
			r.wantR = append(r.wantR, bench.Item{0, uint64(axil.SLVERR)})
		} else {
			r.answer = r.words[addr/4]
			r.wantR = append(r.wantR, bench.Item{uint64(r.answer), uint64(axil.OKAY)})
		}
	}
	addr := r.io.WriteAddr.Peek()
	outside := addr/4 >= uint64(len(r.words))
	r.io.WriteError.Poke(flag(outside))
	if r.io.Write.Peek() == 0 {
		r.io.WriteError.Poke(flag(r.b.Rand.IntN(2) == 0))
		return nil
	}
	r.writes = append(r.writes, bench.Item{addr, r.io.WriteData.Peek(), r.io.WriteStrb.Peek()})
	if outside {
		r.wantB = append(r.wantB, bench.Item{uint64(axil.SLVERR)})
		return nil
	}
	r.wantB = append(r.wantB, bench.Item{uint64(axil.OKAY)})
	for k := range 4 {
		if mask := uint32(0xff) << (8 * k); r.io.WriteStrb.Peek()>>k&1 != 0 {
			r.words[addr/4] = r.words[addr/4]&^mask | uint32(r.io.WriteData.Peek())&mask
		}
	}
	return nil
}

// respond answers the read of the last cycle. Without a read it drives random values.
func (r *registers) respond() {
	r.io.ReadData.Poke(uint64(r.b.Rand.Uint32()))
	r.io.ReadError.Poke(flag(r.b.Rand.IntN(2) == 0))
	if r.asked {
		r.io.ReadError.Poke(flag(r.failed))
		if !r.failed {
			r.io.ReadData.Poke(uint64(r.answer))
		}
	}
}

func flag(v bool) uint64 {
	if v {
		return 1
	}
	return 0
}

// rates are the rates of the channels.
type rates struct{ aw, w, b, ar, r float64 }

// check performs n writes and n reads at random addresses and compares the accesses seen by the
// registers and the answers seen by the master.
func check(d *ir.Design, n int, rate rates) (cycles uint64, err error) {
	b, err := bench.New(d, 1)
	if err != nil {
		return 0, err
	}
	const s = "s_axil_"
	aw := b.Source(s+"awvalid", s+"awready", s+"awaddr", s+"awprot")
	w := b.Source(s+"wvalid", s+"wready", s+"wdata", s+"wstrb")
	ar := b.Source(s+"arvalid", s+"arready", s+"araddr", s+"arprot")
	resp := b.Sink(s+"bvalid", s+"bready", s+"bresp")
	r := b.Sink(s+"rvalid", s+"rready", s+"rdata", s+"rresp")
	aw.Rate, w.Rate, resp.Rate, ar.Rate, r.Rate = rate.aw, rate.w, rate.b, rate.ar, rate.r
	regs := newRegisters(b)
	var writes, reads []bench.Item
	for range n {
		addr, data, from := aw.Random(), w.Random(), ar.Random()
		aw.Send(0, addr)
		w.Send(0, data)
		ar.Send(0, from)
		writes = append(writes, bench.Item{addr[0], data[0], data[1]})
		reads = append(reads, bench.Item{from[0]})
	}
	// A slave must offer its responses without waiting for ready.
	resp.Rate, r.Rate = 0, 0
	if err := b.Run(50, regs.cycle); err != nil {
		return 0, err
	}
	if !b.Pin(s+"bvalid").Bool() || !b.Pin(s+"rvalid").Bool() {
		return 0, fmt.Errorf("no response without ready")
	}
	start := b.Sim.Cycle()
	resp.Rate, r.Rate = rate.b, rate.r
	if err := b.Drain(2*n, 40*n, regs.cycle); err != nil {
		return 0, err
	}
	cycles = b.Sim.Cycle() - start
	if err := b.Run(5, regs.cycle); err != nil {
		return 0, err
	}
	for _, c := range []struct {
		what      string
		got, want []bench.Item
	}{
		{"writes", regs.writes, writes}, {"reads", regs.reads, reads},
		{"write responses", resp.Got[0], regs.wantB}, {"read responses", r.Got[0], regs.wantR},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			return 0, fmt.Errorf("%s: got %x, want %x", c.what, c.got, c.want)
		}
	}
	return cycles, nil
}

var loads = []rates{
	{1, 1, 1, 1, 1}, {0.5, 0.5, 0.5, 0.5, 0.5}, {1, 0.2, 1, 1, 0.2}, {0.2, 1, 1, 0.2, 1}, {1, 1, 0.2, 1, 0.8},
}

func elaborate(t *testing.T) *ir.Design {
	d, err := hw.Elaborate(axil.Slave{AddrWidth: addrWidth})
	require.NoError(t, err)
	return d
}

func TestAgainstModel(t *testing.T) {
	d := elaborate(t)
	for _, rate := range loads {
		_, err := check(d, 200, rate)
		require.NoError(t, err, "%+v", rate)
	}
}

func TestThroughput(t *testing.T) {
	cycles, err := check(elaborate(t), 200, loads[0])
	require.NoError(t, err)
	require.EqualValues(t, 2*200-1, cycles, "two cycles per read, of which the first waits already")
}

func TestPorts(t *testing.T) {
	var got []string
	for _, p := range elaborate(t).Top.Ports {
		got = append(got, fmt.Sprintf("%s %s %d", p.Kind, p.Name, p.Type.Width))
	}
	require.Equal(t, []string{
		"input s_axil_awvalid 1", "output s_axil_awready 1", "input s_axil_awaddr 8", "input s_axil_awprot 3",
		"input s_axil_wvalid 1", "output s_axil_wready 1", "input s_axil_wdata 32", "input s_axil_wstrb 4",
		"output s_axil_bvalid 1", "input s_axil_bready 1", "output s_axil_bresp 2",
		"input s_axil_arvalid 1", "output s_axil_arready 1", "input s_axil_araddr 8", "input s_axil_arprot 3",
		"output s_axil_rvalid 1", "input s_axil_rready 1", "output s_axil_rdata 32", "output s_axil_rresp 2",
	}, got[:19])
}

// wrapped instantiates the slave in another module and uses Connect.
type wrapped struct{ AddrWidth int }

func (p wrapped) Build(m *hw.Module) axil.Ports {
	io := hw.Ports[axil.Ports](m)
	slave := hw.Inst(m, "slave", axil.Slave(p))
	hw.Connect(slave.Bus, io.Bus)
	hw.Connect(io.Access, slave.Access)
	return io
}

func TestConnect(t *testing.T) {
	d, err := hw.Elaborate(wrapped{addrWidth})
	require.NoError(t, err)
	_, err = check(d, 100, loads[1])
	require.NoError(t, err)
}

// checkAll checks d under all loads.
func checkAll(d *ir.Design) error {
	for _, rate := range loads {
		if _, err := check(d, 60, rate); err != nil {
			return err
		}
	}
	return nil
}

func TestFaultsAreCaught(t *testing.T) {
	d := elaborate(t)
	survivors, tried := bench.Survivors(d, func() error { return checkAll(d) })
	require.Empty(t, survivors)
	require.Greater(t, tried, 30)
}
