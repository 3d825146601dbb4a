package command

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/gen/outfile"
	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/trace"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/capture"
	"github.com/hotline-rtl/hotline/host/study/experiment"
	"github.com/hotline-rtl/hotline/host/ui/input"
)

// traceFlags contains the flags of hotline trace.
type traceFlags struct {
	types, addresses, tag, requester string
	from, to                         string
	command                          uint32
	list, dissector, json            bool
	follow                           uint32
	html                             string

	replay              bool
	config, accelerator string
	args                []string // of the whole command line
}

func traceCommand(args []string) *cobra.Command {
	f := traceFlags{args: args}
	c := &cobra.Command{
		Use:   "trace FILE",
		Short: "Analyze or replay a capture of the accelerator's link",
		Long: `Reads a capture that --pcapng of 'hotline cosim', train, run or serve wrote, and prints
a summary: TLPs by type and by purpose, bytes, latencies of reads.

--list prints every TLP with its number, time, direction, fields and purpose. --type,
--address, --tag, --requester, --from, --to and --command print the TLPs that match all
of them. A type is a type of TLP, such as MRd, or a purpose, such as doorbell, 'command
fetch', 'data read', 'completion entry' or interrupt.

--follow prints the lifecycle of one command: doorbell, fetch, reads and writes,
completion entry, interrupt.

--replay sends the host's TLPs to a new accelerator, each at its time, and compares its
answers with the capture, to the picosecond. With the --config and --accelerator of the
captured run there is no difference, unless the link went down or the device was reset
without a TLP. On the first difference it prints the difference, and the exit code is 1.

The capture of a process that was killed is truncated. Its complete packets are
printed, an error states where the capture ends, and the exit code is 1. --replay needs
a complete capture.

--dissector prints a script with which Wireshark shows captures:

  hotline trace --dissector > hotline.lua
  wireshark -X lua_script:hotline.lua run.pcapng`,
		Example: `  hotline cosim --pcapng run.pcapng
  hotline trace run.pcapng --html run.html
  hotline trace run.pcapng --type 'completion entry' --from 10us --to 20us
  hotline trace run.pcapng --follow 12
  hotline trace run.pcapng --replay --accelerator cycle`,
		Args: func(c *cobra.Command, args []string) error {
			if !f.dissector && len(args) != 1 {
				return usage(fmt.Errorf("%d files are given; expected one capture; see '%s --help'", len(args), c.CommandPath()))
			}
			if f.dissector && len(args) > 0 {
				return usage(fmt.Errorf("--dissector is not for %s; it needs no file", args[0]))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	s := c.Flags()
	s.BoolVar(&f.list, "list", false, "print all TLPs")
	s.StringVar(&f.types, "type", "", "print TLPs of these `types`, separated by commas")
	s.StringVar(&f.addresses, "address", "", "print TLPs that touch this `address`, or range, as 0xfe000000-0xfe00003f")
	s.StringVar(&f.tag, "tag", "", "print TLPs with this `tag`")
	s.StringVar(&f.requester, "requester", "", "print TLPs with this requester `ID`, as 01:00.0")
	s.StringVar(&f.from, "from", "", "print TLPs from this `time` on, as 20us (ps, ns, us, ms, s)")
	s.StringVar(&f.to, "to", "", "print TLPs before this `time`")
	s.Uint32Var(&f.command, "command", 0, "print TLPs of the command with this `id`")
	s.Uint32Var(&f.follow, "follow", 0, "print the lifecycle of the command with this `id`")
	s.StringVar(&f.html, "html", "", "`FILE` for a page with pictures")
	s.BoolVar(&f.json, "json", false, "print one JSON object (docs/reference/json.md)")
	s.BoolVar(&f.dissector, "dissector", false, "print the dissector for Wireshark")
	s.BoolVar(&f.replay, "replay", false, "replay the capture to an accelerator")
	s.StringVar(&f.config, "config", "", "configuration `FILE`.hcl of --replay (default: the embedded small.hcl)")
	s.StringVar(&f.accelerator, "accelerator", fidelityCycle, "`fidelity` of the accelerator of --replay: cycle or functional")
	return c
}

// tracePrinted is the output of --json.
type tracePrinted struct {
	Schema   string          `json:"schema"`
	Version  string          `json:"version"`
	Summary  *trace.Summary  `json:"summary,omitempty"`
	Packets  []trace.Line    `json:"packets,omitempty"`
	Command  *trace.Way      `json:"command,omitempty"`
	Replayed *trace.Replayed `json:"replay,omitempty"`
}

// jsonIntervals is the number of intervals of --json.
const jsonIntervals = 100

func (f traceFlags) run(cmd *cobra.Command, args []string) error {
	w := cmd.OutOrStdout()
	if f.dissector {
		_, err := io.WriteString(w, trace.Dissector())
		return err
	}
	filter, err := f.filter()
	if err != nil {
		return usage(err)
	}
	if err := f.check(cmd); err != nil {
		return usage(err)
	}
	t, err := readTrace(args[0])
	torn := (*capture.TornError)(nil)
	if err != nil && !errors.As(err, &torn) {
		return usage(err)
	}
	if torn != nil {
		if f.replay {
			return failed(fmt.Errorf("%w; there is no replay of a part", err))
		}
		return errors.Join(f.show(cmd, args[0], t, filter), failed(err))
	}
	return f.show(cmd, args[0], t, filter)
}

// show prints the requested form of a trace.
func (f traceFlags) show(cmd *cobra.Command, name string, t *trace.Trace, filter trace.Filter) (err error) {
	w := cmd.OutOrStdout()
	var outcome error
	out := tracePrinted{Schema: "hotline.trace/1", Version: version()}
	switch {
	case f.replay:
		out.Replayed, outcome = f.play(cmd, t)
		if out.Replayed == nil {
			return outcome
		}
	case cmd.Flags().Changed("follow"):
		if out.Command, err = t.Follow(f.follow); err != nil {
			return usage(err)
		}
	case f.lists(cmd):
		out.Packets = trace.Lines(t.Select(filter))
	default:
		s := t.Summary(jsonIntervals)
		out.Summary = &s
	}
	if f.json {
		err = printJSON(w, out)
	} else {
		err = out.print(w)
	}
	if err == nil && f.html != "" {
		err = outfile.Write(f.html, func(w io.Writer) error { return t.WriteHTML(w, filepath.Base(name)) })
	}
	return errors.Join(err, outcome)
}

// lists reports whether to print TLPs.
func (f traceFlags) lists(cmd *cobra.Command) bool {
	for _, name := range filterFlags {
		if cmd.Flags().Changed(name) {
			return true
		}
	}
	return f.list
}

var filterFlags = []string{"type", "address", "tag", "requester", "from", "to", "command"}

// check reports incompatible flags.
func (f traceFlags) check(cmd *cobra.Command) error {
	given := cmd.Flags().Changed
	var modes []string
	for _, name := range []string{"replay", "follow"} {
		if given(name) {
			modes = append(modes, "--"+name)
		}
	}
	if f.lists(cmd) {
		modes = append(modes, "a list")
	}
	if len(modes) > 1 {
		return fmt.Errorf("%s exclude each other; expected one of them", strings.Join(modes, " and "))
	}
	for _, name := range []string{"config", "accelerator"} {
		if given(name) && !f.replay {
			return fmt.Errorf("--%s needs --replay", name)
		}
	}
	return places(f.html)
}

// filter parses the flags that select packets.
func (f traceFlags) filter() (x trace.Filter, err error) {
	if f.types != "" {
		x.Types = strings.Split(f.types, ",")
	}
	if err := trace.CheckTypes(x.Types); err != nil {
		return x, fmt.Errorf("--type: %w", err)
	}
	if f.addresses != "" {
		first, last, isRange := strings.Cut(f.addresses, "-")
		if !isRange {
			last = first
		}
		a, errA := strconv.ParseUint(first, 0, 64)
		b, errB := strconv.ParseUint(last, 0, 64)
		if errA != nil || errB != nil || a > b {
			return x, fmt.Errorf("--address is %q; expected an address, as 0xfe000000, or two with - in between, the lower one first", f.addresses)
		}
		x.Addresses = &trace.Range{First: a, Last: b}
	}
	if f.tag != "" {
		n, err := strconv.ParseUint(f.tag, 0, 10)
		if err != nil {
			return x, fmt.Errorf("--tag is %q; expected a number from 0 to %d", f.tag, pcie.MaxTag)
		}
		tag := uint16(n)
		x.Tag = &tag
	}
	if f.requester != "" {
		var bus, dev, fn int
		if n, err := fmt.Sscanf(f.requester, "%02x:%02x.%d", &bus, &dev, &fn); err != nil || n != 3 || pcie.NewID(bus, dev, fn).String() != f.requester {
			return x, fmt.Errorf("--requester is %q; expected an ID, as 01:00.0", f.requester)
		}
		id := pcie.NewID(bus, dev, fn)
		x.Requester = &id
	}
	if x.From, err = moment("from", f.from); err != nil {
		return x, err
	}
	if x.To, err = moment("to", f.to); err != nil {
		return x, err
	}
	x.Command = f.command
	if f.to != "" && x.From >= x.To {
		return x, fmt.Errorf("--from %s is not before --to %s", f.from, f.to)
	}
	return x, nil
}

// moment parses a simulated time. An empty text is 0.
func moment(flag, text string) (des.Time, error) {
	if text == "" {
		return 0, nil
	}
	n, unit, err := quantity(flag, text, "a simulated time, as 20us (ps, ns, us, ms, s)", times)
	if err == nil && unit == "" {
		err = fmt.Errorf("--%s is %q; expected a simulated time, as 20us (ps, ns, us, ms, s)", flag, text)
	}
	return des.Time(min(n, math.MaxInt64/2)), err
}

// readTrace reads a capture. With a [*capture.TornError] it also returns a trace.
func readTrace(name string) (*trace.Trace, error) {
	if err := input.Check(name); err != nil {
		return nil, err
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	t, err := trace.Read(file)
	if err != nil {
		return t, fmt.Errorf("%s: %w", name, err)
	}
	return t, nil
}

// print prints the output as text.
func (p tracePrinted) print(w io.Writer) error {
	var err error
	switch {
	case p.Replayed != nil:
		err = p.Replayed.Print(w)
	case p.Command != nil:
		err = p.Command.Print(w)
	case p.Summary != nil:
		err = p.Summary.Print(w)
	}
	if err != nil {
		return err
	}
	return trace.PrintLines(w, p.Packets)
}

// play replays a capture. It also returns an error if there was a difference.
func (f traceFlags) play(cmd *cobra.Command, t *trace.Trace) (*trace.Replayed, error) {
	cfg, err := configuration(f.config)
	if err != nil {
		return nil, usage(err)
	}
	a, err := accelerator(cmd, f.accelerator, cfg, choice{engine: engineAuto, length: math.MaxInt, args: f.args})
	if err != nil {
		return nil, err
	}
	r, err := experiment.Replay(cfg, a, t)
	if other := (*trace.FunctionError)(nil); errors.As(err, &other) {
		return nil, usage(err)
	}
	if err != nil {
		return nil, err
	}
	if r.Difference != nil {
		return &r, failed(errors.New("the accelerator sends other packets than the capture has"))
	}
	return &r, nil
}
