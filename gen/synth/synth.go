package synth

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/hotline-rtl/hotline/gen/eda"
	"github.com/hotline-rtl/hotline/gen/outfile"
	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// Options say what a design is mapped to, and how.
type Options struct {
	// Liberty is the file of the cells, typical; Slow that of the same cells at another
	// corner, or "". Both may be compressed with gzip.
	Liberty, Slow string
	// Flat maps the whole design as one block.
	Flat bool
	// MHz is the clock at which power is told.
	MHz float64
	// Cache is the folder of netlists that are mapped already; "" means the user's cache
	// directory.
	Cache string
	// Mapped is called after each block that is mapped to cells, with an estimate of the
	// time that the rest takes. Analysed is called after each block whose figures are
	// complete. Each may be nil. Calls do not overlap.
	Mapped   func(b *Block, done, total int, left time.Duration)
	Analysed func(b *Block, done, total int)

	cut limits // of tests
}

func (o Options) limits() limits {
	switch {
	case o.Flat:
		return flat
	case o.cut != limits{}:
		return o.cut
	}
	return usual
}

// Block is a part of a design that was mapped by itself. Its figures are of one instance,
// with the blocks inside it.
type Block struct {
	Name       string
	Instances  int     // in the design
	LogicUM2   float64 // area of cells
	MemoryUM2  float64 // area of memory macros
	MemoryBits int     // in them
	PowerMW    float64
	// Typical and Slow are the paths that limit the clock, nil if there are none between
	// registers or memories, or no slow corner was asked for.
	Typical, Slow *Path

	module   *ir.Module
	size     int // of what is mapped, as in package limits
	inner    []*Block
	macros   map[macro]int
	cells    *eda.Module // as Yosys leaves it
	mapped   *mapped
	memories map[string]string // where in the Verilog those are that are of flip-flops
	analysed string            // name in the analysis
}

// AreaUM2 is the area of the block.
func (b *Block) AreaUM2() float64 { return b.LogicUM2 + b.MemoryUM2 }

// run is what the blocks of a design have in common.
type run struct {
	dir           string // that is worked in
	files         []verilog.File
	macros        map[string]macro
	typical, slow *library
	opt           Options
}

// Run maps a design to cells, and gives its blocks, those inside others first; the last is
// the whole. Each value of a Verilog parameter becomes a module in d (ir.Design.Plain).
func Run(ctx context.Context, d *ir.Design, opt Options) ([]*Block, error) {
	r := &run{macros: map[string]macro{}, opt: opt}
	if err := r.readLibraries(); err != nil {
		return nil, err
	}
	var err error
	if r.dir, err = os.MkdirTemp("", "hotline-synth-"); err != nil {
		return nil, err
	}
	defer os.RemoveAll(r.dir)
	d.Plain()
	if r.files, err = (verilog.Options{Source: true}).Generate(d); err != nil {
		return nil, err
	}
	if err := r.prepare(); err != nil {
		return nil, err
	}
	blocks := cut(d, opt.limits())
	if err := r.mapAll(ctx, blocks); err != nil {
		return nil, err
	}
	for i, b := range blocks {
		b.analysed = fmt.Sprintf("block%d", i)
		if err := r.complete(ctx, b); err != nil {
			return nil, fmt.Errorf("%s: %w", b.Name, err)
		}
		if opt.Analysed != nil {
			opt.Analysed(b, i+1, len(blocks))
		}
	}
	return blocks, nil
}

// readLibraries reads the files of the user.
func (r *run) readLibraries() (err error) {
	if r.typical, err = readLibrary(r.opt.Liberty); err != nil || r.opt.Slow == "" {
		return err
	}
	if r.slow, err = readLibrary(r.opt.Slow); err != nil {
		return err
	}
	for _, name := range eda.Sorted(r.typical.cells) {
		if _, ok := r.slow.cells[name]; !ok {
			return &LibertyError{r.opt.Slow, fmt.Errorf("it has no cell %s, which is in %s", name, r.opt.Liberty)}
		}
	}
	return nil
}

// prepare writes the files that all blocks read.
func (r *run) prepare() error {
	files := map[string][]byte{"typical.lib": r.typical.text}
	if r.slow != nil {
		files["slow.lib"] = r.slow.text
	}
	return r.writeFiles(files)
}

// constraints are the load and the driver of a block, for ABC.
func (r *run) constraints() string {
	b := r.typical.buffer
	return fmt.Sprintf("set_driving_cell %s\nset_load %g\n", b.cell, 4*b.load)
}

// writeFiles writes the Verilog, and other files.
func (r *run) writeFiles(files map[string][]byte) error {
	for _, f := range r.files {
		if err := outfile.Scratch(filepath.Join(r.dir, f.Name), []byte(f.Text)); err != nil {
			return err
		}
	}
	for name, text := range files {
		if err := outfile.Scratch(filepath.Join(r.dir, name), text); err != nil {
			return err
		}
	}
	return nil
}

// complete finds the figures of a block that is mapped, and whose inner blocks are complete.
func (r *run) complete(ctx context.Context, b *Block) error {
	for m, count := range b.macros {
		b.MemoryBits += count * m.bits()
		r.macros[m.name()] = m
	}
	b.mapped = newMapped(b.cells, r.typical, b.boxes(), b.clocks())
	b.LogicUM2, b.MemoryUM2 = b.mapped.area(r.macros)
	for _, c := range b.mapped.Cells {
		if in := b.mapped.inside[c.Type]; in != nil {
			b.LogicUM2 += in.LogicUM2
			b.MemoryUM2 += in.MemoryUM2
			b.MemoryBits += in.MemoryBits
		}
	}
	return r.analyse(ctx, b)
}

// filesOf returns the files that a block is made from: of its modules, of the blocks
// directly inside it, and of foreign Verilog.
func (r *run) filesOf(b *Block) []verilog.File {
	need := map[*ir.Module]bool{}
	var visit func(m *ir.Module)
	visit = func(m *ir.Module) {
		if need[m] {
			return
		}
		need[m] = true
		if !slices.ContainsFunc(b.inner, func(in *Block) bool { return in.module == m }) {
			children(m, func(in *ir.Module, _ int) { visit(in) })
		}
	}
	visit(b.module)
	var out []verilog.File
	for _, f := range r.files {
		if len(f.Modules) == 0 || need[f.Modules[0]] {
			out = append(out, f)
		}
	}
	return out
}

// boxes are the blocks directly inside b, by their names in Verilog.
func (b *Block) boxes() map[string]*Block {
	out := map[string]*Block{}
	for _, in := range b.inner {
		out[in.Name] = in
	}
	return out
}

// clocks are the ports of b that are clocks.
func (b *Block) clocks() map[string]bool {
	out := map[string]bool{}
	if b.module.Clock {
		out[b.module.Own.ClockName()] = true
	}
	for _, d := range b.module.Domains {
		out[d.Clock.Name] = true
	}
	return out
}

// read reads a file that Yosys has written. Bits without a value become 0.
func read(dir, name string) (*eda.Netlist, error) {
	n, err := eda.Read(filepath.Join(dir, name))
	if err != nil {
		return nil, err
	}
	for _, m := range n.Modules {
		m.Ground()
	}
	return n, nil
}

// save writes a file that Yosys will read. What it has named itself gets other names, as it
// counts from 1 again.
func save(n *eda.Netlist, file string) error {
	for _, m := range n.Modules {
		m.Cells, m.Nets = renamed("$cell$", m.Cells), renamed("$net$", m.Nets)
	}
	return n.Write(file)
}

// renamed has other names for what begins with a dollar.
func renamed[V any](prefix string, all map[string]V) map[string]V {
	out := map[string]V{}
	for i, name := range eda.Sorted(all) {
		kept := name
		if name[0] == '$' {
			kept = fmt.Sprint(prefix, i)
		}
		out[kept] = all[name]
	}
	return out
}
