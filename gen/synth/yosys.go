package synth

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/hotline-rtl/hotline/gen/buildcache"
	"github.com/hotline-rtl/hotline/gen/eda"
	"github.com/hotline-rtl/hotline/gen/outfile"
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

// mapScript maps these to cells. Its script for abc optimises speed; the default script of Yosys
// loses up to half of the speed.
const mapScript = `read_json macros.json
read_liberty -lib -ignore_miss_func typical.lib
synth -noabc -run fine:check
dfflibmap -liberty typical.lib
opt
abc -liberty typical.lib -constr constraints -script +strash;&get,-n;&st;&dch;&nf;&st;&syn2;&if,-g,-K,6;&synch2;&nf;&st;&syn2;&if,-g,-K,6;&synch2;&nf;&put;buffer,-c;topo;stime,-c;upsize,-c;dnsize,-c
opt_clean
write_json mapped.json
`

// The netlists that Yosys writes for a block.
const (
	coarseFile = "coarse.json" // operations and memories
	cellsFile  = "mapped.json" // cells, and macros that replace memories
)

// mapCells maps a block in three steps: coarse netlist, macros for memories, cells. It may run for
// several blocks in parallel. Netlists are cached by all inputs of Yosys.
func (r *run) mapCells(ctx context.Context, b *Block) error {
	dir, err := r.netlists(ctx, b)
	if err != nil {
		return err
	}
	n, err := read(dir, coarseFile)
	if err != nil {
		return err
	}
	if b.macros, err = useMacros(n, n.Modules[b.Name]); err != nil {
		return err
	}
	b.memories = memories(n.Modules[b.Name])
	if n, err = read(dir, cellsFile); err != nil {
		return err
	}
	if b.cells = n.Modules[b.Name]; b.cells == nil {
		return errors.New("the module is missing in the output of Yosys")
	}
	return nil
}

// netlists returns the folder with the two netlists of b. If the cache cannot be written, it is a
// folder of this run.
func (r *run) netlists(ctx context.Context, b *Block) (string, error) {
	job, err := r.job(ctx, b)
	if err != nil {
		return "", err
	}
	store, err := buildcache.Open(r.opt.Cache)
	if err == nil {
		var dir string
		if dir, _, err = store.Get("cells", job.key, job.run); err == nil {
			return dir, nil
		}
	}
	if unwritable := (*buildcache.UnwritableError)(nil); !errors.As(err, &unwritable) {
		return "", err
	}
	dir, err := os.MkdirTemp(r.dir, "cells-")
	if err != nil {
		return "", err
	}
	return dir, job.run(dir)
}

// job is a run of Yosys for a block.
type job struct {
	key string
	run func(dir string) error // writes the netlists to dir
}

// job returns the run that maps b.
func (r *run) job(ctx context.Context, b *Block) (job, error) {
	texts := map[string]string{"typical.lib": string(r.typical.text), "constraints": r.constraints()}
	var names []string
	for _, f := range r.filesOf(b) {
		texts[f.Name] = f.Text
		names = append(names, f.Name)
	}
	var boxes strings.Builder
	for _, in := range b.inner {
		fmt.Fprintf(&boxes, "blackbox %s\n", in.Name)
	}
	elaborate := fmt.Sprintf(elaborateScript, strings.Join(names, " "), boxes.String(), b.Name)
	version, err := eda.Version(ctx)
	if err != nil {
		return job{}, err
	}
	parts := []string{version, elaborate, mapScript}
	for _, name := range eda.Sorted(texts) {
		parts = append(parts, name, texts[name])
	}
	return job{buildcache.Key(parts...), func(dir string) error {
		for name, text := range texts {
			if err := outfile.Scratch(filepath.Join(dir, name), []byte(text)); err != nil {
				return err
			}
		}
		if err := runYosys(ctx, dir, b.Name, elaborate); err != nil {
			return err
		}
		for name := range texts {
			if err := os.Remove(filepath.Join(dir, name)); err != nil {
				return err
			}
		}
		return nil
	}}, nil
}

// runYosys maps the module name with the files in dir.
func runYosys(ctx context.Context, dir, name, elaborate string) error {
	if err := eda.Yosys(ctx, dir, elaborate); err != nil {
		return err
	}
	n, err := read(dir, coarseFile)
	if err != nil {
		return err
	}
	if _, err := useMacros(n, n.Modules[name]); err != nil {
		return err
	}
	if err := save(n, filepath.Join(dir, "macros.json")); err != nil {
		return err
	}
	return eda.Yosys(ctx, dir, mapScript)
}
