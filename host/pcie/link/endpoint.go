package link

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/config"
)

// WriteWindow is the maximum number of write descriptors in flight before the shell stalls the
// core, as real hardware does when its buffer is full.
const WriteWindow = 32

// Core is the device logic behind an endpoint: the accelerator. Its methods are called from within
// events. They may call the endpoint but must not run the kernel.
type Core interface {
	// ReadRegister reads the 32-bit register at offset, a multiple of 4. The core calls reply once,
	// immediately or later. Accesses are in order: a read starts when all earlier writes are done.
	// At most one read is in progress.
	ReadRegister(offset uint64, reply func(value uint32, status pcie.Status))
	// WriteRegister writes the enabled bytes of a register; bit i of enables selects byte i, and at
	// least one bit is set. The core calls done once, immediately or later. At most one write is in
	// progress.
	WriteRegister(offset uint64, value uint32, enables uint8, done func())

	// ReadData delivers the next bytes of read descriptor id in address order, starting at offset;
	// last marks the end of the descriptor. The core may keep data. Descriptors can overtake each
	// other.
	ReadData(id uint32, offset int, data []byte, last bool)
	// ReadDone ends read descriptor id; all its tags are free. If there is an error, some data may
	// have been delivered, but none marked as last.
	ReadDone(id uint32, e Error)
	// WriteDone ends write descriptor id: its last TLP is on the link, and all later TLPs arrive
	// after it.
	WriteDone(id uint32, e Error)

	// Configured reports the core's permissions from now on. If busMaster is set, the core may
	// start descriptors and interrupts. If up is set, the link is up. Requests that the core starts
	// without permission wait in the endpoint.
	Configured(busMaster, up bool)
	// Reset performs a function-level reset: the core must discard all state. Its descriptors have
	// ended, and register accesses in progress are not completed.
	Reset()
}

// EndpointConfig configures an endpoint.
type EndpointConfig struct {
	// ID is the requester and completer ID.
	ID pcie.ID
	// BAR is the window of the registers. Size is a power of two that divides Base. The window ends
	// below 4 GiB.
	BAR Window
	// MSIXOffset is the offset of the MSI-X structures in the BAR. The core does not see these
	// [MSIXSize] bytes.
	MSIXOffset uint64
	// Straps contains the initial settings. An endpoint starts as firmware leaves it, with its BAR
	// at Base and interrupts enabled. [Endpoint.PowerOn] restores the unconfigured state.
	Straps Straps
	// CompletionTimeout is the time in picoseconds after which unanswered reads end, unless the
	// host sets another timeout.
	CompletionTimeout des.Time
	// Identity is how software recognizes the device.
	Identity config.Identity
	// Serial is the device serial number, an EUI-64. Each device in a machine has its own.
	Serial uint64
}

// DefaultEndpointConfig returns function 01:00.0 with 64 KiB of registers at 4 GiB minus 32 MiB.
// MSI-X is in the upper half of the registers, and the completion timeout is 10 ms.
func DefaultEndpointConfig() EndpointConfig {
	f := config.DefaultFunction()
	return EndpointConfig{
		ID: pcie.NewID(1, 0, 0), BAR: Window{0xfe000000, f.BARSize}, MSIXOffset: f.Table,
		Straps: DefaultStraps(), CompletionTimeout: 10 * des.Millisecond, Identity: f.Identity, Serial: f.Serial,
	}
}

// Check returns an error for the first field that is out of range.
func (c EndpointConfig) Check() error {
	s := c.BAR.Size
	switch {
	case s < 2*MSIXSize || s&(s-1) != 0 || c.BAR.Base%s != 0 || c.BAR.Base+s > 1<<32:
		return fmt.Errorf("link: BAR %v, expected a power of two from %#x at a multiple of itself and below 4 GiB", c.BAR, 2*MSIXSize)
	case c.MSIXOffset%MSIXSize != 0 || c.MSIXOffset >= s:
		return fmt.Errorf("link: MSI-X at %#x, expected a multiple of %#x inside the BAR", c.MSIXOffset, MSIXSize)
	case c.CompletionTimeout <= 0:
		return fmt.Errorf("link: completion timeout %v, expected above 0", c.CompletionTimeout)
	}
	return c.Straps.Check()
}

// Endpoint is the transaction layer of a device's shell, corresponding to a PCIe hard IP block and
// a DMA engine. It divides descriptors into requests, manages tags, checks completions and delivers
// their data in order. It also completes register accesses and sends interrupts.
type Endpoint struct {
	k        *des.Kernel
	cfg      EndpointConfig
	core     Core
	port     *Port
	counters Counters
	space    *config.Space
	set      config.Settings // current settings of the host

	reads     requester
	descs     des.FIFO[*readDesc] // not yet completely issued
	idleDescs []*readDesc
	idleParts []*readPart

	posted  des.FIFO[heldWrite] // waiting for bus mastering
	leaving des.FIFO[uint32]    // descriptors whose last write is queued on the link
	stale   int                 // number of queued last writes whose descriptors a reset has ended
	left    func()              // the method wrote
	regs    registers
	vectors [Vectors]vector
}

// NewEndpoint returns an endpoint for core, which the core can use after the endpoint is attached.
func NewEndpoint(k *des.Kernel, cfg EndpointConfig, core Core) (*Endpoint, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	space, err := config.New(cfg.function())
	if err != nil {
		return nil, err
	}
	e := &Endpoint{k: k, cfg: cfg, core: core, space: space}
	e.left, e.reads.failed = e.wrote, e.noteFailure
	e.reads.init(k, cfg.ID, cfg.CompletionTimeout, &e.counters, e.report, e.freed)
	e.resetVectors()
	e.preset(cfg.Straps)
	e.set = space.Settings()
	e.reads.setTags(e.tags())
	k.Watch(fmt.Sprintf("endpoint %v", cfg.ID), e.state)
	return e, nil
}

// ID implements [Device].
func (e *Endpoint) ID() pcie.ID { return e.cfg.ID }

// BAR returns the window of the registers as assigned by the host.
func (e *Endpoint) BAR() Window { return Window{e.set.Base, e.cfg.BAR.Size} }

// Resets returns the number of function-level resets so far.
func (e *Endpoint) Resets() int { return e.regs.epoch }

// Windows implements [Device]. An endpoint that has not been enumerated claims no window.
func (e *Endpoint) Windows() []Window {
	if !e.set.Memory {
		return nil
	}
	return []Window{e.BAR()}
}

// Attached implements [Device].
func (e *Endpoint) Attached(p *Port) {
	e.port = p
	l := p.Link().Config()
	e.space.SetLink(l.Generation, l.Lanes)
	p.SetECRC(e.ECRC())
	e.tellCore()
}

// Port returns the endpoint's end of the link, or nil before it is attached.
func (e *Endpoint) Port() *Port { return e.port }

// Counters returns the endpoint's error counters.
func (e *Endpoint) Counters() Counters { return e.counters }

// TagsInUse returns the number of tags that are not free: outstanding reads, and tags in quarantine
// after a timeout.
func (e *Endpoint) TagsInUse() int { return len(e.reads.slots) - e.reads.free.Len() }

// Backlog returns the number of read descriptors that are not completely requested, and the number
// of waiting TLPs and writes. These wait for the link or for bus mastering. A core checks the
// backlog before it starts more.
func (e *Endpoint) Backlog() (reads, tlps int) {
	return e.descs.Len(), e.port.Queued() + e.posted.Len()
}

// HoldTimeouts suspends completion timeouts until ResumeTimeouts: the simulated time in between
// does not count. A host uses it while it waits for an event outside the simulation. The calls must
// alternate.
func (e *Endpoint) HoldTimeouts() { e.reads.hold() }

// ResumeTimeouts ends the suspension by HoldTimeouts.
func (e *Endpoint) ResumeTimeouts() { e.reads.resume() }

// Receive implements [Receiver].
func (e *Endpoint) Receive(p *Port, t *pcie.TLP) {
	switch t.Kind {
	case pcie.Cpl, pcie.CplD:
		e.reads.completion(t)
		p.Release(t)
	case pcie.MRd, pcie.MWr:
		e.access(p, t)
	case pcie.CfgRd0, pcie.CfgWr0, pcie.CfgRd1, pcie.CfgWr1:
		e.configure(p, t)
		p.Release(t)
	default:
		p.Release(t) // this device ignores messages
	}
}

// state returns the endpoint's line in a deadlock report.
func (e *Endpoint) state() string {
	s := e.reads.state()
	for _, more := range []struct {
		n    int
		what string
	}{
		{e.descs.Len(), "read descriptors wait for tags or bus mastering"},
		{e.posted.Len(), "writes wait for bus mastering"},
		{e.regs.pending(), "register accesses wait for the core"},
	} {
		if more.n > 0 {
			if s != "" {
				s += ", "
			}
			s += fmt.Sprintf("%d %s", more.n, more.what)
		}
	}
	return s
}
