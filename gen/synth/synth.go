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

// Options configure the mapping.
type Options struct {
	// Liberty is the liberty file of the cells at the typical corner. Slow is the file of the same
	// cells at another corner, or "". Both may be compressed with gzip.
	Liberty, Slow string
	// Flat maps the whole design as one block.
	Flat bool
	// MHz is the clock frequency for the power analysis.
	MHz float64
	// Cache is the folder of cached netlists; "" means the user's cache directory.
	Cache string
	// Mapped is called after each block is mapped to cells, with an estimate of the remaining time.
	// Analysed is called after the figures of each block are complete. Each may be nil. Calls do
	// not overlap.
	Mapped   func(b *Block, done, total int, left time.Duration)
	Analysed func(b *Block, done, total int)

	cut limits // for tests
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

// Block is a part of a design that was mapped separately. Its figures are for one instance,
// including inner blocks.
type Block struct {
	Name       string
	Instances  int     // number of instances in the design
	LogicUM2   float64 // area of cells
	MemoryUM2  float64 // area of memory macros
	MemoryBits int     // bits of these macros
	PowerMW    float64
	// Typical and Slow are the paths that limit the clock. They are nil if there is no path between
	// registers or memories, or if no slow corner was requested.
	Typical, Slow *Path

	module   *ir.Module
	size     int // size of the mapped part; see limits
	inner    []*Block
	macros   map[macro]int
	cells    *eda.Module // written by Yosys
	mapped   *mapped
	memories map[string]string // positions in the Verilog of memories that are built from flip-flops
	analysed string            // name in the analysis
}

// AreaUM2 returns the area of the block in um2.
func (b *Block) AreaUM2() float64 { return b.LogicUM2 + b.MemoryUM2 }

// run holds the state shared by the blocks of a design.
type run struct {
	dir           string // working directory
	files         []verilog.File
	macros        map[string]macro
	typical, slow *library
	opt           Options
}

// Run maps a design to cells and returns its blocks, inner blocks first. The last block is the
// whole design. Run replaces each parameterised module of d by one module per value
// (ir.Design.Plain).
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

// readLibraries reads the liberty files.
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

// constraints returns the load and the driver of a block, for ABC.
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

// complete computes the figures of a mapped block. The figures of its inner blocks must be
// complete.
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

// filesOf returns the Verilog files of a block: of its modules, of the blocks directly inside it,
// and external Verilog.
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

// boxes returns the blocks directly inside b, by their names in Verilog.
func (b *Block) boxes() map[string]*Block {
	out := map[string]*Block{}
	for _, in := range b.inner {
		out[in.Name] = in
	}
	return out
}

// clocks returns the ports of b that are clocks.
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

// read reads a file that Yosys has written. Undefined bits become 0.
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

// save writes a file for Yosys. It renames cells and nets that Yosys has named, because Yosys
// numbers from 1 again.
func save(n *eda.Netlist, file string) error {
	for _, m := range n.Modules {
		m.Cells, m.Nets = renamed("$cell$", m.Cells), renamed("$net$", m.Nets)
	}
	return n.Write(file)
}

// renamed returns a copy with new names for those that begin with a dollar.
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
