package randomdesigns

import (
	"encoding/json"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"

	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/compiled"
	"github.com/hotline-rtl/hotline/sim/compiled/model"
)

// Program compares models with the interpreter. Its main package is generated.
type Program struct {
	Models map[uint64]NewModel
	Copies map[uint64]NewCopies // designs without black boxes
}

// NewModel returns a model for an instruction set. With everything, the model evaluates all logic
// instead of only the logic whose inputs have changed.
type NewModel func(everything bool, l model.Level) sim.Simulator

// NewCopies returns a model of a batch of instances for an instruction set.
type NewCopies func(l model.Level) sim.Copies

// NewProgram returns a program without models.
func NewProgram() *Program { return &Program{map[uint64]NewModel{}, map[uint64]NewCopies{}} }

// Main runs the program with the command-line arguments and exits.
func (p *Program) Main() {
	if p.run(os.Args[1:], os.Stdout) || len(os.Args) < 3 { // startModels interprets any other exit status as a crash
		return
	}
	os.Exit(1)
}

// run compares the models of the program. It prints an object for each difference, and an object
// with only the seed after each design. Arguments are a number of cycles and, optionally, the only
// instruction set; then each model runs in one mode. The result reports whether there was no
// difference.
func (p *Program) run(args []string, w io.Writer) (same bool) {
	same = true
	n, err := strconv.Atoi(args[0])
	if err != nil {
		panic(err)
	}
	ways, levels := ways, model.Levels()
	if len(args) > 1 {
		only, err := model.LevelNamed(args[1])
		if err != nil {
			panic(err)
		}
		levels, ways = []model.Level{only.Here()}, []way{at(only)}
	}
	out := json.NewEncoder(w)
	for _, seed := range slices.Sorted(maps.Keys(p.Models)) {
		d := newDesign(seed, n)
		compare := func(name string, m inspected) {
			if err := d.lockstep(name, m); err != nil {
				same = false
				_ = out.Encode(difference{Seed: seed, Engine: name, Text: err.Error()})
			}
		}
		for _, way := range ways {
			compare(way.name, way.make(d.hosted(p.Models[seed])))
		}
		if many, ok := p.Copies[seed]; ok {
			for _, l := range levels {
				compare("copies-"+l.String(), newAmong(many(l), d))
			}
		}
		_ = out.Encode(difference{Seed: seed})
	}
	return same
}

// hosted returns a constructor of models that run together with the Go models of their black boxes.
func (d *design) hosted(make NewModel) NewModel {
	return func(everything bool, l model.Level) sim.Simulator {
		m, err := compiled.Host(d.Design, make(everything, l).(compiled.Model))
		if err != nil {
			panic(err)
		}
		return m
	}
}
