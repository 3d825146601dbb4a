package gosim

import (
	"errors"
	"fmt"
	"go/format"
	"io"
	"strings"

	"github.com/hotline-rtl/hotline/gen/gosim/funcs"
	"github.com/hotline-rtl/hotline/gen/gosim/guard"
	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// Stage identifies a step of the translation of a design to a model.
type Stage struct {
	Name string
	Does string // description of the step that leads to the stage
}

// Stages returns the stages that Dump supports, in order: vectorized, after each pass, as kernels,
// and as Go.
func Stages() []Stage {
	stages := []Stage{{"roll", "operations of the same expression in all copies of a loop are one, of as many lanes"}}
	for _, x := range plan.Passes {
		stages = append(stages, Stage{x.Name, x.Does})
	}
	return append(stages,
		Stage{"kernels", "what units do in many lanes is operations on vectors"},
		Stage{"go", "units are functions"})
}

// Dump writes d at a stage, with the names of the design and positions in its source. If unit is
// not negative, Dump writes only that unit, which must exist at that stage. For a unit without a
// kernel, it writes the reason.
func Dump(w io.Writer, d *ir.Design, stage string, unit int) error {
	text, units, known := "", []string(nil), false
	p, err := plan.New(d, func(pass string, p *plan.Plan) {
		if pass == stage {
			text, units, known = p.String(), unitTexts(p), true
		}
	})
	if err != nil {
		return err
	}
	switch stage {
	case "kernels":
		units = kernelTexts(p)
	case "go":
		if units, err = goTexts(p); err != nil {
			return err
		}
	default:
		if !known {
			return fmt.Errorf("gosim: there is no stage %q", stage)
		}
	}
	switch {
	case unit >= 0 && len(units) == 0:
		return fmt.Errorf("gosim: after stage %q there are no units yet", stage)
	case unit >= len(units):
		return fmt.Errorf("gosim: there is no unit %d after stage %q, of %d units", unit, stage, len(units))
	case unit >= 0:
		text = units[unit]
	case text == "":
		text = strings.Join(units, "")
	}
	_, err = io.WriteString(w, text)
	return err
}

// unitTexts returns the units as text, or nothing before units exist.
func unitTexts(p *plan.Plan) (texts []string) {
	for _, u := range p.Units {
		texts = append(texts, p.UnitText(u))
	}
	return texts
}

// kernelTexts returns the kernels of each unit as text, or the reason why there is none. It also
// lists the targets that do not support them.
func kernelTexts(p *plan.Plan) (texts []string) {
	for _, u := range p.Units {
		kernels, err := funcs.New(p, &strings.Builder{}).Kernels(u)
		if err == nil && kernels == nil {
			err = errors.New("no loop over lanes of words")
		}
		if err != nil {
			texts = append(texts, fmt.Sprintf("u%d: no kernel: %v\n", u.ID, err))
			continue
		}
		text := fmt.Sprintf("u%d: %s\n", u.ID, u.Describe())
		for _, k := range kernels {
			text += k.String()
		}
		for _, on := range funcs.Targets {
			if _, err := kernel.NewAssembly().Add([]kernel.Target{on}, kernels...); err != nil {
				text += fmt.Sprintf("  not for %s: %v\n", on.Name(), err)
			}
		}
		texts = append(texts, text)
	}
	return texts
}

// goTexts returns the functions of the units as Go code.
func goTexts(p *plan.Plan) (texts []string, err error) {
	for _, u := range p.Units {
		var b strings.Builder
		funcs.New(p, &b).PrintUnit(u)
		text, err := format.Source([]byte(b.String()))
		if err != nil {
			return nil, &guard.Error{Where: fmt.Sprintf("in the Go code of u%d", u.ID), Cause: err}
		}
		texts = append(texts, string(text))
	}
	return texts, nil
}
