package faults

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// area is a memory region with its expected contents.
type area struct {
	*server.Region
	name string
	want []byte
}

// store writes to the area as the CPU and records the expected contents.
func (a *area) store(offset int, p []byte) error {
	a.expect(offset, p)
	return a.Write(offset, p)
}

// expect records a write by the accelerator to the area.
func (a *area) expect(offset int, p []byte) { copy(a.want[offset:], p) }

// restore writes the expected contents of a part of the area.
func (a *area) restore(offset, n int) error { return a.Write(offset, a.want[offset:][:n]) }

// check compares a part of the area with its expected contents.
func (a *area) check(offset, n int) error {
	got := make([]byte, n)
	if err := a.Read(offset, got); err != nil {
		return err
	}
	want := a.want[offset:][:n]
	if bytes.Equal(got, want) {
		return nil
	}
	for i := range got {
		if got[i] != want[i] {
			return fmt.Errorf("%s, byte %d: %#02x, expected %#02x", a.name, offset+i, got[i], want[i])
		}
	}
	return nil
}

// Sizes of the data in memory. The rows of both tables that can be hot precede the other rows.
const (
	tables    = 2
	tableRows = 200
	hotRows   = 100
	slots     = 4
	mostJobs  = 12 // in a round
	mostRows  = 12 // in an update
	mostBatch = 100
	bitmapMax = mostBatch/128*16 + 16
)

// tableOf maps a feature field to its table: the first table has one field, the second has three.
var tableOf = [slots]int{0, 1, 1, 1}

// memory contains the areas in host memory and in the memories of the GPUs.
type memory struct {
	rowBytes int
	words    [2]*area
	bitmap   [2]*area
	tables   [tables]*area
	lists    *area           // update lists, one for each job
	scratch  [1 + gpus]*area // rows that jobs write: in host memory and on each GPU
	entries  *area
	gpu      [gpus]struct{ hot, pooled, grad, mailbox *area }
	all      []*area
}

// layOut allocates all areas and fills the tables.
func (m *machine) layOut() error {
	row := 64 << m.rng.IntN(4)
	m.rowBytes = row
	host := m.server.Host
	for h := range 2 {
		m.words[h] = m.take(host, fmt.Sprintf("words of half %d", h), 4*slots*mostBatch)
		m.bitmap[h] = m.take(host, fmt.Sprintf("bitmap of half %d", h), bitmapMax)
		m.tables[h] = m.take(host, fmt.Sprintf("table %d", h), tableRows*row)
	}
	m.lists = m.take(host, "update lists", mostJobs*mostRows*arch.UpdateBytes)
	m.entries = m.take(host, "hot set", arch.HotSetBytes(tables*hotRows))
	m.scratch[0] = m.take(host, "rows in host memory", mostJobs*row)
	for g, gpu := range m.server.GPUs {
		name := func(what string) string { return fmt.Sprintf("%s of GPU %d", what, g) }
		a := &m.gpu[g]
		a.hot = m.take(gpu.Memory, name("hot table"), sizes.Blocks*row)
		a.pooled = m.take(gpu.Memory, name("pooled vectors"), ceil(mostBatch, gpus)*tables*row)
		a.grad = m.take(gpu.Memory, name("gradients"), ceil(mostRows, gpus)*row)
		a.mailbox = m.take(gpu.Memory, name("mailbox"), bitmapMax)
		m.scratch[1+g] = m.take(gpu.Memory, name("rows"), mostJobs*row)
	}
	for _, a := range []*area{m.tables[0], m.tables[1], m.gpu[0].hot, m.gpu[1].hot, m.gpu[0].grad, m.gpu[1].grad} {
		if err := m.fill(a); err != nil {
			return err
		}
	}
	return m.server.Fits()
}

func (m *machine) take(s *server.Space, name string, n int) *area {
	a := &area{Region: s.Alloc(name, n), name: name, want: make([]byte, n)}
	m.all = append(m.all, a)
	return a
}

// fill fills an area with random values from -1 to 1.
func (m *machine) fill(a *area) error {
	p := make([]byte, 0, a.Size())
	for range a.Size() / 4 {
		p = binary.LittleEndian.AppendUint32(p, math.Float32bits(float32(m.rng.IntN(2001)-1000)/1000))
	}
	return a.store(0, p)
}

// check compares all memory with its expected contents.
func (m *memory) check() error {
	for _, a := range m.all {
		if err := a.check(0, a.Size()); err != nil {
			return err
		}
	}
	return nil
}

// vector returns the expected contents of row i of an area.
func (m *memory) vector(a *area, i int) []float32 {
	p := a.want[i*m.rowBytes:][:m.rowBytes]
	v := make([]float32, 0, len(p)/4)
	for ; len(p) > 0; p = p[4:] {
		v = append(v, math.Float32frombits(binary.LittleEndian.Uint32(p)))
	}
	return v
}

// put records v as the expected contents of row i of an area.
func (m *memory) put(a *area, i int, v []float32) {
	p := make([]byte, 0, m.rowBytes)
	for _, x := range v {
		p = binary.LittleEndian.AppendUint32(p, math.Float32bits(x))
	}
	a.expect(i*m.rowBytes, p)
}

// part is a range of bytes in an area.
type part struct {
	*area
	at, n int
}

// row returns the range of row i of an area.
func (m *memory) row(a *area, i int) part { return part{a, i * m.rowBytes, m.rowBytes} }
