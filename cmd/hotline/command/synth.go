package command

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/gen/synth"
	"github.com/hotline-rtl/hotline/host/ui/input"
	"github.com/hotline-rtl/hotline/host/ui/table"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// synthFlags contains the flags of hotline synth.
type synthFlags struct {
	config, liberty, slow, fpga, block string
	flat, json                         bool
}

func synthCommand() *cobra.Command {
	var f synthFlags
	c := &cobra.Command{
		Use:   "synth --liberty FILE [--slow FILE] | --fpga FAMILY",
		Short: "Find area, clock, critical paths and power in standard cells, or FPGA utilization",
		Long: `Maps a configuration to the cells of a liberty file with Yosys, block by block, with
memories as macros of a stated model. Prints the area, memory, maximum clock, critical
path with places in the Go source, and power of each block (from OpenSTA), and compares
the whole with Table IV of the paper. The figures are before placement and include no
wires (docs/evidence/synthesis.md).

With --fpga, maps it to an FPGA instead and prints the utilization.Yosys and OpenSTA must be installed (scripts/setup). Blocks are mapped in parallel and
cached by their content: a second run maps only what has changed.`,
		Example: `  hotline synth --liberty NangateOpenCellLibrary_typical.lib
  hotline synth --liberty typical.lib.gz --slow slow.lib.gz --block reduce --json
  hotline synth --fpga ecp5`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	s := c.Flags()
	s.StringVar(&f.config, "config", "", "configuration `FILE`.hcl (default: the embedded small.hcl)")
	s.StringVar(&f.liberty, "liberty", "", "liberty `FILE` of the cells, typical; plain or gzip")
	s.StringVar(&f.slow, "slow", "", "liberty `FILE` of the same cells at a slow corner")
	s.StringVar(&f.block, "block", "", "only the `module` and its instances: its Verilog name or a prefix")
	s.BoolVar(&f.flat, "flat", false, "map the whole as one block")
	s.StringVar(&f.fpga, "fpga", "", "`family`: "+strings.Join(synth.Families(), " or "))
	s.BoolVar(&f.json, "json", false, "print the figures as one JSON object (docs/reference/json.md)")
	return c
}

// check rejects incompatible flags.
func (f *synthFlags) check() error {
	switch {
	case (f.liberty == "") == (f.fpga == ""):
		return errors.New("either --liberty FILE or --fpga FAMILY is expected; see 'hotline synth --help'")
	case f.fpga != "" && !slices.Contains(synth.Families(), f.fpga):
		return fmt.Errorf("--fpga is %q; expected %s", f.fpga, strings.Join(synth.Families(), " or "))
	case f.fpga != "" && (f.slow != "" || f.flat):
		return errors.New("--slow and --flat need --liberty FILE")
	}
	return errors.Join(input.Check(f.liberty), input.Check(f.slow))
}

func (f synthFlags) run(cmd *cobra.Command) error {
	if err := f.check(); err != nil {
		return usage(err)
	}
	cfg, err := configuration(f.config)
	if err != nil {
		return usage(err)
	}
	d, err := elaborate(cfg)
	if err != nil {
		return err
	}
	if err := chooseTop(d, f.block); err != nil || isDryRun(cmd) {
		return usage(err)
	}
	if f.fpga != "" {
		u, err := synth.ForFPGA(cmd.Context(), d, f.fpga)
		if err != nil {
			return err
		}
		return f.printFPGA(cmd.OutOrStdout(), cfg, u)
	}
	blocks, err := synth.Run(cmd.Context(), d, synth.Options{
		Liberty: f.liberty, Slow: f.slow, Flat: f.flat, MHz: float64(cfg.ClockMHz),
		Mapped: func(b *synth.Block, done, total int, left time.Duration) {
			fmt.Fprintf(cmd.ErrOrStderr(), "mapped %d of %d blocks: %s (about %v left)\n", done, total, b.Name, left)
		},
		Analysed: func(b *synth.Block, done, total int) {
			x := newSynthBlock(b)
			fmt.Fprintf(cmd.ErrOrStderr(), "analysed %d of %d blocks: %s, %.0f um2, %s MHz\n", done, total, x.Block, x.AreaUM2, clock(x.MHz))
		},
	})
	if err != nil {
		return libertyError(err)
	}
	return f.print(cmd.OutOrStdout(), cfg, blocks)
}

// libertyError marks errors in a file of the user.
func libertyError(err error) error {
	if bad := (*synth.LibertyError)(nil); errors.As(err, &bad) || errors.Is(err, fs.ErrNotExist) {
		return usage(err)
	}
	return err
}

// chooseTop makes the module that --block names the top of d. An empty name leaves d
// unchanged.
func chooseTop(d *ir.Design, block string) error {
	if block == "" {
		return nil
	}
	d.Plain()
	for _, exact := range []bool{true, false} {
		for _, m := range slices.Backward(d.Modules) { // callers first
			if m.Name == block || !exact && strings.HasPrefix(m.Name, block) {
				d.Top = m
				return nil
			}
		}
	}
	return fmt.Errorf("--block is %q; there is no such module: see the manifest of 'hotline gen'", block)
}

// synthSchema is the schema of the JSON output.
const synthSchema = "hotline.synth/1"

// synthesis is the JSON output. docs/reference/json.md documents its keys.
type synthesis struct {
	Schema   string `json:"schema"`
	Version  string `json:"version"`
	Config   string `json:"config"`
	ClockMHz int    `json:"clock_mhz"`

	Blocks   []synthBlock `json:"blocks,omitempty"`
	FPGA     string       `json:"fpga,omitempty"`
	Cells    []fpgaCell   `json:"cells,omitempty"`
	Memories []fpgaMemory `json:"flip_flop_memories,omitempty"`
}

// fpgaCell is a type of FPGA cell and its count.
type fpgaCell struct {
	Cell string `json:"cell"`
	N    int    `json:"n"`
}

// fpgaMemory is a memory implemented with flip-flops.
type fpgaMemory struct {
	Memory string `json:"memory"`
	Bits   int    `json:"bits"`
}

type synthBlock struct {
	Block      string     `json:"block"`
	Instances  int        `json:"instances"`
	AreaUM2    float64    `json:"area_um2"`
	LogicUM2   float64    `json:"logic_um2"`
	MemoryUM2  float64    `json:"memory_um2"`
	MemoryBits int        `json:"memory_bits"`
	MHz        float64    `json:"mhz,omitempty"`
	MHzSlow    float64    `json:"mhz_slow,omitempty"`
	PowerMW    float64    `json:"power_mw"`
	Path       *synthPath `json:"path,omitempty"`
}

type synthPath struct {
	NS         float64 `json:"ns"`
	Cells      int     `json:"cells"`
	From       string  `json:"from"`
	FromSource string  `json:"from_source"`
	To         string  `json:"to"`
	ToSource   string  `json:"to_source"`
}

func newSynthBlock(b *synth.Block) synthBlock {
	out := synthBlock{
		Block: b.Name, Instances: b.Instances, AreaUM2: b.AreaUM2(), LogicUM2: b.LogicUM2, MemoryUM2: b.MemoryUM2,
		MemoryBits: b.MemoryBits, PowerMW: b.PowerMW,
	}
	if p := b.Typical; p != nil {
		out.MHz = p.MHz()
		out.Path = &synthPath{p.NS, p.Cells, p.From.Name, p.From.Source, p.To.Name, p.To.Source}
	}
	if b.Slow != nil {
		out.MHzSlow = b.Slow.MHz()
	}
	return out
}

// print prints the blocks. The text form also compares the whole accelerator with Table IV of the
// paper.
func (f synthFlags) print(w io.Writer, cfg *configs.Config, blocks []*synth.Block) error {
	out := synthesis{Schema: synthSchema, Version: version(), Config: cfg.Name, ClockMHz: cfg.ClockMHz}
	for _, b := range blocks {
		out.Blocks = append(out.Blocks, newSynthBlock(b))
	}
	if f.json {
		return printJSON(w, out)
	}
	width := table.Width(w)
	text := blockTable(out.Blocks).Format(width) + "\nCritical paths, typical:\n"
	for _, b := range out.Blocks {
		if p := b.Path; p != nil {
			text += fmt.Sprintf("%s: %.3f ns, %d cells\n  from %s  %s\n  to   %s  %s\n", b.Block, p.NS, p.Cells, p.From, p.FromSource, p.To, p.ToSource)
		}
	}
	if f.block == "" {
		text += "\n" + besideTableIV(cfg, out.Blocks[len(out.Blocks)-1]).Format(width)
	}
	_, err := io.WriteString(w, table.Wrap(text, width, 7))
	return err
}

// blockTable returns a table with a row for each block.
func blockTable(blocks []synthBlock) table.Table {
	t := table.Table{Indent: 2, Columns: []table.Column{
		{Name: "x"}, {Name: "area um2"}, {Name: "logic um2"}, {Name: "memory bits"}, {Name: "MHz"}, {Name: "MHz slow"}, {Name: "mW"}, {Name: "block", Text: true, Key: true},
	}}
	for _, b := range blocks {
		t.Rows = append(t.Rows, []string{
			fmt.Sprint(b.Instances), fmt.Sprintf("%.0f", b.AreaUM2), fmt.Sprintf("%.0f", b.LogicUM2), fmt.Sprint(b.MemoryBits),
			clock(b.MHz), clock(b.MHzSlow), fmt.Sprintf("%.1f", b.PowerMW), b.Block,
		})
	}
	return t
}

// clock formats a clock frequency, or a dash for none.
func clock(mhz float64) string {
	if mhz == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f", mhz)
}

// besideTableIV compares the whole accelerator with the paper's.
func besideTableIV(cfg *configs.Config, whole synthBlock) table.Table {
	p := cfg.Accelerator
	return table.Table{Columns: []table.Column{{Name: "Table IV", Text: true}, {Name: "paper", Text: true}, {Name: cfg.Name, Text: true}}, Rows: [][]string{
		{"frequency, MHz", "350", fmt.Sprintf("%s typical, %s slow", clock(whole.MHz), clock(whole.MHzSlow))},
		{"total area, mm2", "7.01", fmt.Sprintf("%.2f", whole.AreaUM2/1e6)},
		{"lookup engines", "64", fmt.Sprint(p.Engines)},
		{"EAL, MB", "4", fmt.Sprintf("%.3g", float64(p.Blocks)*2/(1<<20))},
		{"input eDRAM, MB", "2.5", fmt.Sprintf("%.3g", float64(p.EDRAMWords)*4/(1<<20))},
		{"reducer ALUs", "16", fmt.Sprint(p.ALUs)},
		{"embedding vector buffer, kB", "0.5", fmt.Sprintf("%.3g", float64(p.VectorValues)*4/1024)},
		{fmt.Sprintf("power at %d MHz, mW", cfg.ClockMHz), "-", fmt.Sprintf("%.0f", whole.PowerMW)},
	}}
}

// printFPGA prints the FPGA utilization.
func (f synthFlags) printFPGA(w io.Writer, cfg *configs.Config, u *synth.Utilisation) error {
	out := synthesis{Schema: synthSchema, Version: version(), Config: cfg.Name, ClockMHz: cfg.ClockMHz, FPGA: f.fpga}
	for _, name := range slices.Sorted(maps.Keys(u.Cells)) {
		out.Cells = append(out.Cells, fpgaCell{name, u.Cells[name]})
	}
	for _, name := range slices.Sorted(maps.Keys(u.Memories)) {
		out.Memories = append(out.Memories, fpgaMemory{name, u.Memories[name]})
	}
	if f.json {
		return printJSON(w, out)
	}
	t := table.Table{Headless: true, Columns: []table.Column{{Text: true}, {Text: true}}}
	for _, c := range out.Cells {
		t.Rows = append(t.Rows, []string{c.Cell, fmt.Sprint(c.N)})
	}
	t.Rows = append(t.Rows, []string{"memories of flip-flops", fmt.Sprint(len(out.Memories))})
	for _, m := range out.Memories {
		t.Rows = append(t.Rows, []string{"  " + m.Memory, fmt.Sprintf("%d bits", m.Bits)})
	}
	_, err := io.WriteString(w, t.Format(table.Width(w)))
	return err
}
