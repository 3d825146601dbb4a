//go:build linux

package vfiouser_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/vfiouser"
	"github.com/hotline-rtl/hotline/host/device/vfiouser/client"
)

// Registers of the toy in BAR 0. A write of a vector number to toyWrite or toyRead writes or reads
// toyLength bytes at toyAddr and then fires that vector.
const (
	toyBytes  = 0x1000
	toyID     = 0x00
	toyAddr   = 0x10
	toyLength = 0x18
	toyWrite  = 0x20
	toyRead   = 0x24
	toyFire   = 0x28
	toyBuffer = 0x800 // data read or written
	vectors   = 4
)

// toy is a device with memory instead of registers.
type toy struct {
	host vfiouser.Host

	mutex    sync.Mutex
	bar      [toyBytes]byte
	config   [vfiouser.ConfigSize]byte
	sizes    []int // of accesses to BAR 0
	resets   int
	outcomes chan error // of DMA and interrupts
	inside   func()     // called in an access before it is answered; may be nil
}

func (d *toy) BARs() [6]uint64              { return [6]uint64{toyBytes} }
func (d *toy) Vectors() int                 { return vectors }
func (d *toy) Config() vfiouser.ConfigSpace { return toyConfig{d} }
func (d *toy) ReadBAR(_ int, at uint64, p []byte) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.sizes = append(d.sizes, len(p))
	copy(p, d.bar[at:])
	if d.inside != nil {
		d.inside()
	}
}

func (d *toy) WriteBAR(_ int, at uint64, p []byte) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.sizes = append(d.sizes, len(p))
	copy(d.bar[at:], p)
	if d.inside != nil {
		d.inside()
	}
	if at >= toyWrite && at <= toyFire {
		d.do(at, int(p[0])%vectors)
	}
}

// do answers first and performs the DMA afterwards.
func (d *toy) do(what uint64, vector int) {
	addr, n := binary.LittleEndian.Uint64(d.bar[toyAddr:]), int(binary.LittleEndian.Uint32(d.bar[toyLength:]))%(1<<20)
	go func() {
		d.outcomes <- func() error {
			p := make([]byte, n)
			switch what {
			case toyWrite:
				d.mutex.Lock()
				for i := range p {
					p[i] = d.bar[toyBuffer+i%(toyBytes-toyBuffer)]
				}
				d.mutex.Unlock()
				if err := ended(d.host.WriteDMA, addr, p); err != nil {
					return err
				}
			case toyRead:
				if err := ended(d.host.ReadDMA, addr, p); err != nil {
					return err
				}
				d.mutex.Lock()
				copy(d.bar[toyBuffer:], p)
				d.mutex.Unlock()
			}
			return d.host.Interrupt(vector)
		}()
	}()
}

// ended performs DMA and waits for its end.
func ended(dma func(uint64, []byte, func(error)), addr uint64, p []byte) error {
	done := make(chan error, 1)
	dma(addr, p, func(err error) { done <- err })
	return <-done
}

// look returns the result of get, called while the toy is locked.
func look[T any](d *toy, get func() T) T {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return get()
}

// buffer returns a copy of the first n bytes of toyBuffer.
func (d *toy) buffer(n int) []byte {
	return look(d, func() []byte { return bytes.Clone(d.bar[toyBuffer:][:n]) })
}

// fill sets the first bytes of toyBuffer.
func (d *toy) fill(p ...byte) { look(d, func() int { return copy(d.bar[toyBuffer:], p) }) }

func (d *toy) Reset() {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.resets++
	d.config = [vfiouser.ConfigSize]byte{}
}

type toyConfig struct{ d *toy }

func (c toyConfig) Read(at int, p []byte)  { copy(p, c.d.config[at:]) }
func (c toyConfig) Write(at int, p []byte) { copy(c.d.config[at:], p) }

// harness is a server with a toy.
type harness struct {
	t      testing.TB
	toy    *toy
	server *vfiouser.Server
	path   string
	stop   func() // ends the server
	log    chan string
}

func newHarness(t testing.TB, set ...func(*vfiouser.Server)) *harness {
	r := &harness{t: t, toy: &toy{outcomes: make(chan error, 1<<16)}, log: make(chan string, 1<<16)}
	binary.LittleEndian.PutUint32(r.toy.bar[toyID:], 0x746f7921)
	var err error
	r.server, err = vfiouser.New(func(h vfiouser.Host) (vfiouser.Device, error) { r.toy.host = h; return r.toy, nil })
	require.NoError(t, err)
	r.server.Log = func(line string) { r.log <- line }
	for _, f := range set {
		f(r.server)
	}
	dir, err := os.MkdirTemp("", "vfiouser") // short enough for a socket address
	require.NoError(t, err)
	r.path = filepath.Join(dir, "socket")
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- r.server.Serve(ctx, r.path) }()
	var once sync.Once
	r.stop = func() {
		once.Do(func() {
			cancel()
			select {
			case err := <-ended:
				require.NoError(t, err)
			case <-time.After(client.Patience):
				t.Fatal("the server does not end")
			}
			require.NoError(t, os.RemoveAll(dir))
		})
	}
	t.Cleanup(r.stop)
	require.Equal(t, "listening on "+r.path, <-r.log)
	return r
}

// connect returns a client that has negotiated a version.
func (r *harness) connect() *client.Client {
	c, err := client.Open(r.path)
	require.NoError(r.t, err)
	r.t.Cleanup(func() { _ = c.Close() })
	return c
}

// dma makes the toy start a DMA.
func (r *harness) dma(c *client.Client, what, addr uint64, n, vector int) {
	require.NoError(r.t, c.Write(client.BAR0, toyAddr, client.U64(addr)...))
	require.NoError(r.t, c.Write(client.BAR0, toyLength, client.U32(uint32(n))...))
	require.NoError(r.t, c.Write(client.BAR0, what, client.U32(uint32(vector))...))
}

// outcome pumps until the toy is done, and returns its error.
func (r *harness) outcome(c *client.Client) error {
	outcome, done := error(nil), make(chan struct{}, 1)
	go func() {
		outcome = <-r.toy.outcomes
		done <- struct{}{}
	}()
	ok, err := c.Pump(done, client.Patience)
	require.NoError(r.t, err)
	require.True(r.t, ok, "the DMA does not end")
	return outcome
}

// memory returns a file of the client.
func (r *harness) memory(n int) *os.File {
	f, err := client.NewMemory(n)
	require.NoError(r.t, err)
	r.t.Cleanup(func() { _ = f.Close() })
	return f
}

// mapped maps windows of a file.
func (r *harness) mapped(c *client.Client, f *os.File, access uint32, offset, addr, size uint64) {
	_, err := c.Call(client.DMAMap, client.MapBody(access, offset, addr, size), client.FD(f))
	require.NoError(r.t, err)
}

// event attaches a new eventfd to a vector.
func (r *harness) event(c *client.Client, vector int) *client.Event {
	v, err := client.NewEvent()
	require.NoError(r.t, err)
	r.t.Cleanup(func() { _ = v.Close() })
	_, err = c.Call(client.SetIRQs, client.IRQBody(0x24, client.MSIX, uint32(vector), 1), v.FD())
	require.NoError(r.t, err)
	return v
}

// refused sends a command that the server must reject with an errno.
func refused(t testing.TB, c *client.Client, want syscall.Errno, command uint16, body []byte, files ...int) {
	t.Helper()
	_, err := c.Call(command, body, files...)
	require.Equal(t, want, err)
}

// area is memory that serves messages.
type area struct {
	at   uint64
	data []byte
}

func (a *area) Read(addr uint64, p []byte) error {
	if addr < a.at || addr+uint64(len(p)) > a.at+uint64(len(a.data)) {
		return syscall.EFAULT
	}
	copy(p, a.data[addr-a.at:])
	return nil
}

func (a *area) Write(addr uint64, p []byte) error {
	if addr < a.at || addr+uint64(len(p)) > a.at+uint64(len(a.data)) {
		return syscall.EFAULT
	}
	copy(a.data[addr-a.at:], p)
	return nil
}
