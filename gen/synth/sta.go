package synth

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/hotline-rtl/hotline/gen/eda"
	"github.com/hotline-rtl/hotline/gen/outfile"
)

// Path is the slowest path between two registers or memories.
type Path struct {
	NS       float64 // minimum clock period
	Cells    int     // number of cells on the path
	From, To Place
}

// MHz returns the maximum clock frequency that p allows.
func (p *Path) MHz() float64 { return 1000 / p.NS }

// activity is the share of cycles in which a net changes, for the power analysis.
const activity = 0.1

// analyse determines the slowest paths of b and its power.
func (r *run) analyse(ctx context.Context, b *Block) error {
	all, edge := b.mapped.all(), b.mapped.edge()
	for suffix, cells := range map[string]map[string]bool{"": all, edgeFile: edge, drivenFile: b.mapped.driven(all), drivenEdgeFile: b.mapped.driven(edge)} {
		f, err := outfile.Stream(filepath.Join(r.dir, b.analysed+suffix+".v"))
		if err != nil {
			return err
		}
		b.mapped.write(f, b.analysed, cells)
		if err := f.Close(); err != nil {
			return err
		}
	}
	// Memories slow down in the same ratio as a buffer.
	var err error
	if b.Typical, err = r.slowest(ctx, b, "typical.lib", 1, func(in *Block) *Path { return in.Typical }); err != nil {
		return err
	}
	if r.slow != nil {
		slow := r.slow.buffer.delay / r.typical.buffer.delay
		if b.Slow, err = r.slowest(ctx, b, "slow.lib", slow, func(in *Block) *Path { return in.Slow }); err != nil {
			return err
		}
	}
	return r.power(ctx, b)
}

// Suffixes of the files of a block. The complete file has no suffix. The power analysis uses files
// without constant cells. Constants at the ports of a block crash OpenSTA 2.0.17, for instance in
// `lookup` at the paper's scale.
const (
	edgeFile       = "_edge" // boundary cells, for the analysis of the surrounding block
	drivenFile     = "_driven"
	drivenEdgeFile = "_driven_edge"
)

// slowest returns the slowest path of b at a corner: its own path, or a slower path found in an
// inner block.
func (r *run) slowest(ctx context.Context, b *Block, library string, slow float64, found func(*Block) *Path) (*Path, error) {
	report, err := r.sta(ctx, b, corner{library, slow, "", edgeFile}, "report_checks -path_delay max -digits 4\n")
	if err != nil {
		return nil, err
	}
	worst, err := r.path(b, report)
	if err != nil {
		return nil, err
	}
	for _, name := range b.mapped.names {
		in := b.mapped.inside[b.mapped.Cells[name].Type]
		if in == nil || found(in) == nil || worst != nil && found(in).NS <= worst.NS {
			continue
		}
		p := *found(in)
		p.From.Name, p.To.Name = name+"."+p.From.Name, name+"."+p.To.Name
		worst = &p
	}
	return worst, nil
}

// power determines the power of b, including inner blocks.
func (r *run) power(ctx context.Context, b *Block) error {
	report, err := r.sta(ctx, b, corner{"typical.lib", 1, drivenFile, drivenEdgeFile}, fmt.Sprintf("set_power_activity -input -activity %g -duty 0.5\nreport_power -digits 6 -instances [get_cells *]\n", activity))
	if err != nil {
		return err
	}
	for _, m := range cellPower.FindAllStringSubmatch(report, -1) {
		n, err := strconv.Atoi(m[2])
		if err != nil || n >= len(b.mapped.names) {
			return fmt.Errorf("synth: OpenSTA reports the power of an unknown cell: %s", m[0])
		}
		if in := b.mapped.inside[b.mapped.Cells[b.mapped.names[n]].Type]; in != nil {
			b.PowerMW += in.PowerMW
			continue
		}
		watts, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			return fmt.Errorf("synth: power in the report of OpenSTA: %w", err)
		}
		b.PowerMW += 1000 * watts
	}
	return nil
}

// corner describes an analysis: the library, the factor on the delays of memories, and the suffixes
// of the files of the block and of inner blocks.
type corner struct {
	library     string
	slow        float64
	own, inside string
}

// sta runs commands of OpenSTA on b.
func (r *run) sta(ctx context.Context, b *Block, c corner, commands string) (string, error) {
	f, err := outfile.Stream(filepath.Join(r.dir, "memories.lib"))
	if err != nil {
		return "", err
	}
	writeMacros(f, r.macros, c.slow)
	if err := f.Close(); err != nil {
		return "", err
	}
	var script strings.Builder
	fmt.Fprintf(&script, "read_liberty %s\nread_liberty memories.lib\nread_verilog %s%s.v\n", c.library, b.analysed, c.own)
	for _, in := range b.within() {
		if in != b {
			fmt.Fprintf(&script, "read_verilog %s%s.v\n", in.analysed, c.inside)
		}
	}
	fmt.Fprintf(&script, "link_design %s\nset_cmd_units -time ns -power mW\n", b.analysed)
	period := 1000 / r.opt.MHz
	groups := ""
	for i, name := range eda.Sorted(b.mapped.Ports) {
		if b.mapped.clocks[name] {
			fmt.Fprintf(&script, "create_clock -name %s -period %g [get_ports %[1]s]\n", portName(i, 0), period)
			groups += " -group " + portName(i, 0)
		}
	}
	if len(b.mapped.clocks) > 1 {
		fmt.Fprintf(&script, "set_clock_groups -asynchronous%s\n", groups)
	}
	fmt.Fprintf(&script, "puts {period %g}\n%s", period, commands)
	if err := outfile.Scratch(filepath.Join(r.dir, "script.tcl"), []byte(script.String())); err != nil {
		return "", err
	}
	return eda.Run(ctx, r.dir, "sta", "-no_splash", "-no_init", "-exit", "script.tcl")
}

// within returns all blocks inside b, and finally b.
func (b *Block) within() []*Block {
	var out []*Block
	seen := map[*Block]bool{}
	var visit func(b *Block)
	visit = func(b *Block) {
		if seen[b] {
			return
		}
		seen[b] = true
		for _, in := range b.inner {
			visit(in)
		}
		out = append(out, b)
	}
	visit(b)
	return out
}

// onPath matches a point of a path in a report: transition, instance and cell.
var onPath = regexp.MustCompile(`(?m)^ +\S+ +(\S+) [v^] (\S+)/[^/ ]+ \((\w+)\)$`)

var (
	reportedPeriod = regexp.MustCompile(`(?m)^period (\S+)$`)
	reportedSlack  = regexp.MustCompile(`(?m)^ +(\S+) +slack`)
	cellPower      = regexp.MustCompile(`(?m)^ +\S+ +\S+ +\S+ +(\S+) c(\d+)$`)
)

// path returns the path of a report, or nil if the report has none.
func (r *run) path(b *Block, report string) (*Path, error) {
	if strings.Contains(report, "No paths found.") {
		return nil, nil
	}
	slack, err := number(reportedSlack, report)
	if err != nil {
		return nil, err
	}
	period, err := number(reportedPeriod, report)
	if err != nil {
		return nil, err
	}
	arrival, _, _ := strings.Cut(report, "data arrival time")
	points := onPath.FindAllStringSubmatch(arrival, -1)
	if len(points) < 3 {
		return nil, fmt.Errorf("synth: OpenSTA reports a path of %d points, expected at least 3: %q", len(points), arrival)
	}
	// The first two points are the clock and the output of the start.
	return &Path{
		NS: period - slack, Cells: len(points) - 3,
		From: r.place(b, points[0][2]), To: r.place(b, points[len(points)-1][2]),
	}, nil
}

// number returns the number that an expression matches in a report.
func number(what *regexp.Regexp, report string) (float64, error) {
	m := what.FindStringSubmatch(report)
	if m == nil {
		return 0, fmt.Errorf("synth: %q is not in the report of OpenSTA: %s", what, eda.LastLines(report))
	}
	return strconv.ParseFloat(m[1], 64)
}
