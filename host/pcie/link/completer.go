package link

import (
	"fmt"
	"math/rand/v2"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/config"
)

// Store is memory behind PCIe; [des.Memory] implements it. An error means that the address is not
// backed.
type Store interface {
	Read(addr uint64, p []byte) error
	Write(addr uint64, p []byte) error
}

// MemoryConfig configures how a memory completes requests.
type MemoryConfig struct {
	// Latency is the time from a request to its first completion, in picoseconds, without queueing.
	Latency des.Time
	// GBPerSecond is the bandwidth in 1e9 bytes per second.
	GBPerSecond float64
	// Granule is the minimum number of bytes per access.
	Granule int
	// MPS and RCB limit completions, in bytes; MPS also limits accepted writes.
	MPS int
	RCB int
	// Policy determines where completions are split: "max", "rcb" or "random".
	Policy string
	// Jitter is the maximum random delay of a completion, in picoseconds. It lets reads overtake
	// each other. Completions of one read stay in order.
	Jitter des.Time
	// Seed is the seed of the random policy and the jitter.
	Seed int
}

// Check returns an error for the first field that is out of range.
func (c MemoryConfig) Check() error {
	if _, err := c.policy(); err != nil {
		return err
	}
	switch {
	case c.Latency < 0 || c.Jitter < 0:
		return fmt.Errorf("link: memory latency %v and jitter %v, expected 0 or more", c.Latency, c.Jitter)
	case !(c.GBPerSecond > 0):
		return fmt.Errorf("link: memory bandwidth %v GB/s, expected above 0", c.GBPerSecond)
	case c.Granule < 1:
		return fmt.Errorf("link: memory granule %d, expected at least 1", c.Granule)
	}
	switch {
	case !sizes.Contains(c.MPS):
		return fmt.Errorf("link: memory max payload %d, expected %s", c.MPS, sizes)
	case !rcbs.Contains(c.RCB):
		return fmt.Errorf("link: memory read completion boundary %d, expected %s", c.RCB, rcbs)
	}
	return nil
}

func (c MemoryConfig) policy() (pcie.Policy, error) {
	switch c.Policy {
	case "max":
		return pcie.MaxSize, nil
	case "rcb":
		return pcie.EveryRCB, nil
	case "random":
		return pcie.Random(uint64(c.Seed)), nil
	}
	return nil, fmt.Errorf("link: completion policy %q, expected max, rcb or random", c.Policy)
}

// completer completes memory requests from a store.
type completer struct {
	k        *des.Kernel
	cfg      MemoryConfig
	id       pcie.ID
	store    Store
	base     uint64 // address of the store's first byte
	ram      *des.Resource
	pick     pcie.Policy
	rng      *rand.Rand
	counters *Counters
	report   func(config.Error, *pcie.TLP)
	idle     []*reply
	replies  *des.Lane[*reply]
	taken    *des.Lane[transit] // writes that wait until the memory starts to store them
}

func newCompleter(k *des.Kernel, cfg MemoryConfig, id pcie.ID, store Store, base uint64, ram *des.Resource, c *Counters, report func(config.Error, *pcie.TLP)) (*completer, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	pick, err := cfg.policy()
	return &completer{
		k: k, cfg: cfg, id: id, store: store, base: base, ram: ram, pick: pick, counters: c, report: report,
		rng:     rand.New(rand.NewPCG(uint64(cfg.Seed), 1)),
		replies: des.NewLane(k, (*reply).complete),
		taken:   des.NewLane(k, func(x transit) { x.from.Release(x.tlp) }),
	}, err
}

// request processes a memory request that arrived on p.
func (m *completer) request(p *Port, t *pcie.TLP) {
	if err := t.Check(m.cfg.MPS, 0); err != nil {
		m.counters.Malformed++
		m.report(config.MalformedTLP, t)
		p.Release(t)
		return
	}
	if t.Kind == pcie.MWr {
		m.write(p, t)
	} else {
		m.read(p, t)
	}
}

// write stores the data immediately, so all later requests see it. The buffer is released when the
// memory has accepted the data.
func (m *completer) write(p *Port, t *pcie.TLP) {
	if t.EP {
		m.counters.Poisoned++
		m.report(config.PoisonedTLP, t)
		p.Release(t)
		return
	}
	for addr, b := range t.Runs() {
		if m.store.Write(addr-m.base, b) != nil {
			m.counters.Unsupported++
			m.report(config.UnsupportedRequest, t)
			break
		}
	}
	if start, _ := m.ram.Acquire("pcie write", m.duration(len(t.Data))); start > m.k.Now() {
		m.taken.At(start, transit{p, t})
		return
	}
	p.Release(t)
}

func (m *completer) read(p *Port, t *pcie.TLP) {
	p.Release(t)
	r := take(&m.idle)
	r.m, r.port, r.req = m, p, t
	r.addr, r.left = t.Span()
	_, end := m.ram.Acquire("pcie read", m.duration(r.left))
	m.replies.At(end+m.cfg.Latency+m.jitter(), r)
}

func (m *completer) duration(bytes int) des.Time {
	g := m.cfg.Granule
	bytes = (bytes + g - 1) / g * g
	return des.Time(float64(bytes) * 1000 / m.cfg.GBPerSecond)
}

func (m *completer) jitter() des.Time {
	if m.cfg.Jitter == 0 {
		return 0
	}
	return des.Time(m.rng.Int64N(int64(m.cfg.Jitter) + 1))
}

// reply is the state of a read being completed.
type reply struct {
	m    *completer
	port *Port
	req  *pcie.TLP
	addr uint64
	left int
}

// complete sends the remaining completions. With jitter, it sends one completion and schedules the
// next.
func (r *reply) complete() {
	m := r.m
	for r.left > 0 {
		n := pcie.CompletionPart(r.addr, r.left, m.cfg.RCB, m.cfg.MPS, m.pick)
		c := pcie.NewCompletion(r.req, m.id, r.addr, r.left, n)
		if m.store.Read(r.addr-m.base, c.Bytes()) != nil {
			m.counters.Unsupported++
			m.report(config.UnsupportedRequest, r.req)
			c, n = pcie.NewFailure(r.req, m.id, r.addr, r.left, pcie.UR), r.left
		}
		r.port.Send(c, nil)
		r.addr, r.left = r.addr+uint64(n), r.left-n
		if m.cfg.Jitter > 0 && r.left > 0 {
			m.replies.At(m.k.Now()+m.jitter(), r)
			return
		}
	}
	r.port, r.req = nil, nil
	m.idle = append(m.idle, r)
}
