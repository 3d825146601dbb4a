package wrap

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/sim/bench"
)

// ramBytes is the size of each of the two memories of a PCIe.
const ramBytes = 1 << 16

// pcieModel models the DMA of verilog-pcie at its ports. An interface to the host processes descriptors
// in any order. One client reads its memory in descriptor order, another client writes it. PCIe
// reports an error if part of a memory is used twice at a time or before it is filled.
type pcieModel struct {
	Memory dma.Memory
	Delay  int                                    // maximum wait of a descriptor, in cycles
	Fault  func(addr uint64) (code arch.DMAError) // of host accesses; may be nil
	Sinks  []*bench.Sink                          // of descriptors, exported for their rates
	Rate   float64                                // of write data, once its descriptor has arrived
	bench  *bench.Bench
	rand   *rand.Rand
	cycle  int
	bytes  int // bytes per beat

	hostRead, hostWrite, source, sink, sinkData *bench.Sink
	data                                        *bench.Source
	beats                                       int // sent to the source
	reads, writes                               pcieSide
	errs                                        []error
	came, sending, filling, filled              []*pcieJob
}

// pcieSide is a memory and the state of its dma_if_pcie.
type pcieSide struct {
	ram  [ramBytes]byte
	used [ramBytes]bool
	jobs []*pcieJob
}

type pcieJob struct {
	addr           uint64
	ram, bytes, at int
	tag            int
	ready          int
}

// newPCIeModel connects the DMA to a design with these ports.
func newPCIeModel(b *bench.Bench, m dma.Memory, streamBytes, delay int, seed uint64) *pcieModel {
	u := &pcieModel{Memory: m, Delay: delay, Rate: 1, bench: b, rand: rand.New(rand.NewPCG(seed, 3)), bytes: streamBytes}
	for _, port := range []string{"cfg_bus_master_enable", "link_up"} {
		if has(b, port) {
			b.Pin(port).SetBool(true)
		}
	}
	stream := func(name string, fields ...string) *bench.Sink {
		return b.Sink(name+"valid", name+"ready", prefixed(name, fields...)...)
	}
	if has(b, "m_axis_source_desc_valid") {
		u.hostRead = stream("m_axis_dma_read_desc_", "pcie_addr", "ram_sel", "ram_addr", "len", "tag")
		u.source = stream("m_axis_source_desc_", "ram_addr", "len", "tag")
		u.Sinks = append(u.Sinks, u.hostRead, u.source)
		u.data = b.Source("s_axis_source_data_tvalid", "s_axis_source_data_tready", "s_axis_source_data_tdata", "s_axis_source_data_tlast")
	}
	if has(b, "m_axis_sink_desc_valid") {
		u.hostWrite = stream("m_axis_dma_write_desc_", "pcie_addr", "ram_sel", "ram_addr", "imm", "imm_en", "len", "tag")
		u.sink = stream("m_axis_sink_desc_", "ram_addr", "len", "tag")
		u.Sinks = append(u.Sinks, u.hostWrite, u.sink)
		u.sinkData = stream("m_axis_sink_data_t", "data", "keep", "last")
	}
	return u
}

// Idle reports whether nothing is in flight.
func (u *pcieModel) Idle() bool {
	return len(u.reads.jobs)+len(u.writes.jobs)+len(u.came)+len(u.sending)+len(u.filling)+len(u.filled) == 0
}

func (u *pcieModel) wait() int { return u.cycle + 1 + u.rand.IntN(u.Delay+1) }

// claim allocates part of the memory, which must be free.
func (s *pcieSide) claim(j *pcieJob) error { return s.mark(j, true) }

// release frees part of the memory.
func (s *pcieSide) release(j *pcieJob) error { return s.mark(j, false) }

func (s *pcieSide) mark(j *pcieJob, used bool) error {
	for i := range j.bytes {
		at := (j.ram + i) % ramBytes
		if s.used[at] == used {
			return fmt.Errorf("place %#x of the memory: used is %v", at, used)
		}
		s.used[at] = used
	}
	return nil
}

// pick removes and returns a random job that is ready, or nil.
func (u *pcieModel) pick(s *pcieSide) *pcieJob {
	var open []int
	for i, j := range s.jobs {
		if j.ready <= u.cycle {
			open = append(open, i)
		}
	}
	if len(open) == 0 {
		return nil
	}
	i := open[u.rand.IntN(len(open))]
	j := s.jobs[i]
	s.jobs = slices.Delete(s.jobs, i, i+1)
	return j
}

func (u *pcieModel) fault(addr uint64) arch.DMAError {
	if u.Fault == nil {
		return 0
	}
	return u.Fault(addr)
}

// Give drives the inputs before a cycle.
func (u *pcieModel) Give() {
	u.cycle++
	if u.source != nil {
		u.status("read", &u.reads, func(j *pcieJob) {
			p := make([]byte, j.bytes)
			u.Memory.ReadAt(j.addr, p)
			for i, x := range p {
				u.reads.ram[(j.ram+i)%ramBytes] = x
			}
			u.came = append(u.came, j)
		})
		u.send()
	}
	if u.sink != nil {
		u.status("write", &u.writes, func(j *pcieJob) {
			p := make([]byte, j.bytes)
			for i := range p {
				p[i] = u.writes.ram[(j.ram+i)%ramBytes]
			}
			u.Memory.WriteAt(j.addr, p)
		})
		u.sinkData.Rate = 0
		if slices.ContainsFunc(u.filling, lacks) {
			u.sinkData.Rate = u.Rate
		}
		over := len(u.filling) > 0 && u.filling[0].at >= u.filling[0].bytes && u.filling[0].ready <= u.cycle
		u.bench.Pin("s_axis_sink_desc_status_valid").SetBool(over)
		if over {
			u.filled, u.filling = append(u.filled, u.filling[0]), u.filling[1:]
		}
	}
}

// status ends a descriptor of the host interface. It moves the data unless the descriptor fails.
func (u *pcieModel) status(kind string, s *pcieSide, move func(*pcieJob)) {
	port := "s_axis_dma_" + kind + "_desc_status_"
	j := u.pick(s)
	u.bench.Pin(port + "valid").SetBool(j != nil)
	if j == nil {
		return
	}
	code := u.fault(j.addr)
	u.bench.Pin(port + "tag").Set(uint64(j.tag))
	u.bench.Pin(port + "error").Set(uint64(code))
	if code == 0 {
		move(j)
	}
	if code != 0 || s == &u.writes {
		u.errs = append(u.errs, s.release(j))
	}
}

// send sends a beat of the oldest descriptor of the source.
func (u *pcieModel) send() {
	if len(u.sending) == 0 || u.data.Sent() != u.beats || u.sending[0].ready > u.cycle {
		return
	}
	j := u.sending[0]
	beat := make([]byte, u.bytes)
	for i := range min(u.bytes, j.bytes-j.at) {
		beat[i] = u.reads.ram[(j.ram+j.at+i)%ramBytes]
	}
	j.at += u.bytes
	u.beats++
	u.data.Send(0, append(bench.Item(dma.WordsOf(beat)), bench.Bit(j.at >= j.bytes)))
	if j.at >= j.bytes {
		u.sending = u.sending[1:]
		u.errs = append(u.errs, u.reads.release(j))
	}
}

// Take processes the outputs after a cycle. It returns an error if the design has violated a rule.
func (u *pcieModel) Take() error {
	take := func(from *bench.Sink, f func(it bench.Item) error) {
		if from != nil {
			for _, it := range from.Got[0] {
				u.errs = append(u.errs, f(it))
			}
			from.Got[0] = nil
		}
	}
	take(u.hostRead, func(it bench.Item) error {
		j := &pcieJob{addr: it[0], ram: int(it[2]), bytes: int(it[3]), tag: int(it[4]), ready: u.wait()}
		u.reads.jobs = append(u.reads.jobs, j)
		return errors.Join(u.reads.claim(j), zero(it[1]))
	})
	take(u.source, func(it bench.Item) error {
		j := &pcieJob{ram: int(it[0]), bytes: int(it[1]), tag: int(it[2]), ready: u.cycle + 2}
		u.sending = append(u.sending, j)
		return fetch(&u.came, j)
	})
	take(u.sink, func(it bench.Item) error {
		j := &pcieJob{ram: int(it[0]), bytes: int(it[1]), tag: int(it[2])}
		u.filling = append(u.filling, j)
		return u.writes.claim(j)
	})
	take(u.sinkData, u.fill)
	take(u.hostWrite, func(it bench.Item) error {
		j := &pcieJob{addr: it[0], ram: int(it[2]), bytes: int(it[5]), tag: int(it[6]), ready: u.wait()}
		u.writes.jobs = append(u.writes.jobs, j)
		return errors.Join(fetch(&u.filled, j), zero(it[1]|it[3]|it[4]))
	})
	return errors.Join(u.errs...)
}

// lacks reports whether data of a descriptor is missing.
func lacks(j *pcieJob) bool { return j.at < j.bytes }

// fill stores a beat of the oldest incomplete descriptor of the sink.
func (u *pcieModel) fill(it bench.Item) error {
	i := slices.IndexFunc(u.filling, lacks)
	if i < 0 {
		return errors.New("data for no descriptor")
	}
	j, n := u.filling[i], u.bytes/8
	left := j.bytes - j.at
	if keep := ^uint64(0) >> (64 - min(left, u.bytes)); it[n] != keep || (it[n+1] == 1) != (left <= u.bytes) {
		return fmt.Errorf("a beat of %d bytes: keep %#x, last %d", left, it[n], it[n+1])
	}
	for k, x := range dma.BytesOf(it[:n])[:min(left, u.bytes)] {
		u.writes.ram[(j.ram+j.at+k)%ramBytes] = x
	}
	j.at += u.bytes
	j.ready = u.wait()
	return nil
}

// fetch removes the job that matches a descriptor from the filled parts of a memory.
func fetch(list *[]*pcieJob, j *pcieJob) error {
	i := slices.IndexFunc(*list, func(f *pcieJob) bool { return f.ram == j.ram && f.bytes == j.bytes && f.tag == j.tag })
	if i < 0 {
		return fmt.Errorf("%d bytes at %#x of the memory are not there", j.bytes, j.ram)
	}
	*list = slices.Delete(*list, i, i+1)
	return nil
}

func zero(x uint64) error {
	if x != 0 {
		return errors.New("a field of a descriptor is not zero")
	}
	return nil
}
