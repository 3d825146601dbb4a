package fidelity

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/cycle"
	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/device/functional"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/sim"
)

// result contains the time and the counts of a command.
type result struct {
	Command string   `json:"command"`
	Time    des.Time `json:"ps"`
	Counts  []count  `json:"counts"`
	Waits   []count  `json:"waits"` // estimates in the functional model
	Left    uint32   `json:"left"`  // CRC of the memory contents that the command has written
}

type count struct {
	Name string `json:"name"`
	N    int    `json:"n"`
}

// harness is the server of a point.
type harness struct {
	point
	s       *server.Server
	drv     *driver.Driver
	words   [2]*server.Region
	out     *server.Region
	list    *server.Region
	tables  *server.Region
	pooled  []*server.Region
	results []result
	before  driver.Counters
}

// measure runs the commands of a point on an accelerator: the cycle model that s simulates, or the
// functional model if s is nil.
func (p point) measure(s sim.Simulator) ([]result, error) {
	b, err := p.batches()
	if err != nil {
		return nil, err
	}
	r, err := p.open(s)
	if err != nil {
		return nil, err
	}
	if err := r.prepare(b); err != nil {
		return nil, err
	}
	if err := r.run(b); err != nil {
		return nil, fmt.Errorf("%s: %w", p.name, err)
	}
	return r.results, nil
}

func (p point) open(simulator sim.Simulator) (*harness, error) {
	cfg := server.DefaultConfig()
	cfg.GPUs = p.gpus
	for _, l := range []*int{&cfg.Slot.Generation, &cfg.Uplink.Generation, &cfg.GPULink.Generation} {
		*l = p.gen
	}
	for _, l := range []*int{&cfg.Slot.Lanes, &cfg.Uplink.Lanes, &cfg.GPULink.Lanes} {
		*l = p.lanes
	}
	s, err := server.New(cfg)
	if err != nil {
		return nil, err
	}
	var c server.Card
	if simulator == nil {
		c, err = functional.New(s.Kernel, p.params, cfg.Period, cfg.Endpoint)
	} else {
		c, err = cycle.New(s.Kernel, simulator, cfg.Period, cfg.Endpoint)
	}
	if err != nil {
		return nil, err
	}
	dev, err := s.Insert(c)
	if err != nil {
		return nil, err
	}
	drv, err := driver.Open(dev, driver.DefaultOptions())
	return &harness{point: p, s: s, drv: drv}, err
}

// prepare places tables, lists and buffers in memory and configures the registers.
func (r *harness) prepare(b batches) error {
	alloc := func(from *server.Space, n int) *server.Region { return from.Alloc("grid", n) }
	n := len(b.learned)
	r.words = [2]*server.Region{alloc(r.s.Host, 4*n), alloc(r.s.Host, 4*n)}
	r.out = alloc(r.s.Host, arch.HotSetBytes(r.params.Blocks)+arch.HotSetUnit+r.params.EDRAMWords)
	r.list = alloc(r.s.Host, 4*r.params.HalfWords())
	filled := func(from *server.Space, n int) *server.Region {
		return from.AllocRows("grid", n, r.row, func(row int, p []byte) { values(row*r.row, p) })
	}
	r.tables = filled(r.s.Host, r.point.tables*r.rows())
	registers := map[int]uint64{
		arch.RegSlots: uint64(r.slots()), arch.RegTables: uint64(r.point.tables), arch.RegGPUs: uint64(r.gpus),
		arch.RegRowLog2: uint64(arch.Log2(r.row)), arch.RegScale: uint64(math.Float32bits(-0.1)),
	}
	for t := range r.point.tables {
		registers[arch.RegTable+t] = r.tables.Address() + uint64(t*r.rows()*r.row)
	}
	for s := range r.slots() {
		t := s / r.each
		registers[arch.RegSlot+s] = arch.Slot{Base: uint32(t * r.rows()), Table: t, First: s%r.each == 0, Last: s%r.each == r.each-1}.Bits()
	}
	for g, gpu := range r.s.GPUs {
		hot := filled(gpu.Memory, r.params.Blocks)
		pooled := alloc(gpu.Memory, r.inputs*r.point.tables*r.row)
		grad := filled(gpu.Memory, r.params.HalfWords())
		mail := alloc(gpu.Memory, r.params.EDRAMWords)
		r.pooled = append(r.pooled, pooled)
		registers[arch.RegHot+g], registers[arch.RegPooled+g], registers[arch.RegGrad+g], registers[arch.RegMailbox+g] =
			hot.Address(), pooled.Address(), grad.Address(), mail.Address()
	}
	if err := r.s.Fits(); err != nil {
		return err
	}
	for i, words := range [][]uint32{b.learned, b.trained} {
		if err := r.words[i].WriteUint32s(0, words); err != nil {
			return err
		}
	}
	return r.configure(registers)
}

// values fills a row at an offset with numbers that are functions of their positions.
func values(offset int, p []byte) {
	for i := 0; i+4 <= len(p); i += 4 {
		x := uint32(offset+i) * 2654435761
		binary.LittleEndian.PutUint32(p[i:], math.Float32bits(float32(x>>8)/(1<<23)-1))
	}
}

// configure writes registers in ascending order and measures the time. It thus measures a sequence
// of trivial commands.
func (r *harness) configure(values map[int]uint64) error {
	begin, n := r.s.Kernel.Now(), 0
	var failed error
	for index := range arch.RegCount {
		v, ok := values[index]
		if !ok {
			continue
		}
		n++
		err := r.drv.Submit(driver.SWrite(index, v), func(_ driver.Completion, err error) {
			if err != nil {
				failed = err
			}
		})
		if err != nil {
			return err
		}
	}
	if err := r.drv.Drain(); err != nil {
		return err
	}
	r.results = append(r.results, result{Command: "s_wr", Time: r.s.Kernel.Now() - begin, Counts: []count{{"commands", n}}})
	return failed
}

// run executes the commands of a mini-batch.
func (r *harness) run(b batches) error {
	if _, err := r.do("fence", driver.Fence()); err != nil {
		return err
	}
	row := uint64(r.row)
	for _, c := range []struct {
		name string
		arch.Command
	}{
		{"dma_rd", driver.DMARead(r.tables.Address(), row)}, {"gpu_rd", driver.GPURead(r.gpus-1, 5)},
		{"v_mul", driver.VMul(0.5)}, {"v_add", driver.VAdd(false)}, {"dma_wr", driver.DMAWrite(r.tables.Address(), row)},
	} {
		if _, err := r.do(c.name, c.Command); err != nil {
			return err
		}
	}
	if err := r.left(r.tables, r.row); err != nil {
		return err
	}
	if _, err := r.do("learn", driver.Learn(0, r.words[0].Address(), r.inputs), "lookups"); err != nil {
		return err
	}
	c, err := r.do("hotset", driver.HotSet(r.out.Address()), "entries")
	if err != nil {
		return err
	}
	hot, err := r.hotSet(int(c.Value0))
	if err != nil {
		return err
	}
	if c, err = r.do("classify", driver.Classify(1, r.words[1].Address(), r.inputs, r.out.Address()), "popular"); err != nil {
		return err
	}
	if err := r.left(r.out, (r.inputs+7)/8); err != nil {
		return err
	}
	if _, err := r.do("gather", driver.Gather(1, r.inputs), "hot rows", "cold rows"); err != nil {
		return err
	}
	for g, pooled := range r.pooled {
		others := (r.inputs - int(c.Value0) - g + r.gpus - 1) / r.gpus
		if err := r.left(pooled, others*r.point.tables*r.row); err != nil {
			return err
		}
	}
	list := r.cold(b.trained, hot)
	if len(list) == 0 {
		return nil
	}
	if err := r.list.WriteUint32s(0, list); err != nil {
		return err
	}
	if _, err = r.do("update", driver.Update(0, r.list.Address(), len(list)/2), "rows"); err != nil {
		return err
	}
	for i := 0; i < len(list); i += 2 {
		if err := r.leftAt(r.tables, (int(list[i])*r.rows()+int(list[i+1]))*r.row, r.row); err != nil {
			return err
		}
	}
	return nil
}

// left adds the first n bytes of a region to the CRC of the latest command.
func (r *harness) left(region *server.Region, n int) error { return r.leftAt(region, 0, n) }

func (r *harness) leftAt(region *server.Region, at, n int) error {
	b := make([]byte, n)
	if err := region.Read(at, b); err != nil {
		return err
	}
	last := &r.results[len(r.results)-1]
	last.Left = crc32.Update(last.Left, crc32.IEEETable, b)
	return nil
}

// do executes and measures a command. values names the values that the command returns.
func (r *harness) do(name string, c arch.Command, values ...string) (driver.Completion, error) {
	begin := r.s.Kernel.Now()
	got, err := r.drv.Do(c)
	if err != nil {
		return got, err
	}
	m := result{Command: name, Time: r.s.Kernel.Now() - begin}
	for i, v := range values {
		m.Counts = append(m.Counts, count{v, int([2]uint32{got.Value0, got.Value1}[i])})
	}
	now, err := r.drv.Counters()
	m.count(r.before, now)
	r.before = now
	r.results = append(r.results, m)
	// Writes to GPUs may be in flight.
	if err == nil {
		err = r.s.FlushGPUs()
	}
	return got, err
}

// count adds the differences between two readings of the counters.
func (m *result) count(before, now driver.Counters) {
	add := func(to *[]count, name string, before, now uint32) { *to = append(*to, count{name, int(now - before)}) }
	if now.LookupCycles != before.LookupCycles {
		add(&m.Counts, "merged", before.CacheHits, now.CacheHits)
		add(&m.Counts, "hot lookups", before.HotLookups, now.HotLookups)
		add(&m.Counts, "sweep cycles", before.LookupCycles, now.LookupCycles)
		add(&m.Counts, "conflicts", before.Conflicts, now.Conflicts)
		add(&m.Counts, "window stalls", before.WindowStalls, now.WindowStalls)
		add(&m.Counts, "queue stalls", before.QueueStalls, now.QueueStalls)
	}
	add(&m.Counts, "learn cycles", before.LearnCycles, now.LearnCycles)
	add(&m.Counts, "bytes read", uint32(before.BytesRead), uint32(now.BytesRead))
	add(&m.Counts, "bytes written", uint32(before.BytesWritten), uint32(now.BytesWritten))
	add(&m.Waits, "most reads", 0, now.MostReads)
	add(&m.Waits, "late rows", before.LateRows, now.LateRows)
	add(&m.Waits, "tag stalls", before.TagStalls, now.TagStalls)
	add(&m.Waits, "write stalls", before.WriteStalls, now.WriteStalls)
}

// hotSet reads the hot set back.
func (r *harness) hotSet(entries int) (map[uint32]bool, error) {
	words := make([]uint32, 2*entries)
	if err := r.out.ReadUint32s(0, words); err != nil {
		return nil, err
	}
	if err := r.left(r.out, 8*entries); err != nil {
		return nil, err
	}
	hot := map[uint32]bool{}
	for i := 0; i < len(words); i += 2 {
		hot[words[i]] = true
	}
	return hot, nil
}

// cold returns an update list of the rows in words that are not hot, limited to the capacity of the
// accelerator.
func (r *harness) cold(words []uint32, hot map[uint32]bool) (list []uint32) {
	seen := map[uint32]bool{}
	for i, w := range words {
		t := i % r.slots() / r.each
		id := uint32(t*r.rows()) + w
		if !hot[id] && !seen[id] && len(list) < r.params.HalfWords()-1 {
			seen[id] = true
			list = append(list, uint32(t), w)
		}
	}
	return list
}
