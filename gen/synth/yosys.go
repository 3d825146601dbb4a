package synth

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/hotline-rtl/hotline/sim/outfile"
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

// tool runs a program in a folder; the error has what it printed last.
func tool(ctx context.Context, dir, name string, args ...string) (string, error) {
	if _, err := exec.LookPath(name); err != nil {
		return "", fmt.Errorf("%s is not installed; see scripts/setup", name)
	}
	c := exec.CommandContext(ctx, name, args...)
	c.Dir = dir
	out, err := c.CombinedOutput()
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w: %s", name, err, lastLines(out))
	}
	return string(out), nil
}

// lastLines is the end of what a tool printed.
func lastLines(out []byte) string {
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	return string(bytes.Join(lines[max(0, len(lines)-5):], []byte("\n")))
}

// yosys runs a script in a folder.
func yosys(ctx context.Context, dir, script string) error {
	if err := outfile.Scratch(filepath.Join(dir, "script.ys"), []byte(script)); err != nil {
		return err
	}
	_, err := tool(ctx, dir, "yosys", "-q", "-s", "script.ys")
	return err
}

// synthesise maps a block: coarse netlist, macros in the places of memories, cells.
func (r *run) synthesise(ctx context.Context, b *Block) error {
	var boxes strings.Builder
	for _, in := range b.inner {
		fmt.Fprintf(&boxes, "blackbox %s\n", in.Name)
	}
	files := strings.Join(r.filesOf(b), " ")
	if err := yosys(ctx, r.dir, fmt.Sprintf(elaborateScript, files, boxes.String(), b.Name)); err != nil {
		return err
	}
	n, err := r.netlist("coarse.json")
	if err != nil {
		return err
	}
	macros, err := n.useMacros(n.Modules[b.Name])
	if err != nil {
		return err
	}
	for m, count := range macros {
		b.MemoryBits += count * m.bits()
		r.macros[m.name()] = m
	}
	b.memories = n.Modules[b.Name].memories()
	if err := n.save(filepath.Join(r.dir, "macros.json")); err != nil {
		return err
	}
	if err := yosys(ctx, r.dir, mapScript); err != nil {
		return err
	}
	if n, err = r.netlist("mapped.json"); err != nil {
		return err
	}
	m := n.Modules[b.Name]
	if m == nil {
		return errors.New("yosys has lost the module")
	}
	b.mapped = newMapped(m, r.typical, b.boxes(), b.clocks())
	return nil
}
