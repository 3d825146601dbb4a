package faults

import (
	"fmt"
	"math/rand/v2"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/cycle"
	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/device/fault"
	"github.com/hotline-rtl/hotline/host/device/functional"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/models/small"
)

// machine is a server with an accelerator, its driver, and faults on the link.
type machine struct {
	server   *server.Server
	endpoint *link.Endpoint
	drv      *driver.Driver
	faults   *fault.Injection
	rng      *rand.Rand
	result   *result
	memory

	configured int               // resets so far when the registers were written
	learned    map[uint32]bool   // ids
	before     map[uint32]bool   // those of them learned before this stretch of learning
	listed     bool              // the next learn begins a stretch
	blocks     map[uint32]uint32 // where rows are, by id, as far as was read
	unread     bool              // rows were learned since
	held       [2]*batch         // classified
	scale      float32
}

// sizes are those of the accelerator, functional or not.
var sizes = arch.Small()

const gpus = 2

// newMachine builds the machine of a stretch.
func newMachine(s stretch) (*machine, error) {
	m := &machine{rng: rand.New(rand.NewPCG(s.seed, uint64(s.number))), result: newResult(), configured: -1}
	cfg := server.DefaultConfig()
	cfg.GPUs = gpus
	var err error
	if m.server, err = server.New(cfg); err != nil {
		return nil, err
	}
	inSlot, err := m.accelerator(s.hardware)
	if err != nil {
		return nil, err
	}
	dev, err := m.server.Insert(inSlot)
	if err != nil {
		return nil, err
	}
	m.endpoint = inSlot.Endpoint()
	m.faults = fault.Inject(m.server, m.endpoint, plan(s))
	opts := driver.DefaultOptions()
	opts.RingLog2 = 1 + m.rng.IntN(opts.RingLog2)
	if m.drv, err = driver.Open(dev, opts); err != nil {
		return nil, err
	}
	m.drv.OnRecovery(func(what string) {
		m.faults.Recovered(what)
		m.result.recoveries[what]++
	})
	return m, m.layOut()
}

func (m *machine) accelerator(hardware bool) (server.Card, error) {
	k, cfg := m.server.Kernel, m.server.Config
	if hardware {
		return cycle.New(k, small.New(small.Options{}), cfg.Period, cfg.Endpoint)
	}
	return functional.New(k, sizes, cfg.Period, cfg.Endpoint)
}

// finish ends the driver's work, and expects that no tag is in use and that all memory
// is as it must be.
func (m *machine) finish() error {
	if err := m.drv.Close(); err != nil {
		return err
	}
	k := m.server.Kernel
	if err := k.RunTo(k.Now() + 3*m.server.Config.Endpoint.CompletionTimeout); err != nil {
		return err
	}
	if n := m.endpoint.TagsInUse(); n > 0 {
		return fmt.Errorf("%d tags are in use at the end", n)
	}
	for _, e := range m.faults.Log() {
		m.result.faults[at{e.Place, e.Kind}]++
	}
	m.result.simulated = k.Now()
	return m.memory.check()
}

// at is a cell of the matrix.
type at struct {
	place fault.Place
	kind  fault.Kind
}

// tlps is about how many TLPs there are at a place for each command, so that faults
// are as frequent at each.
var tlps = map[fault.Place]float64{
	fault.Command: 1, fault.DMARead: 5, fault.GPURead: 3, fault.DMAWrite: 2, fault.Completion: 1, fault.VectorWr: 2, fault.Interrupt: 1, fault.Doorbell: 1,
}

// plan lets faults of all kinds happen at all places.
func plan(s stretch) *fault.Plan {
	p := &fault.Plan{Seed: s.seed<<20 + uint64(s.number)}
	if s.rate == 0 {
		return p
	}
	for _, place := range fault.Places() {
		for _, kind := range place.Kinds() {
			chance := s.rate / 1000 / float64(len(fault.Places())) / tlps[place] / float64(len(place.Kinds()))
			p.Rules = append(p.Rules, fault.Rule{Kind: kind, Place: place, Nth: 1, Probability: chance})
		}
	}
	return p
}

// longest is how long a job may take, faults and all: the driver never has to give up a
// command that it could have found out about.
const longest = des.Second
