package asm

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/ui/format"
	"github.com/hotline-rtl/hotline/host/ui/table"
)

// Result is the result of a run.
type Result struct {
	Commands     []Step    `json:"commands"`
	Memory       []Words   `json:"memory"`       // words of .show, at the end of the run
	Expectations []Outcome `json:"expectations"` // results of .expect
}

// Step is the result of a command. The byte counts cover the accelerator's link from the end of the
// previous command to the interrupt, including headers and framing. They include data requested by
// the previous command.
type Step struct {
	Line     int       `json:"line"`
	Text     string    `json:"text"`
	Status   uint8     `json:"status"`
	Outcome  string    `json:"outcome"`
	Values   [2]uint32 `json:"values"`
	Start    des.Time  `json:"start_ps"`
	End      des.Time  `json:"end_ps"`
	Cycles   int64     `json:"cycles"`             // of the accelerator's clock, from Start to End
	Own      int64     `json:"accelerator_cycles"` // from the arrival of the command at the accelerator to its completion entry
	ToCard   uint64    `json:"to_card_bytes"`
	FromCard uint64    `json:"from_card_bytes"`
}

// Words are the words at a label.
type Words struct {
	Name  string   `json:"name"`
	Words []uint32 `json:"words"`
}

// Misfit is the error that a machine has no room for the data of a program.
type Misfit struct{ error }

// Unwrap returns the cause.
func (m *Misfit) Unwrap() error { return m.error }

// Run runs the commands of a program sequentially. The card of the machine must not have a driver,
// and its memories must be unused. A rejected or failed command is not an error; the result
// contains its outcome. Run returns a *Misfit if the machine has too few GPUs or too little memory.
// It returns another error if the device does not answer, or if a command has no outcome. Unless
// recovered is nil, it is called with the name of each recovery action of the driver.
func (p *Program) Run(s *server.Server, dev *server.Device, recovered func(string)) (*Result, error) {
	host, gpus, err := p.place(s)
	if err != nil {
		return nil, &Misfit{err}
	}
	drv, err := driver.Open(dev, driver.DefaultOptions())
	if err != nil {
		return nil, err
	}
	drv.OnRecovery(recovered)
	own := observe(s.Slot())
	r := &Result{Commands: []Step{}, Memory: []Words{}, Expectations: []Outcome{}}
	for _, c := range p.Commands {
		step, err := do(s, drv, own, c)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", c.Line, err)
		}
		r.Commands = append(r.Commands, step)
	}
	if err := s.FlushGPUs(); err != nil {
		return nil, err
	}
	read := func(at Place, n int) ([]uint32, error) {
		region := host
		if at.GPU >= 0 {
			region = gpus[at.GPU]
		}
		words := make([]uint32, n)
		return words, region.ReadUint32s(at.Offset, words)
	}
	for _, show := range p.Shows {
		w, err := read(show.Where, show.Words)
		if err != nil {
			return nil, err
		}
		r.Memory = append(r.Memory, Words{show.Name, w})
	}
	for _, e := range p.Expects {
		var words []uint32
		if e.Memory != nil {
			if words, err = read(e.Memory.Where, len(e.Want)); err != nil {
				return nil, err
			}
		}
		r.Expectations = append(r.Expectations, e.check(r.Commands, words))
	}
	return r, nil
}

// place writes the data to the addresses of the labels.
func (p *Program) place(s *server.Server) (host *server.Region, gpus []*server.Region, err error) {
	if len(p.GPUs) > len(s.GPUs) {
		return nil, nil, fmt.Errorf("asm: data for GPU %d, but the machine has %s", len(p.GPUs)-1, format.Plural(len(s.GPUs), "GPU"))
	}
	fill := func(space *server.Space, at Place, data []byte) *server.Region {
		region := space.Alloc("program", max(len(data), 1))
		if region.Address() != address(at) {
			err = errors.Join(err, fmt.Errorf("asm: data are at %#x, expected %#x: the memory was used before", region.Address(), address(at)))
			return region
		}
		if s.Fits() == nil {
			err = errors.Join(err, region.Write(0, data))
		}
		return region
	}
	host = fill(s.Host, Place{-1, 0}, p.Host)
	for i, data := range p.GPUs {
		gpus = append(gpus, fill(s.GPUs[i].Memory, Place{i, 0}, data))
	}
	return host, gpus, errors.Join(err, s.Fits())
}

// do runs a command.
func do(s *server.Server, drv *driver.Driver, own *own, c Command) (Step, error) {
	before, start := s.Traffic(), s.Kernel.Now()
	got, err := drv.Do(c.Command)
	if failed := (*driver.StatusError)(nil); err != nil && !errors.As(err, &failed) {
		return Step{}, err
	}
	after, end := s.Traffic(), s.Kernel.Now()
	return Step{
		Line: c.Line, Text: c.Text, Status: uint8(got.Status), Outcome: got.Status.String(), Values: [2]uint32{got.Value0, got.Value1},
		Start: start, End: end, Cycles: int64((end - start) / s.Config.Period), Own: int64(own.took / s.Config.Period),
		ToCard:   after.ToCard.WireBytes - before.ToCard.WireBytes,
		FromCard: after.FromCard.WireBytes - before.FromCard.WireBytes,
	}, nil
}

// Print writes a result as text.
func (r *Result) Print(w io.Writer) error {
	var b strings.Builder
	b.WriteString(r.table().Format(table.Width(w)))
	for _, m := range r.Memory {
		fmt.Fprintf(&b, "%s:", m.Name)
		for _, v := range m.Words {
			fmt.Fprintf(&b, " %g", math.Float32frombits(v))
		}
		b.WriteByte('\n')
	}
	if n := len(r.Expectations); n > 0 {
		fmt.Fprintf(&b, "expectations: %d of %d met\n", n-len(r.unmet()), n)
	}
	_, err := io.WriteString(w, table.Wrap(b.String(), table.Width(w), 2))
	return err
}

// table returns a table with a row for each command.
func (r *Result) table() table.Table {
	t := table.Table{Columns: []table.Column{
		{Name: "line", Key: true, Min: 5}, {Name: "command", Text: true, Min: 40}, {Name: "value 0", Min: 8}, {Name: "value 1", Min: 8},
		{Name: "accelerator", Min: 12}, {Name: "driver", Min: 10}, {Name: "to card", Min: 8}, {Name: "from card", Min: 10}, {Name: "outcome", Text: true},
	}}
	for _, c := range r.Commands {
		t.Rows = append(t.Rows, []string{
			fmt.Sprint(c.Line), c.Text, fmt.Sprint(c.Values[0]), fmt.Sprint(c.Values[1]), fmt.Sprintf("%d cycles", c.Own),
			format.Micro(c.End - c.Start), fmt.Sprintf("%d B", c.ToCard), fmt.Sprintf("%d B", c.FromCard), c.Outcome,
		})
	}
	return t
}
