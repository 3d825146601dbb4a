package clib

import (
	"embed"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/hotline-rtl/hotline/gen/gosim"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
)

// Options configures a library.
type Options struct {
	// Config is the name of the configuration, which programs pass when they create a model.
	Config string
	// Version is the version of the program that generates the library.
	Version string
	// Source is the directory with this module's source, an absolute path.
	Source string
}

// modelPackage is the name of the model's package and of its directory.
const modelPackage = "cycle"

//go:embed library
var library embed.FS

// Generate returns the files of a library of d; their names are slash-separated. It fails if
// elaboration did not check the design or if the options are invalid.
func Generate(d *ir.Design, opt Options) ([]gosim.File, error) {
	if err := opt.check(); err != nil {
		return nil, err
	}
	model, err := gosim.Generate(d, modelPackage)
	if err != nil {
		return nil, err
	}
	g := newGenerator(d, opt)
	var out []gosim.File
	for _, name := range []string{"main.go", "models.go", "go.mod", "hotline.h", "hotline.hpp", "hotline.py", "Makefile", "README.md"} {
		text, err := library.ReadFile("library/" + name + ".txt")
		if err != nil {
			return nil, err // unreachable: the file is embedded
		}
		out = append(out, gosim.File{Name: name, Text: g.fill(string(text))})
	}
	for _, f := range model {
		out = append(out, gosim.File{Name: modelPackage + "/" + f.Name, Text: f.Text})
	}
	return out, nil
}

func (o Options) check() error {
	switch {
	case o.Config == "" || strings.ContainsAny(o.Config+o.Version, "\"\\\n"):
		return fmt.Errorf("clib: the configuration is called %q in version %q, expected names without quotes and line breaks", o.Config, o.Version)
	case !filepath.IsAbs(o.Source) || strings.ContainsAny(o.Source, "\"\\\n"):
		return fmt.Errorf("clib: the source is at %q, expected an absolute path without quotes and line breaks", o.Source)
	}
	return nil
}

// generator substitutes the parts of the templates that depend on the design.
type generator struct {
	with *strings.Replacer
}

func newGenerator(d *ir.Design, opt Options) *generator {
	ports := sim.PortsOf(d)
	f := sim.NewFormat(ports)
	at := make([]sim.Field, len(ports))
	for _, x := range append(append([]sim.Field{}, f.In...), f.Out...) {
		at[x.Port] = x
	}
	return &generator{strings.NewReplacer(
		"@CONFIG@", opt.Config, "@VERSION@", opt.Version, "@SOURCE@", opt.Source, "@DESIGN@", d.Top.Name,
		"@IN_WORDS@", fmt.Sprint(f.InWords), "@OUT_WORDS@", fmt.Sprint(f.OutWords),
		"@C_PORTS@", each(ports, func(i int, p sim.Port) string {
			return fmt.Sprintf("  HOTLINE_%s = %d,%s\n", strings.ToUpper(p.Name), i, comment("//", p))
		}),
		"@C_PLACES@", each(ports, func(i int, p sim.Port) string {
			return fmt.Sprintf("  HOTLINE_AT_%s = %d,\n", strings.ToUpper(p.Name), at[i].Word)
		}),
		"@CPP_PORTS@", each(ports, func(_ int, p sim.Port) string {
			return fmt.Sprintf("  %s;%s\n", member(p), comment("//", p))
		}),
		"@CPP_PACK@", each(ports, func(i int, p sim.Port) string { return copied(p, at[i], p.Input, "in_") }),
		"@CPP_UNPACK@", each(ports, func(i int, p sim.Port) string { return copied(p, at[i], !p.Input, "out_") }),
		"@PY_PORTS@", each(ports, func(i int, p sim.Port) string {
			return fmt.Sprintf("    %q: Port(%d, %d, %s),\n", p.Name, i, p.Type.Bits(), map[bool]string{true: "True", false: "False"}[p.Input])
		}),
	)}
}

func (g *generator) fill(text string) string { return g.with.Replace(text) }

// each concatenates a text per port.
func each(ports []sim.Port, text func(int, sim.Port) string) string {
	var b strings.Builder
	for i, p := range ports {
		b.WriteString(text(i, p))
	}
	return b.String()
}

// comment returns a comment with the direction and the size of a port.
func comment(mark string, p sim.Port) string {
	direction := map[bool]string{true: "input", false: "output"}[p.Input]
	if p.Type.IsVec() {
		return fmt.Sprintf(" %s %s, %d elements of %d bits", mark, direction, p.Type.Len, p.Type.Width)
	}
	return fmt.Sprintf(" %s %s, %d bits", mark, direction, p.Type.Bits())
}

// member returns the C++ declaration of a port.
func member(p sim.Port) string {
	bits := p.Type.Bits()
	if bits > 64 {
		return fmt.Sprintf("uint64_t %s[%d] = {}", p.Name, ir.Words(bits))
	}
	return fmt.Sprintf("%s %s = 0", scalar(bits), p.Name)
}

// scalar returns the smallest C++ type for up to 64 bits.
func scalar(bits int) string {
	size := 8
	for size < bits {
		size *= 2
	}
	return fmt.Sprintf("uint%d_t", size)
}

// copied returns the statements that copy a port to the input frame or from the output frame. The
// result is empty if the port is not wanted.
func copied(p sim.Port, at sim.Field, wanted bool, frame string) string {
	if !wanted {
		return ""
	}
	var b strings.Builder
	for k := range at.Words {
		port, word := p.Name, fmt.Sprintf("%s[%d]", frame, at.Word+k)
		bits := p.Type.Bits()
		if bits > 64 {
			port, bits = fmt.Sprintf("%s[%d]", p.Name, k), 64
		}
		if p.Input {
			fmt.Fprintf(&b, "    %s = %s;\n", word, port)
		} else {
			fmt.Fprintf(&b, "    %s = static_cast<%s>(%s);\n", port, scalar(bits), word)
		}
	}
	return b.String()
}
