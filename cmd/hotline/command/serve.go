package command

import (
	"errors"
	"fmt"
	"io"
	"math"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/des/await"
	"github.com/hotline-rtl/hotline/host/device/card"
	"github.com/hotline-rtl/hotline/host/device/cycle"
	"github.com/hotline-rtl/hotline/host/device/fault"
	"github.com/hotline-rtl/hotline/host/device/functional"
	"github.com/hotline-rtl/hotline/host/device/rootport"
	"github.com/hotline-rtl/hotline/host/device/watch"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
)

// serveFlags contains the flags of hotline serve.
type serveFlags struct {
	socket, config, accelerator string
	card, design                string
	messages, json              bool
	serial                      serialNumber
	pcapng                      captureFlag
	faults                      servedFaultFlags
	args                        []string // of the whole command line
}

func serveCommand(args []string) *cobra.Command {
	f := serveFlags{args: args}
	c := &cobra.Command{
		Use:   "serve",
		Short: "Serve the simulated accelerator to a virtual machine, as a PCIe device (vfio-user)",
		Long: `Serves the simulated accelerator as a PCIe function on a UNIX socket, by the vfio-user
protocol. QEMU 10.1 and later attach it to a guest:

  -object memory-backend-memfd,id=mem,size=512M,share=on -M q35,memory-backend=mem
  -device pcie-root-port,id=rp0
  -device '{"driver":"vfio-user-pci","bus":"rp0","socket":{"path":"PATH","type":"unix"}}'

Start the server first. The guest's memory must be share=on. With share=off the device
writes to a copy, and neither side can detect it; --messages then moves all data over
the socket. QEMU executes such messages after the answers that follow them, so a guest's
driver may see a register before data that the device wrote earlier.

Each register access is a TLP on the device's link. DMA and interrupts go to the guest.
Simulated time passes while the device has work. The accelerator is a functional model,
or the hardware, cycle by cycle (--accelerator cycle). The server serves one client at
a time; a second client gets EBUSY. When a client leaves, the device is reset. SIGINT,
SIGTERM or SIGHUP ends the server.

Each device has a serial number, an EUI-64 in its configuration space. Give every server
on a machine its own --serial.

--pcapng writes every TLP on the device's link to a file for 'hotline trace', and for
Wireshark with the dissector of 'hotline trace --dissector'. If the server is killed, at
most the last second is missing. --pcapng-last keeps the last packets only.

--faults injects the faults of a plan (docs/reference/reliability.md), so that a driver
in the guest meets them. --control accepts faults while the device is in use, from
'hotline inject'. Each fault is printed when it occurs. A reset by the guest ends a fault
of the link, but not the plan.

--card serves a card of your own instead of the accelerator (docs/how-to/own-card.md).

Mistakes of the driver in the guest are printed when they occur for the first time, such
as accesses to registers that do not exist, or DMA to memory that is not mapped
(docs/how-to/virtual-machine.md). --json prints all of them at the end, with counts.`,
		Example: `  hotline serve --socket /tmp/device
  hotline serve --socket /tmp/device --config configs/paper.hcl --accelerator cycle
  hotline serve --socket /tmp/device --faults plan.hcl --control /tmp/faults
  hotline serve --socket /tmp/device --card card.hcl --design dma.ir`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	s := c.Flags()
	s.StringVar(&f.socket, "socket", "", "`path` of the socket to make")
	s.StringVar(&f.config, "config", "", "configuration `file` in HCL (default small)")
	s.StringVar(&f.accelerator, "accelerator", fidelityFunctional, "`fidelity` of the accelerator: functional or cycle")
	s.StringVar(&f.card, "card", "", "description `FILE`.hcl of a card of your own (docs/how-to/own-card.md)")
	s.StringVar(&f.design, "design", "", "`FILE`.ir of the design of --card, as 'hotline import' writes it")
	s.BoolVar(&f.messages, "messages", false, "reach the client's memory by messages only")
	s.BoolVar(&f.json, "json", false, "print one JSON object at the end (docs/reference/json.md)")
	f.serial = serialNumber(link.DefaultEndpointConfig().Serial)
	s.Var(&f.serial, "serial", "serial `number` of the device, 8 bytes with hyphens")
	f.pcapng.define(c)
	f.faults.define(c)
	return c
}

func (f serveFlags) run(cmd *cobra.Command) error {
	if f.socket == "" {
		return usage(errors.New("--socket is missing; see 'hotline serve --help'"))
	}
	say := func(line string) { fmt.Fprintln(cmd.ErrOrStderr(), line) }
	port := rootport.DefaultConfig()
	newCard, err := f.device(cmd, &port.Endpoint)
	if err != nil {
		return err
	}
	port.Log, port.Endpoint.Serial = say, uint64(f.serial)
	record, err := f.pcapng.open()
	if err != nil {
		return usage(err)
	}
	port.Crash = record.crash
	faults, err := f.faults.open(say)
	if err != nil {
		return errors.Join(usage(err), record.close())
	}
	mistakes := watch.New()
	mistakes.Notify(func(m watch.Finding) { say("driver: " + m.String()) })
	port.Refused = mistakes.Unmapped
	port.Slot = append(port.Slot, func(c rootport.Inserted) { faults.attach(c, f.card == "") })
	if f.card == "" {
		port.Slot = append(port.Slot, func(c rootport.Inserted) { mistakes.Attach(c.Link, c.Endpoint) })
	}
	if record != nil {
		port.Slot = append(port.Slot, func(c rootport.Inserted) { record.follow(c, port.Endpoint.MSIXOffset) })
	}
	err = record.during(func() error {
		defer faults.close()
		return socketMistake(rootport.Serve(cmd.Context(), f.socket, port, newCard, f.messages))
	})
	return errors.Join(err, f.conclude(cmd.OutOrStdout(), mistakes.Findings(), faults))
}

// socketMistake marks an error that the path of the socket caused as wrong usage.
func socketMistake(err error) error {
	for _, mistake := range []error{syscall.EADDRINUSE, syscall.ENOENT, syscall.ENOTDIR, syscall.EACCES, syscall.EINVAL} {
		if errors.Is(err, mistake) {
			return usage(err)
		}
	}
	return err
}

// servedPrinted is the output of --json.
type servedPrinted struct {
	Schema   string          `json:"schema"`
	Version  string          `json:"version"`
	Mistakes []watch.Finding `json:"mistakes"`
	Faults   []fault.Event   `json:"faults,omitempty"`
	Unused   []fault.Rule    `json:"faults_unused,omitempty"`
}

// conclude prints the mistakes of drivers and the faults, if requested.
func (f serveFlags) conclude(w io.Writer, mistakes []watch.Finding, faults *servedFaults) error {
	if !f.json {
		return nil
	}
	out := servedPrinted{Schema: "hotline.serve/1", Version: version(), Mistakes: mistakes}
	if faults.injection != nil {
		out.Faults, out.Unused = faults.injection.Log(), faults.injection.Unused()
		for i := range out.Faults {
			out.Faults[i].Outcome = "unknown" // the driver is another program
		}
	}
	return printJSON(w, out)
}

// device returns the constructor of the device: the accelerator of a configuration, or the card of
// --card, whose identity it stores in e.
func (f serveFlags) device(cmd *cobra.Command, e *link.EndpointConfig) (rootport.NewCard, error) {
	if f.card != "" || f.design != "" {
		return f.ownCard(cmd, e)
	}
	cfg, err := configuration(f.config)
	if err != nil {
		return nil, usage(err)
	}
	switch f.accelerator {
	case fidelityFunctional:
		return func(k *des.Kernel, e link.EndpointConfig) (rootport.Card, error) {
			return functional.New(k, *cfg.Accelerator, cfg.Period(), e)
		}, nil
	case fidelityCycle:
	default:
		return nil, usage(fmt.Errorf("--accelerator is %q; expected %s or %s", f.accelerator, fidelityFunctional, fidelityCycle))
	}
	design, err := await.Call(cmd.Context(), func() (*ir.Design, error) { return elaborate(cfg) })
	if err != nil {
		return nil, err
	}
	return f.simulated(cmd, design, cfg.Name, func(k *des.Kernel, s sim.Simulator, e link.EndpointConfig) (rootport.Card, error) {
		return cycle.New(k, s, cfg.Period(), e)
	})
}

// ownCard returns the constructor of the card of --card with the design of --design.
func (f serveFlags) ownCard(cmd *cobra.Command, e *link.EndpointConfig) (rootport.NewCard, error) {
	switch {
	case f.card == "" || f.design == "":
		return nil, usage(errors.New("--card and --design belong together; expected both"))
	case f.config != "" || cmd.Flags().Changed("accelerator"):
		return nil, usage(errors.New("--config and --accelerator describe the accelerator; leave them out with --card"))
	}
	d, err := card.Load(f.card)
	if err != nil {
		return nil, usage(err)
	}
	design, err := readDesign(f.design)
	if err != nil {
		return nil, usage(err)
	}
	*e = d.Endpoint
	newCard, err := f.simulated(cmd, design, design.Top.Name, func(k *des.Kernel, s sim.Simulator, e link.EndpointConfig) (rootport.Card, error) {
		return d.New(k, s, e)
	})
	if err != nil {
		return nil, err
	}
	_, err = newCard(des.NewKernel(), d.Endpoint) // finds ports that are missing before a client connects
	return newCard, usage(err)
}

// simulated returns the constructor of a device whose logic is simulated by an engine.
func (f serveFlags) simulated(cmd *cobra.Command, design *ir.Design, name string,
	insert func(*des.Kernel, sim.Simulator, link.EndpointConfig) (rootport.Card, error)) (rootport.NewCard, error) {
	engine, err := choice{engine: engineAuto, length: math.MaxInt, args: f.args}.settle(cmd, design, name)
	if err != nil {
		return nil, err
	}
	return func(k *des.Kernel, e link.EndpointConfig) (rootport.Card, error) {
		s, err := simulator(engine, design, nil)
		if err != nil {
			return nil, err
		}
		return insert(k, s, e)
	}, nil
}
