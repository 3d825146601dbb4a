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

// machine is a server with an accelerator, its driver, and fault injection on the link.
type machine struct {
	server   *server.Server
	endpoint *link.Endpoint
	drv      *driver.Driver
	faults   *fault.Injection
	rng      *rand.Rand
	result   *result
	memory

	configured int               // number of resets when the registers were last written
	learned    map[uint32]bool   // row IDs
	before     map[uint32]bool   // row IDs learned before this learning epoch
	listed     bool              // the next learn command begins an epoch
	blocks     map[uint32]uint32 // known block of each row ID
	unread     bool              // rows were learned since the hot set was read
	held       [2]*batch         // classified mini-batches
	scale      float32
}

// sizes are the parameters of the accelerator, in the functional and in the cycle model.
var sizes = arch.Small()

const gpus = 2

// newMachine builds the server of an episode.
func newMachine(s episode) (*machine, error) {
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

// finish closes the driver. It checks that no tag is in use and that all memory has the expected
// contents.
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

// at is a cell of the matrix of injected faults.
type at struct {
	place fault.Place
	kind  fault.Kind
}

// tlps is the approximate number of TLPs for each command at a place. Probabilities are divided by
// it, so that faults are equally frequent at all places.
var tlps = map[fault.Place]float64{
	fault.Command: 1, fault.DMARead: 5, fault.GPURead: 3, fault.DMAWrite: 2, fault.Completion: 1, fault.VectorWr: 2, fault.Interrupt: 1, fault.Doorbell: 1,
}

// plan returns a fault plan with faults of all kinds at all places.
func plan(s episode) *fault.Plan {
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

// longest is the maximum simulated time of a job, including recovery. It is long enough that the
// driver never gives up a command whose outcome it could have determined.
const longest = des.Second
