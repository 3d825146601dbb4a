//go:build linux

package client

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"github.com/hotline-rtl/hotline/host/device/driver"
)

// Device implements driver.Device for the function behind a server. Registers are in BAR 0,
// interrupts are eventfds, and buffers are files in memory.
type Device struct {
	client *Client
	next   uint64 // address of the next buffer
	events []*Event
	fired  <-chan struct{} // events of the latest vector
	files  []*os.File
	maps   [][]byte
	msix   uint64 // offsets of the capabilities in configuration space
	pcie   uint64
}

var (
	_ driver.Device   = (*Device)(nil)
	_ driver.Resetter = (*Device)(nil)
)

const (
	// firstBuffer is the address of the first buffer, beyond all memory of a simulated machine.
	firstBuffer = 1 << 50
	page        = 4096
	readWrite   = 3 // access of a mapping
	// slowness is the factor by which a wait may exceed its timeout, because the device is
	// simulated.
	slowness = 100
)

// Registers of configuration space.
const (
	regCommand      = 4
	regCapabilities = 0x34
	idExpress       = 0x10
	idMSIX          = 0x11
	memoryAndMaster = 6
	functionReset   = 0x80 // in the upper byte of Device Control
	msixEnable      = 0x80 // in the upper byte of Message Control
)

// NewDevice finds the capabilities of the function and enables bus mastering, like a driver during
// probing.
func NewDevice(c *Client) (*Device, error) {
	d := &Device{client: c, next: firstBuffer}
	for id, to := range map[byte]*uint64{idExpress: &d.pcie, idMSIX: &d.msix} {
		var err error
		if *to, err = d.capability(id); err != nil {
			return nil, err
		}
	}
	return d, d.enable()
}

// capability finds a capability by its id.
func (d *Device) capability(id byte) (uint64, error) {
	at := uint64(regCapabilities - 1)
	for range 48 { // the maximum number of capabilities
		head, err := d.client.Read(Config, at, 2) // capability id and offset of the next capability
		if err != nil {
			return 0, err
		}
		if head[0] == id && at >= 0x40 {
			return at, nil
		}
		if at = uint64(head[1]); at == 0 {
			break
		}
	}
	return 0, fmt.Errorf("client: the function has no capability %#x", id)
}

// enable enables memory space and bus mastering.
func (d *Device) enable() error { return d.client.Write(Config, regCommand, memoryAndMaster, 0) }

// Reset implements driver.Resetter. A function-level reset is a bit in configuration space, a bus
// reset is a command.
func (d *Device) Reset(kind driver.ResetKind) error {
	err := error(nil)
	if kind == driver.FunctionReset {
		err = d.client.Write(Config, d.pcie+9, functionReset)
	} else {
		_, err = d.client.Call(Reset, nil)
	}
	if err != nil {
		return err
	}
	return d.enable()
}

// Map allocates n zeroed bytes, rounded up to whole pages, and maps them for the function at an
// address until the device is closed.
func (d *Device) Map(addr uint64, n int) ([]byte, error) {
	whole := (n + page - 1) / page * page
	file, err := NewMemory(whole)
	if err != nil {
		return nil, err
	}
	d.files = append(d.files, file)
	memory, err := syscall.Mmap(FD(file), 0, whole, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("client: %d bytes of memory: %w", n, err)
	}
	d.maps = append(d.maps, memory)
	if _, err := d.client.Call(DMAMap, MapBody(readWrite, 0, addr, uint64(whole)), FD(file)); err != nil {
		return nil, fmt.Errorf("client: mapping of %d bytes at %#x: %w", whole, addr, err)
	}
	return memory[:n], nil
}

// Close closes the file descriptors and unmaps the memory of Map. The client stays open.
func (d *Device) Close() error {
	var all []error
	for _, m := range d.maps {
		all = append(all, syscall.Munmap(m))
	}
	for _, f := range d.files {
		all = append(all, f.Close())
	}
	for _, v := range d.events {
		all = append(all, v.Close())
	}
	return errors.Join(all...)
}

// Read32 implements driver.Device. Before it returns, it serves all DMA messages that arrived
// before the answer.
func (d *Device) Read32(offset uint64) (uint32, error) {
	b, err := d.client.Read(BAR0, offset, 4)
	if err == nil {
		err = d.client.CatchUp()
	}
	if err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint32(b), nil
}

// Write32 implements driver.Device with a posted write.
func (d *Device) Write32(offset uint64, v uint32) error {
	return d.client.Post(RegionWrite, AccessBody(offset, BAR0, 4, U32(v)...))
}

// AllocDMA implements driver.Device. It maps each page separately, like a guest IOMMU. The order of
// the pages in the file is reversed, so that no two pages are adjacent both in the file and in the
// address space.
func (d *Device) AllocDMA(n int) (driver.DMA, error) {
	pages := (n + page - 1) / page
	file, err := NewMemory(pages * page)
	if err != nil {
		return nil, err
	}
	d.files = append(d.files, file)
	b := &buffer{file: file, at: d.next, size: n, pages: pages}
	d.next += uint64(pages+1) * page
	for i := range pages {
		body := MapBody(readWrite, uint64(b.place(i)), b.at+uint64(i)*page, page)
		if _, err := d.client.Call(DMAMap, body, FD(file)); err != nil {
			return nil, fmt.Errorf("client: mapping of page %d of %d: %w", i, pages, err)
		}
	}
	d.client.buffers = append(d.client.buffers, bufferMemory{b})
	return b, nil
}

// EnableVector implements driver.Device.
func (d *Device) EnableVector(i int) error {
	v, err := NewEvent()
	if err != nil {
		return err
	}
	d.events, d.fired = append(d.events, v), v.Listen()
	const triggerByFiles = 0x24
	if _, err := d.client.Call(SetIRQs, IRQBody(triggerByFiles, MSIX, uint32(i), 1), v.FD()); err != nil {
		return err
	}
	return d.client.Write(Config, d.msix+3, msixEnable)
}

// Wait implements driver.Device for a driver with one vector.
func (d *Device) Wait(timeout time.Duration) error {
	switch got, err := d.client.Pump(d.fired, slowness*timeout); {
	case err != nil:
		return err
	case got:
		return nil
	}
	return fmt.Errorf("client: no interrupt: %w", os.ErrDeadlineExceeded)
}

// buffer is DMA memory.
type buffer struct {
	file  *os.File
	at    uint64
	size  int
	pages int
}

// bufferMemory presents a buffer as memory for DMA messages.
type bufferMemory struct{ *buffer }

func (b bufferMemory) Read(addr uint64, p []byte) error {
	return b.buffer.Read(int(addr-b.at), p)
}

func (b bufferMemory) Write(addr uint64, p []byte) error {
	return b.buffer.Write(int(addr-b.at), p)
}

// place returns the file offset of page i.
func (b *buffer) place(i int) int64 { return int64(b.pages-1-i) * page }

func (b *buffer) Address() uint64 { return b.at }
func (b *buffer) Size() int       { return b.size }

func (b *buffer) Read(offset int, p []byte) error { return b.each(offset, p, b.file.ReadAt) }

func (b *buffer) Write(offset int, p []byte) error { return b.each(offset, p, b.file.WriteAt) }

// each transfers p page by page.
func (b *buffer) each(offset int, p []byte, move func([]byte, int64) (int, error)) error {
	if offset < 0 || len(p) > b.size-offset {
		return fmt.Errorf("client: %d bytes at %d of a buffer with %d", len(p), offset, b.size)
	}
	for len(p) > 0 {
		n := min(len(p), page-offset%page)
		if _, err := move(p[:n], b.place(offset/page)+int64(offset%page)); err != nil {
			return err
		}
		p, offset = p[n:], offset+n
	}
	return nil
}
