package server

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/link"
)

// Server is a simulated host: CPU memory, root complex, switch, GPUs and one slot.
type Server struct {
	Config Config
	Kernel *des.Kernel
	Root   *link.RootComplex
	Switch *link.Switch
	Host   *Space
	GPUs   []*GPU
	// Attached, unless nil, is called by Insert when the card is in its slot, before any traffic on
	// its link.
	Attached func()

	slot     *link.Link
	observer Observer
	vectors  map[uint32]func() // by interrupt data
	spurious int
}

// GPU is a GPU of a machine.
type GPU struct {
	PCIe   *link.GPU
	Memory *Space
}

// switchID is the bus address of the switch.
var switchID = pcie.NewID(2, 0, 0)

// New builds a machine with an empty slot.
func New(cfg Config) (*Server, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	k := des.NewKernel()
	mem := des.NewMemory("host", uint64(cfg.HostGiB)<<30)
	root, err := link.NewRootComplex(k, cfg.Root, mem)
	if err != nil {
		return nil, err
	}
	s := &Server{
		Config: cfg, Kernel: k, Root: root,
		Switch:  link.NewSwitch(k, switchID, cfg.SwitchLatency),
		Host:    newSpace("host memory", Host, mem, 0, HostStart, cfg),
		vectors: map[uint32]func(){},
	}
	if _, err := root.Attach(named(cfg.Uplink, "switch"), s.Switch); err != nil {
		return nil, err
	}
	for i := range cfg.GPUs {
		if err := s.addGPU(i); err != nil {
			return nil, err
		}
	}
	root.OnInterrupt(s.interrupt)
	return s, nil
}

func (s *Server) addGPU(i int) error {
	cfg := link.DefaultGPUConfig(i)
	cfg.Memory = s.Config.GPUMemory
	name := fmt.Sprintf("GPU %d", i)
	mem := des.NewMemory(name, uint64(s.Config.GPUMemoryGiB*(1<<30)))
	g, err := link.NewGPU(s.Kernel, cfg, mem)
	if err != nil {
		return err
	}
	if _, err := s.Switch.Attach(named(s.Config.GPULink, name), g); err != nil {
		return err
	}
	s.GPUs = append(s.GPUs, &GPU{PCIe: g, Memory: newSpace(name+" memory", i, mem, cfg.Base, 0, s.Config)})
	return nil
}

func named(c link.Config, name string) link.Config {
	c.Name = name
	return c
}

// Card is a device for the slot: a simulated accelerator or a model of it.
type Card interface {
	Endpoint() *link.Endpoint
	// Err returns the error that stopped the card, or nil.
	Err() error
}

// Insert puts a card into the slot, powers it on, and lets the host enumerate it, which takes
// simulated time. The enumeration assigns the function's addresses and the straps of the endpoint
// configuration. The card must use the machine's kernel, clock period and endpoint configuration.
// Insert returns an error if the slot is taken, the card does not answer, or it does not fit into
// the address map.
func (s *Server) Insert(c Card) (*Device, error) {
	if s.slot != nil {
		return nil, fmt.Errorf("server: the slot has a device already")
	}
	c.Endpoint().PowerOn()
	l, err := s.Switch.Attach(named(s.Config.Slot, "accelerator"), c.Endpoint())
	if err != nil {
		return nil, err
	}
	s.slot = l
	l.Observe(s.sawCard)
	if s.Attached != nil {
		s.Attached()
	}
	d := &Device{server: s, card: c}
	return d, d.enumerate()
}

// Slot returns the accelerator's link, or nil while the slot is empty.
func (s *Server) Slot() *link.Link { return s.slot }

// Traffic contains the statistics of the accelerator's link.
type Traffic struct{ ToCard, FromCard link.Stats }

// Traffic returns the statistics of the accelerator's link so far.
func (s *Server) Traffic() Traffic {
	if s.slot == nil {
		return Traffic{}
	}
	return Traffic{ToCard: s.slot.Stats(link.Down), FromCard: s.slot.Stats(link.Up)}
}

// interrupt dispatches a write to the interrupt window.
func (s *Server) interrupt(_ uint64, data uint32) {
	if f := s.vectors[data]; f != nil {
		f()
		return
	}
	s.spurious++
}

// FlushGPUs returns when all earlier writes of the accelerator to the GPUs have reached their
// memories. It sends a zero-length read, which cannot overtake writes, to each GPU. An interrupt
// guarantees only that earlier writes have reached host memory.
func (s *Server) FlushGPUs() error {
	left := len(s.GPUs)
	var failed error
	for _, g := range s.GPUs {
		err := s.Root.ReadAsync(g.PCIe.Base(), 0, func(_ []byte, err error) {
			left--
			if err != nil && failed == nil {
				failed = err
			}
		})
		if err != nil {
			return err
		}
	}
	if err := s.Kernel.Run(func() bool { return left == 0 }); err != nil {
		return err
	}
	return failed
}
