package verilog_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/irgen"
)

func TestDump(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("SEED"))
	dir := os.Getenv("DIR")
	d := irgen.Random(uint64(n), irgen.Small)
	files, _ := verilog.Generate(d)
	os.WriteFile(filepath.Join(dir, "design.ir"), []byte(d.String()), 0o644)
	b := &bench{d: d, files: files, o: newOracle(t, d)}
	for _, p := range d.Top.Ports {
		if p.Kind == ir.Input {
			b.in = append(b.in, p)
		} else {
			b.out = append(b.out, p)
		}
	}
	stim, want := b.expect(rand.New(rand.NewPCG(uint64(n), 1)), 60)
	os.WriteFile(filepath.Join(dir, "stimulus.hex"), []byte(strings.Join(stim, "\n")), 0o644)
	os.WriteFile(filepath.Join(dir, "want"), []byte(strings.Join(want, "\n")), 0o644)
	files = append(files, verilog.File{Name: "tb.v", Text: b.text(60)})
	for _, f := range files {
		os.WriteFile(filepath.Join(dir, f.Name), []byte(f.Text), 0o644)
	}
}
