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
	// Link joins the port and the card.
	Link link.Config
	// Endpoint is the card's PCIe function, which has just got power: it is up to the
	// client to set it up.
	Endpoint link.EndpointConfig
	// Latency is that of the client's memory, from a request's arrival to its first
	// completion. Its bandwidth is not limited.
	Latency des.Time
	// Log, unless nil, gets a line when the card fails.
	Log func(line string)
	// Crash, unless nil, is called when a goroutine of the port panics, which ends the
	// process.
	Crash func()
	// Slot, unless nil, gets the link of each card before anything goes over it, and
	// the card's end. Time goes on from that of the card before.
	Slot func(*link.Link, *link.Endpoint)
}

// DefaultConfig is the link and the function of the papers' server, and the latency
// of its root complex and memory.
func DefaultConfig() Config {
	root := link.DefaultRootConfig()
	return Config{Link: link.DefaultConfig(), Endpoint: link.DefaultEndpointConfig(), Latency: 2*root.Latency + root.Memory.Latency}
}

// Card is what can be put below a port.
type Card interface {
	Endpoint() *link.Endpoint
	// Err is what stopped the card, if anything did.
	Err() error
}

// NewCard makes a card as it is after power-up.
type NewCard func(k *des.Kernel, cfg link.EndpointConfig) (Card, error)

// Port is a root port. It is a vfiouser.Device.
type Port struct {
	cfg     Config
	newCard NewCard
	host    vfiouser.Host
	tasks   chan func() // for the goroutine of the simulation, which somebody waits for
	answers *inbox      // for it as well: the ends of DMA
	quit    chan struct{}
	running sync.WaitGroup

	// Only that goroutine uses these.
	slot   *slot
	failed bool // the card has, and it was said
}

var _ vfiouser.Device = (*Port)(nil)

// New puts a card below a port, for a client behind host. Errors: the card cannot be
// made, or the configuration is out of range. Close ends what New begins.
func New(cfg Config, card NewCard, host vfiouser.Host) (*Port, error) {
	if cfg.Latency < 0 {
		return nil, fmt.Errorf("rootport: memory latency %v, expected none to be negative", cfg.Latency)
	}
	p := &Port{cfg: cfg, newCard: card, host: host, tasks: make(chan func()), answers: newInbox(), quit: make(chan struct{})}
	if err := p.insert(); err != nil {
		return nil, err
	}
	p.running.Go(p.simulate)
	return p, nil
}

// Close ends the simulation, also within an access.
func (p *Port) Close() {
	close(p.quit)
	p.running.Wait()
}

// closed reports whether the simulation has to end.
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
	if p.cfg.Slot != nil {
		p.cfg.Slot(s.port.Link(), card.Endpoint())
	}
	return errors.Join(s.enableVectors()...)
}

// simulate is the goroutine that owns the slot. The ends of DMA and accesses come first.
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

// do runs f in the goroutine of the simulation and waits for its end. False if there
// is none any more.
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

// ReadBAR implements vfiouser.Device. The MSI-X structures are the client's and read
// as zero here.
func (p *Port) ReadBAR(_ int, offset uint64, b []byte) {
	p.do(func() { p.slot.read(offset, b) })
	start, end := p.inMSIX(offset, len(b))
	clear(b[start:end])
}

// WriteBAR implements vfiouser.Device. It returns when the write is on its way.
func (p *Port) WriteBAR(_ int, offset uint64, b []byte) {
	start, end := p.inMSIX(offset, len(b))
	p.do(func() {
		p.slot.write(offset, b[:start])
		p.slot.write(offset+uint64(end), b[end:])
	})
}

// inMSIX gives the part of n bytes at an offset that lies in the MSI-X structures.
func (p *Port) inMSIX(offset uint64, n int) (start, end int) {
	first, at := int(p.cfg.Endpoint.MSIXOffset), int(offset)
	return max(0, min(first-at, n)), max(0, min(first+link.MSIXSize-at, n))
}

// Reset implements vfiouser.Device: it puts another card into the slot. What is on its
// way to or from the old one is lost.
func (p *Port) Reset() {
	p.do(func() {
		if err := p.insert(); err != nil { // what has worked works again
			p.say(err)
		}
	})
}

func (p *Port) say(err error) {
	if p.cfg.Log != nil {
		p.cfg.Log(err.Error())
	}
}
