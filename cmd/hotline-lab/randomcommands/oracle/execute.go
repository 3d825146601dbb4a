package oracle

import (
	"encoding/binary"
	"iter"
	"slices"

	"github.com/hotline-rtl/hotline/cmd/hotline-lab/randomcommands/shell"
)

// execute executes the next command. It returns the ID, the permitted statuses and the values, all
// of which depend on observations. c is nil if the command has not completed.
func (x *run) execute(c *Completion) (id uint32, statuses []int, values []uint32) {
	fetch := x.fetched[0]
	x.fetched = x.fetched[1:]
	if fetch.Outcome() != 0 {
		return 0, []int{Unreadable}, nil
	}
	cmd := commandOf(fetch.Data)
	refused := x.refusals(&cmd)
	if cmd[15] != checksum(fetch.Data[:60]) {
		if slices.Contains(refused, BadOpcode) {
			return cmd[1], []int{BadOpcode, BadCRC}, nil
		}
		return cmd[1], []int{BadCRC}, nil
	}
	if len(refused) > 0 {
		return cmd[1], []int{slices.Min(refused)}, nil
	}
	statuses, values = x.perform(&cmd, c)
	return cmd[1], statuses, values
}

func (x *run) perform(cmd *Command, c *Completion) (statuses []int, values []uint32) {
	n := int(cmd.operand(2))
	switch cmd.opcode() {
	case DMARead:
		x.ahead = append(x.ahead, x.ask(cmd.operand(1), false))
	case GPURead:
		x.ahead = append(x.ahead, x.ask(x.base(RegHot+cmd.operand(1))+cmd.operand(2)*x.regs.rowBytes(), true))
	case VAdd, VMul:
		x.reduce(cmd)
	case DMAWrite:
		v := x.buffer
		x.buffer = nil
		x.writeRow(cmd.operand(1), v)
	case SWrite:
		x.set(cmd.operand(1), cmd.operand(2))
	case Learn:
		return x.learn(cmd, n)
	case Classify:
		return x.classify(cmd, n, c)
	case Gather:
		return x.gather(cmd, n)
	case Update:
		return x.update(cmd, n)
	case HotSet:
		return x.hotset(cmd, c)
	}
	return x.statuses(0), nil
}

// reduce consumes the oldest prefetched row.
func (x *run) reduce(cmd *Command) {
	r := x.ahead[0]
	if !x.whole && (r.read == nil || r.read.Ended == 0) {
		panic(interrupted{})
	}
	x.ahead = x.ahead[1:]
	v := x.wait(r)
	switch {
	case v == nil:
		x.buffer = nil
	case cmd.opcode() == VMul:
		x.buffer = v.times(uint32(cmd.operand(1)))
	case cmd.flag() == 1:
		x.buffer = v
	default:
		x.buffer = x.buffer.plus(v)
	}
}

// base returns the value of a register that contains an address. Every address that the oracle
// expects is derived from base or from an operand.
func (x *run) base(reg uint64) uint64 {
	if !x.Written(reg) {
		x.failf("the address in register %#x is used, but was not written since the reset", reg)
	}
	return x.regs[reg]
}

func (x *run) set(reg, value uint64) {
	x.regs[reg] = value
	if reg >= RegSlot && reg < RegHot {
		x.named[value>>32&0xFF] = true
	}
	switch reg {
	case RegRowLog2:
		x.buffer = nil
	case RegSlots:
		x.halves = [2]*inputs{}
	}
}

// words loads n inputs into the half that the command selects.
func (x *run) words(cmd *Command, n int) (in *inputs, code int) {
	x.halves[cmd.flag()] = nil
	l := int(x.regs.slots())
	data, code := x.load(cmd.operand(1), 4*n*l)
	if code != 0 {
		return nil, code
	}
	return &inputs{n: n, l: l, words: vectorOf(data), hot: x.hot}, 0
}

// id returns the ID of the row that lookup s of input i refers to.
func (x *run) id(in *inputs, i, s int) uint32 {
	return (x.regs.slot(s).id + in.words[i*in.l+s]) & (1<<x.p.IDBits() - 1)
}

func (x *run) ids(in *inputs, i int) (out []uint32) {
	for s := range in.l {
		out = append(out, x.id(in, i, s))
	}
	return out
}

func (x *run) learn(cmd *Command, n int) ([]int, []uint32) {
	in, code := x.words(cmd, n)
	if code != 0 {
		return x.statuses(code), nil
	}
	x.epoch.learn()
	for i := range n {
		for _, id := range x.ids(in, i) {
			x.learned[id], x.epoch.learned[id] = true, true
		}
	}
	x.hot = newHotSet(x.Oracle)
	return x.statuses(0), []uint32{uint32(n * in.l)}
}

func (x *run) classify(cmd *Command, n int, c *Completion) ([]int, []uint32) {
	in, code := x.words(cmd, n)
	if code != 0 {
		return x.statuses(code), nil
	}
	x.lookups += uint32(n * in.l)
	bitmap := x.bitmap(cmd.operand(3), n)
	statuses := x.statuses(0)
	if c == nil || statuses[0] != OK {
		return statuses, nil
	}
	popular := uint32(0)
	for i := range n {
		hit := bitmap[i/8]>>(i%8)&1 == 1
		in.popular = append(in.popular, hit)
		x.check(x.hot.input(x.ids(in, i), hit))
		if hit {
			popular++
		}
	}
	x.halves[cmd.flag()] = in
	return statuses, []uint32{popular, uint32(n * in.l)}
}

// bitmap expects the bitmap at the host and at each GPU. The writes may be split anywhere.
func (x *run) bitmap(host uint64, n int) []byte {
	beat := x.p.StreamBytes()
	size := ((n+7)/8 + beat - 1) / beat * beat
	to := []uint64{host}
	for g := range x.regs.gpus() {
		to = append(to, x.base(RegMailbox+g))
	}
	parts := make([][]byte, len(to))
	for len(x.writes) > 0 {
		w := x.writes[0]
		d := slices.IndexFunc(to, func(a uint64) bool { return w.Addr == a })
		if d < 0 || len(parts[d])+w.Len > size {
			break
		}
		for d2 := d + 1; d2 < len(to); d2++ { // among equal addresses, the one with less data
			if to[d2] == w.Addr && len(parts[d2]) < len(parts[d]) {
				d = d2
			}
		}
		x.take(w)
		parts[d] = append(parts[d], w.Data...)
		to[d] += uint64(w.Len)
	}
	var longest []byte
	for _, p := range parts {
		if len(p) > len(longest) {
			longest = p
		}
	}
	for d, p := range parts {
		if !slices.Equal(p, longest[:len(p)]) {
			x.failf("bitmap %d is %x, another %x", d, p, longest)
		}
		if len(p) < size && x.whole && len(x.failed()) == 0 {
			x.failf("completed with %d of %d bytes of bitmap %d", len(p), size, d)
		}
	}
	for i := n; i < 8*len(longest); i++ {
		if longest[i/8]>>(i%8)&1 == 1 {
			x.failf("the bitmap %x of %d inputs ends with a 1", longest, n)
		}
	}
	return longest
}

func (x *run) hotset(cmd *Command, c *Completion) ([]int, []uint32) {
	const chunk = 64
	var data []byte
	for addr := cmd.operand(1); len(x.writes) > 0; addr += chunk {
		w := x.writes[0]
		if w.Addr != addr || w.Len != chunk {
			break
		}
		x.take(w)
		data = append(data, w.Data...)
	}
	statuses := x.statuses(0)
	if c == nil || statuses[0] != OK {
		return statuses, nil
	}
	entries := map[uint32]int{}
	n := 0
	for ; n < len(data)/8; n++ {
		id, block := binary.LittleEndian.Uint32(data[8*n:]), binary.LittleEndian.Uint32(data[8*n+4:])
		if id == ^uint32(0) && block == ^uint32(0) {
			break
		}
		if _, ok := entries[id]; ok {
			x.failf("row id %#x is twice in the hot set", id)
		}
		entries[id] = int(block)
	}
	for _, b := range data[8*n:] {
		if b != 0xFF {
			x.failf("the hot set goes on behind its end: %x", data[8*n:])
		}
	}
	if len(data) != (n*8+chunk-1)/chunk*chunk {
		x.failf("%d bytes of hot set for %d entries", len(data), n)
	}
	x.check(x.readOut(entries))
	return statuses, []uint32{uint32(n)}
}

func (x *run) update(cmd *Command, n int) ([]int, []uint32) {
	x.halves[cmd.flag()] = nil
	x.buffer = nil
	data, code := x.load(cmd.operand(1), 8*n)
	if code != 0 {
		return x.statuses(code), nil
	}
	var gradients, rows []*row
	list, r := vectorOf(data), x.regs
	table := func(k int) uint64 { return RegTable + uint64(list[2*k])&uint64(x.p.Tables-1) }
	for k := range n {
		if !x.Written(table(k)) {
			return []int{NoTable}, nil
		}
	}
	g := r.gpus()
	for side := range x.groups(n) {
		for _, k := range side {
			gradients = append(gradients, x.ask(x.base(RegGrad+uint64(k)%g)+uint64(k)/g*r.rowBytes(), true))
		}
		for _, k := range side {
			rows = append(rows, x.ask(x.base(table(k))+uint64(list[2*k+1])*r.rowBytes(), false))
		}
	}
	if x.whole && len(x.unseen) > 0 {
		x.failf("completed before all rows were read")
	}
	came := make([]vector, n)
	for side := range x.groups(n) {
		for _, k := range side {
			came[k] = x.wait(gradients[k])
		}
		for _, k := range side {
			if old := x.wait(rows[k]); came[k] != nil && old != nil {
				x.writeRow(rows[k].addr, old.plus(came[k].times(uint32(r[RegScale]))))
			}
		}
	}
	return x.statuses(0), []uint32{uint32(n)}
}

// groups yields the numbers of n inputs or entries. Each slice contains a group that is processed
// together.
func (x *run) groups(n int) iter.Seq[[]int] {
	all := make([]int, n)
	for k := range all {
		all[k] = k
	}
	return slices.Chunk(all, min(8, 4*x.p.VectorValues/int(x.regs.rowBytes())))
}

// gather reads the rows of the inputs that are not popular. The addresses reveal which of the rows
// are hot.
func (x *run) gather(cmd *Command, n int) ([]int, []uint32) {
	x.buffer = nil
	in := x.halves[cmd.flag()]
	g := &gathering{run: x, in: in}
	var inputs []int
	for i := range n {
		if !in.popular[i] {
			inputs = append(inputs, i)
		}
	}
	for side := range x.groups(len(inputs)) {
		g.group(inputs, side)
	}
	return x.statuses(0), []uint32{g.hot, g.cold}
}

// gathering is the state of a gather.
type gathering struct {
	*run
	in        *inputs
	hot, cold uint32
	turns     []uint64 // GPUs that may supply the next hot row; nil if any
}

// group gathers a group of inputs. side contains indices into inputs.
func (g *gathering) group(inputs, side []int) {
	sums, cold := make([]vector, len(side)), make([]uint32, len(side))
	r := g.regs
	for s := range g.in.l {
		slot := r.slot(s)
		for at, j := range side {
			i, sum, count := inputs[j], &sums[at], g.cold
			v := g.wait(g.read(g.next(), g.id(g.in, i, s), g.base(RegTable+slot.table)+uint64(g.in.words[i*g.in.l+s])*r.rowBytes()))
			cold[at] += g.cold - count
			switch {
			case v == nil:
			case slot.first:
				*sum = v
			case *sum != nil:
				*sum = sum.plus(v)
			}
			if slot.last && *sum != nil {
				gpu, k := uint64(j)%r.gpus(), uint64(j)/r.gpus()
				g.writeRow(g.base(RegPooled+gpu)+(k*r.tables()+slot.table)*r.rowBytes(), *sum)
			}
		}
	}
	for at, j := range side {
		if cold[at] == 0 {
			g.failf("input %d is not popular, but none of its rows is cold", inputs[j])
		}
	}
}

// read consumes the read of a row, hot or cold.
func (g *gathering) read(r *shell.Read, id uint32, addr uint64) *row {
	x := &row{addr: addr, bytes: int(g.regs.rowBytes())}
	if r.Peer {
		x.peer = true
		x.addr = r.Addr
		g.check(g.in.hot.isHot(id, g.place(r.Addr)))
		g.hot++
	} else {
		g.check(g.in.hot.isCold(id))
		g.cold++
	}
	g.reads = g.reads[1:]
	g.check(g.match(x, r))
	return x
}

// place returns the block of a hot row that is read from addr. The address must be in the table of
// the next GPU in turn.
func (g *gathering) place(addr uint64) int {
	r, all := g.regs, g.turns
	if g.hot == 0 {
		for gpu := range r.gpus() {
			all = append(all, gpu)
		}
	}
	g.turns = nil
	block := uint64(0)
	for _, gpu := range all {
		if offset := addr - g.base(RegHot+gpu); offset%r.rowBytes() == 0 && offset/r.rowBytes() < uint64(g.p.Blocks) {
			block = offset / r.rowBytes()
			g.turns = append(g.turns, (gpu+1)%r.gpus())
		}
	}
	if len(g.turns) == 0 {
		g.failf("read of a hot row at %#x, which is not in the table of the GPU whose turn it is (%d)", addr, all)
	}
	return int(block)
}
