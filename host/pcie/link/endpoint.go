package link

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/config"
)

// WriteWindow is how many write descriptors of a core may be under way before its shell
// stalls it, as a real one does when its buffer is full.
const WriteWindow = 32

// Core is the device behind an endpoint: the accelerator. Its methods are called
// from within events; they may call the endpoint, but not run the kernel.
type Core interface {
	// ReadRegister reads the 32-bit register at a multiple of 4. The core calls
	// reply once, at once or later. Accesses come in order: a read begins when
	// all earlier writes are done. There is at most one read at a time.
	ReadRegister(offset uint64, reply func(value uint32, status pcie.Status))
	// WriteRegister writes the bytes of a register that are enabled, a bit each;
	// at least one is. The core calls done once, at once or later. There is at
	// most one write at a time.
	WriteRegister(offset uint64, value uint32, enables uint8, done func())

	// ReadData gets the next bytes of read descriptor id, from offset on, in
	// address order; last marks the end of the descriptor. The core may keep
	// data. Descriptors overtake each other.
	ReadData(id uint32, offset int, data []byte, last bool)
	// ReadDone ends read descriptor id; all its tags are free. After an error
	// there may have been some data, but none marked as last.
	ReadDone(id uint32, e Error)
	// WriteDone ends write descriptor id: its last TLP is on the link, and
	// whatever is sent from now on arrives behind it.
	WriteDone(id uint32, e Error)

	// Configured tells the core what it is allowed to do from now on: with
	// busMaster it may begin descriptors and interrupts, with up there is a link.
	// What it begins all the same waits in the endpoint.
	Configured(busMaster, up bool)
	// Reset is a function-level reset: the core forgets everything. Its
	// descriptors have ended, and register accesses under way get no answer.
	Reset()
}

// EndpointConfig describes an endpoint.
type EndpointConfig struct {
	// ID is the requester and completer ID.
	ID pcie.ID
	// BAR is the window of the registers; 0 < Size, a power of two that divides
	// Base. It ends below 4 GiB.
	BAR Window
	// MSIXOffset is where in the BAR the MSI-X structures are, [MSIXSize] bytes
	// that the core does not see.
	MSIXOffset uint64
	// Straps at the start. An endpoint begins as firmware leaves it, with its BAR
	// at Base and interrupts enabled; [Endpoint.PowerOn] takes this away.
	Straps Straps
	// CompletionTimeout ends reads that are not answered, unless the host sets
	// another.
	CompletionTimeout des.Time
	// Serial is the device serial number, an EUI-64. Each card of a machine has its
	// own.
	Serial uint64
}

// DefaultEndpointConfig is function 01:00.0 with 64 KiB of registers just below
// 4 GiB less 32 MiB, MSI-X in its upper half, and a completion timeout of 10 ms.
func DefaultEndpointConfig() EndpointConfig {
	f := config.DefaultFunction()
	return EndpointConfig{
		ID: pcie.NewID(1, 0, 0), BAR: Window{0xfe000000, f.BARSize}, MSIXOffset: f.Table,
		Straps: DefaultStraps(), CompletionTimeout: 10 * des.Millisecond, Serial: f.Serial,
	}
}

// Check reports the first field that is out of range.
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

// Endpoint is the transactional half of a device's shell, what a hard IP block
// and a DMA engine do: it cuts descriptors into requests, manages tags, checks
// completions and delivers their data in order, answers register accesses, and
// sends interrupts.
type Endpoint struct {
	k        *des.Kernel
	cfg      EndpointConfig
	core     Core
	port     *Port
	counters Counters
	space    *config.Space
	set      config.Settings // what the host has set there

	reads     requester
	descs     des.FIFO[*readDesc] // not yet issued completely
	idleDescs []*readDesc
	idleParts []*readPart

	posted  des.FIFO[heldWrite] // waits for bus mastering
	leaving des.FIFO[uint32]    // descriptors whose last write is queued on the link
	stale   int                 // writes queued there that a reset has ended
	left    func()              // wrote
	regs    registers
	vectors [Vectors]vector
}

// NewEndpoint makes an endpoint for core, which uses it once it is attached.
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

// BAR is the window of the registers, where the host has put it.
func (e *Endpoint) BAR() Window { return Window{e.set.Base, e.cfg.BAR.Size} }

// Windows implements [Device]: an endpoint that waits for its enumeration claims
// none.
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

// Port is the endpoint's end of the link, nil before it is attached.
func (e *Endpoint) Port() *Port { return e.port }

// Counters are the errors of the endpoint so far.
func (e *Endpoint) Counters() Counters { return e.counters }

// TagsInUse is the number of tags that are not free: reads outstanding, and
// tags that rest after a timeout.
func (e *Endpoint) TagsInUse() int { return len(e.reads.slots) - e.reads.free.Len() }

// Backlog is the number of read descriptors not yet requested completely and of
// TLPs that wait for the link, and writes for bus mastering: what a core looks at before
// it offers more.
func (e *Endpoint) Backlog() (reads, tlps int) {
	return e.descs.Len(), e.port.Queued() + e.posted.Len()
}

// HoldTimeouts stops the ageing of reads until ResumeTimeouts: simulated time that
// passes in between does not count towards the completion timeout. It is for a host
// that waits for something outside of the simulation. The calls alternate.
func (e *Endpoint) HoldTimeouts() { e.reads.hold() }

// ResumeTimeouts ends HoldTimeouts.
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
		p.Release(t) // messages ask nothing of this device
	}
}

// state is the endpoint's line in a deadlock report.
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
