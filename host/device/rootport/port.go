package rootport

import (
	"errors"
	"fmt"
	"sync"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/vfiouser"
	"github.com/hotline-rtl/hotline/host/pcie/link"
)

// Config describes a root port.
type Config struct {
	// Link configures the link between the port and the card.
	Link link.Config
	// Endpoint configures the card's PCIe function. The function starts in its power-on state, and
	// the client sets it up.
	Endpoint link.EndpointConfig
	// Latency is the latency of the client's memory, from a request's arrival to its first
	// completion. The memory's bandwidth is not limited.
	Latency des.Time
	// Log, unless nil, receives a line when the card fails.
	Log func(line string)
	// Crash, unless nil, is called when a goroutine of the port panics, before the process ends.
	Crash func()
	// Refused, unless nil, is called for each access of the card to memory that the client has not
	// mapped. It may be called from any goroutine.
	Refused func(addr uint64)
	// Slot contains functions that are called for each inserted card, before any traffic on its
	// link. Simulated time continues from the previous card.
	Slot []func(Inserted)
}

// Inserted is a card in the slot of a port, from power-up to the next reset by the client.
type Inserted struct {
	Kernel   *des.Kernel
	Link     *link.Link
	Endpoint *link.Endpoint
	// FLR performs a function-level reset that the client did not request.
	FLR func()
}

// DefaultConfig returns the link and function of the papers' server, and the latency of its root
// complex and memory.
func DefaultConfig() Config {
	root := link.DefaultRootConfig()
	return Config{Link: link.DefaultConfig(), Endpoint: link.DefaultEndpointConfig(), Latency: 2*root.Latency + root.Memory.Latency}
}

// Card is a device for the slot of a port.
type Card interface {
	Endpoint() *link.Endpoint
	// Err returns the error that stopped the card, or nil.
	Err() error
}

// NewCard returns a card in its power-on state.
type NewCard func(k *des.Kernel, cfg link.EndpointConfig) (Card, error)

// Port is a root port. It implements vfiouser.Device.
type Port struct {
	cfg     Config
	newCard NewCard
	host    vfiouser.Host
	tasks   chan func() // for the simulation goroutine; senders wait for execution
	answers *inbox      // for the simulation goroutine: ends of DMA
	quit    chan struct{}
	running sync.WaitGroup

	// Only the simulation goroutine uses these fields.
	slot   *slot
	failed bool // the failure of the card was logged
}

var _ vfiouser.Device = (*Port)(nil)

// New returns a port with a card, for a client behind host. It returns an error if the card cannot
// be created or the configuration is out of range. The caller must call Close.
func New(cfg Config, card NewCard, host vfiouser.Host) (*Port, error) {
	if cfg.Latency < 0 {
		return nil, fmt.Errorf("rootport: memory latency %v, expected 0 or more", cfg.Latency)
	}
	p := &Port{cfg: cfg, newCard: card, host: host, tasks: make(chan func()), answers: newInbox(), quit: make(chan struct{})}
	if err := p.insert(); err != nil {
		return nil, err
	}
	p.running.Go(p.simulate)
	return p, nil
}

// Close ends the simulation, even during an access.
func (p *Port) Close() {
	close(p.quit)
	p.running.Wait()
}

// closed reports whether the simulation must end.
func (p *Port) closed() bool {
	select {
	case <-p.quit:
		return true
	default:
		return false
	}
}

// insert puts a new card into the slot.
func (p *Port) insert() error {
	s := &slot{owner: p, k: des.NewKernel()}
	if p.slot != nil {
		if err := s.k.RunTo(p.slot.k.Now()); err != nil {
			return err
		}
	}
	card, err := p.newCard(s.k, p.cfg.Endpoint)
	if err != nil {
		return err
	}
	card.Endpoint().PowerOn()
	if s.port, _, err = attach(s, p.cfg.Link, card); err != nil {
		return err
	}
	s.card = card
	p.slot, p.failed = s, false
	for _, f := range p.cfg.Slot {
		f(Inserted{s.k, s.port.Link(), card.Endpoint(), s.flr})
	}
	return errors.Join(s.enableVectors()...)
}

// simulate runs the simulation goroutine, which owns the slot. Ends of DMA and accesses have
// priority over simulation steps.
func (p *Port) simulate() {
	defer p.crashed()
	for !p.closed() {
		p.answers.empty()
		if !p.slot.waits() && p.slot.k.Step() {
			select {
			case f := <-p.tasks:
				f()
			default:
			}
			continue
		}
		select {
		case f := <-p.tasks:
			f()
		case <-p.answers.some:
		case <-p.quit:
		}
	}
}

// crashed calls Crash if the goroutine that defers it panics.
func (p *Port) crashed() {
	if r := recover(); r != nil {
		if p.cfg.Crash != nil {
			p.cfg.Crash()
		}
		panic(r)
	}
}

// do runs f in the simulation goroutine and waits for it. It returns false if the simulation has
// ended.
func (p *Port) do(f func()) bool {
	done := make(chan struct{})
	select {
	case p.tasks <- func() { f(); close(done) }:
		<-done
		return true
	case <-p.quit:
		return false
	}
}

// BARs implements vfiouser.Device.
func (p *Port) BARs() [6]uint64 { return [6]uint64{p.cfg.Endpoint.BAR.Size} }

// Vectors implements vfiouser.Device.
func (p *Port) Vectors() int { return link.Vectors }

// ReadBAR implements vfiouser.Device. The client's server handles the MSI-X structures; here they
// read as zero.
func (p *Port) ReadBAR(_ int, offset uint64, b []byte) {
	p.do(func() { p.slot.read(offset, b) })
	start, end := p.inMSIX(offset, len(b))
	clear(b[start:end])
}

// WriteBAR implements vfiouser.Device. It returns when the write has been sent.
func (p *Port) WriteBAR(_ int, offset uint64, b []byte) {
	start, end := p.inMSIX(offset, len(b))
	p.do(func() {
		p.slot.write(offset, b[:start])
		p.slot.write(offset+uint64(end), b[end:])
	})
}

// inMSIX returns the part of n bytes at an offset that is in the MSI-X structures.
func (p *Port) inMSIX(offset uint64, n int) (start, end int) {
	first, at := int(p.cfg.Endpoint.MSIXOffset), int(offset)
	return max(0, min(first-at, n)), max(0, min(first+link.MSIXSize-at, n))
}

// Reset implements vfiouser.Device. It inserts a new card. Traffic to and from the old card is
// lost.
func (p *Port) Reset() {
	p.do(func() {
		if err := p.insert(); err != nil { // the same configuration succeeded before
			p.say(err)
		}
	})
}

// refused reports an access to memory that ended with an error.
func (p *Port) refused(addr uint64, err error) {
	if err != nil && !errors.Is(err, vfiouser.ErrNoClient) && p.cfg.Refused != nil {
		p.cfg.Refused(addr)
	}
}

func (p *Port) say(err error) {
	if p.cfg.Log != nil {
		p.cfg.Log(err.Error())
	}
}
