package command

import (
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/host/device/fault"
	"github.com/hotline-rtl/hotline/host/device/rootport"
	"github.com/hotline-rtl/hotline/host/pcie/link"
)

// servedFaultFlags contains the flags of hotline serve for faults.
type servedFaultFlags struct{ plan, control string }

func (f *servedFaultFlags) define(c *cobra.Command) {
	c.Flags().StringVar(&f.plan, "faults", "", "inject the faults of the plan in `FILE`.hcl")
	c.Flags().StringVar(&f.control, "control", "", "`path` of a socket to make for 'hotline inject'")
}

// servedFaults injects faults into the cards of a root port.
type servedFaults struct {
	injection *fault.Injection // nil without faults
	control   net.Listener     // nil without a control socket
	say       func(string)
}

// open reads the plan and makes the control socket.
func (f servedFaultFlags) open(say func(string)) (*servedFaults, error) {
	s := &servedFaults{say: say}
	if f.plan == "" && f.control == "" {
		return s, nil
	}
	plan, err := loadFaults(f.plan)
	if err != nil {
		return nil, err
	}
	if plan == nil {
		plan = &fault.Plan{}
	}
	s.injection = fault.New(plan)
	s.injection.Notify(func(e fault.Event) {
		say(fmt.Sprintf("fault at %v: %s at %s, number %d there: %s", e.At, e.Kind, e.Place, e.N, e.TLP))
	})
	if f.control == "" {
		return s, nil
	}
	if s.control, err = net.Listen("unix", f.control); err != nil {
		return nil, fmt.Errorf("--control: %w", err)
	}
	go s.answer()
	return s, nil
}

// attach continues the plan with a new card, which is an accelerator or not.
func (s *servedFaults) attach(c rootport.Inserted, accelerator bool) {
	if s.injection != nil {
		s.injection.Attach(fault.Target{
			Kernel: c.Kernel, Link: c.Link, Endpoint: c.Endpoint, FLR: c.FLR, Timeout: link.DefaultEndpointConfig().CompletionTimeout,
			Foreign: !accelerator,
		})
	}
}

// close removes the control socket and reports the faults that never occurred.
func (s *servedFaults) close() {
	if s.control != nil {
		_ = s.control.Close()
	}
	if s.injection == nil {
		return
	}
	for _, r := range s.injection.Unused() {
		s.say(fmt.Sprintf("fault %v never occurred", r))
	}
}

// Limits of a request to the control socket. A client that sends nothing must not block the others.
const (
	mostPlan    = 1 << 20
	controlTime = 5 * time.Second
)

// accepted is the answer of a control socket to a valid plan.
const accepted = "ok\n"

// answer serves the clients of the control socket, one at a time.
func (s *servedFaults) answer() {
	for {
		c, err := s.control.Accept()
		if err != nil { // closed
			return
		}
		if err := c.SetDeadline(time.Now().Add(controlTime)); err == nil {
			_, _ = io.WriteString(c, s.request(c))
		}
		_ = c.Close()
	}
}

// request adds the rules of a plan. It returns the answer.
func (s *servedFaults) request(c io.Reader) string {
	text, err := io.ReadAll(io.LimitReader(c, mostPlan))
	if err != nil {
		return err.Error()
	}
	plan, err := fault.Parse(injected, text)
	if err != nil {
		return err.Error()
	}
	s.injection.Add(plan.Rules)
	return accepted
}

// injected is the name of a plan in the messages of a control socket.
const injected = "plan.hcl"

// injectFlags contains the flags of hotline inject.
type injectFlags struct {
	control, plan string
	nth, times    int
}

func injectCommand() *cobra.Command {
	var f injectFlags
	c := &cobra.Command{
		Use:   "inject [KIND PLACE]",
		Short: "Inject a fault into the device of a running 'hotline serve'",
		Long: `Adds a fault to the link of the device that 'hotline serve --control PATH' serves: its
kind and place (docs/reference/reliability.md), or all faults of a plan. The fault affects
the next TLP at its place, or the TLP after --nth - 1 others. The server prints each fault
when it occurs.`,
		Example: `  hotline inject timeout dma_rd --control /tmp/faults
  hotline inject drop interrupt --nth 10 --times 3 --control /tmp/faults
  hotline inject --faults plan.hcl --control /tmp/faults`,
		Args: func(_ *cobra.Command, args []string) error { return f.check(args) },
		RunE: func(_ *cobra.Command, args []string) error { return f.run(args) },
	}
	s := c.Flags()
	s.StringVar(&f.control, "control", "", "`path` of the socket of 'hotline serve --control'")
	s.StringVar(&f.plan, "faults", "", "inject the faults of the plan in `FILE`.hcl")
	s.IntVar(&f.nth, "nth", 1, "first TLP that the fault may affect, counted from now on")
	s.IntVar(&f.times, "times", 1, "most occurrences; 0: no limit")
	return c
}

func (f injectFlags) check(args []string) error {
	switch {
	case f.control == "":
		return usage(errors.New("--control is missing; expected the path that 'hotline serve --control' made"))
	case (f.plan == "") == (len(args) == 0) || len(args) != 0 && len(args) != 2:
		return usage(errors.New("expected a kind and a place, as timeout dma_rd, or --faults FILE.hcl"))
	}
	return nil
}

func (f injectFlags) run(args []string) error {
	if f.plan == "" {
		r := fault.Rule{Kind: fault.Kind(args[0]), Place: fault.Place(args[1]), Nth: f.nth, Probability: 1, Times: f.times}
		if err := r.Check(); err != nil {
			return usage(err)
		}
		return send(f.control, r.HCL())
	}
	plan, err := fault.Load(f.plan)
	if err != nil {
		return usage(err)
	}
	return send(f.control, plan.HCL())
}

// send sends a plan to a control socket and returns its refusal.
func send(path string, plan string) error {
	c, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return usage(fmt.Errorf("%w; expected the path that 'hotline serve --control' made", err))
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(2 * controlTime)); err != nil {
		return err
	}
	if _, err := io.WriteString(c, plan); err != nil {
		return err
	}
	if err := c.CloseWrite(); err != nil {
		return err
	}
	answer, err := io.ReadAll(c)
	switch {
	case err != nil:
		return err
	case string(answer) != accepted:
		return usage(fmt.Errorf("the server refuses: %s", answer))
	}
	return nil
}
