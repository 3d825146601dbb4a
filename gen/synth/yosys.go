package synth

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/hotline-rtl/hotline/gen/eda"
)

// elaborateScript reads the files of a block, and leaves operations and memories.
const elaborateScript = `read_verilog %[1]s
%[2]shierarchy -check -top %[3]s
proc
flatten
opt_expr -mux_undef
synth -noshare -run coarse:fine
opt_clean
write_json coarse.json
`

// mapScript maps what that has left to cells. For abc it gives a script that is about speed:
// the default one leaves up to half of it (docs/synthesis.md).
const mapScript = `read_json macros.json
read_liberty -lib -ignore_miss_func typical.lib
synth -noabc -run fine:check
dfflibmap -liberty typical.lib
opt
abc -liberty typical.lib -constr constraints -script +strash;&get,-n;&st;&dch;&nf;&st;&syn2;&if,-g,-K,6;&synch2;&nf;&st;&syn2;&if,-g,-K,6;&synch2;&nf;&put;buffer,-c;topo;stime,-c;upsize,-c;dnsize,-c
opt_clean
write_json mapped.json
`

// synthesise maps a block: coarse netlist, macros in the places of memories, cells.
func (r *run) synthesise(ctx context.Context, b *Block) error {
	var boxes strings.Builder
	for _, in := range b.inner {
		fmt.Fprintf(&boxes, "blackbox %s\n", in.Name)
	}
	files := strings.Join(r.filesOf(b), " ")
	if err := eda.Yosys(ctx, r.dir, fmt.Sprintf(elaborateScript, files, boxes.String(), b.Name)); err != nil {
		return err
	}
	n, err := read(r.dir, "coarse.json")
	if err != nil {
		return err
	}
	macros, err := useMacros(n, n.Modules[b.Name])
	if err != nil {
		return err
	}
	for m, count := range macros {
		b.MemoryBits += count * m.bits()
		r.macros[m.name()] = m
	}
	b.memories = memories(n.Modules[b.Name])
	if err := save(n, filepath.Join(r.dir, "macros.json")); err != nil {
		return err
	}
	if err := eda.Yosys(ctx, r.dir, mapScript); err != nil {
		return err
	}
	if n, err = read(r.dir, "mapped.json"); err != nil {
		return err
	}
	m := n.Modules[b.Name]
	if m == nil {
		return errors.New("yosys has lost the module")
	}
	b.mapped = newMapped(m, r.typical, b.boxes(), b.clocks())
	return nil
}
