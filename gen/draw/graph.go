package draw

import (
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// graph contains the instances and the ports of a module, and their connections.
type graph struct {
	nodes []*node
	edges []*edge
}

// node is an instance, or a group of ports of the module.
type node struct {
	name   string
	module string   // "" for ports
	source string   // Go package of the module
	known  string   // name of the module elsewhere
	copies int      // number of copies of the instance
	inside []string // instances in it
	output bool     // ports: outputs

	place
}

// isPort reports whether n is a group of ports.
func (n *node) isPort() bool { return n.module == "" }

// edge connects two nodes: one stream or several, or all other signals.
type edge struct {
	from, to *node
	stream   bool
	names    []string // of the ports that take the values

	route route
}

// newGraph finds the connections in the body of m.
func newGraph(m *ir.Module, names map[string]string) *graph {
	b := builder{names: names, sources: map[any][]*ir.Signal{}, instances: map[*ir.Instance]*node{}, ports: map[*ir.Signal]*node{}, edges: map[edgeKey]*edge{}, graph: &graph{}}
	b.addPorts(m)
	m.Body.Walk(b.addScope)
	if len(b.instances) == 0 {
		b.addLogic(m)
		return b.graph
	}
	for _, p := range m.Ports {
		if p.Kind == ir.Output {
			b.connect(b.ports[p], m.Ports, p, p)
		}
	}
	m.Body.Walk(func(s *ir.Scope) {
		for _, in := range s.Insts {
			for i, pin := range in.Pins {
				if port := in.Of.Ports[i]; port.Kind == ir.Input {
					b.connect(b.instances[in], in.Of.Ports, port, pin)
				}
			}
		}
	})
	b.thin()
	return b.graph
}

// several is the minimum number of signals to show between nodes that both have streams.
const several = 4

// thin removes edges and nodes that would hide the streams: the few signals between nodes that both
// have streams, signals from port to port, and ports without remaining edges.
func (g *graph) thin() {
	streams, edges := map[*node]bool{}, map[*node]bool{}
	for _, e := range g.edges {
		if e.stream {
			streams[e.from], streams[e.to] = true, true
		}
	}
	g.edges = slices.DeleteFunc(g.edges, func(e *edge) bool {
		ports := e.from.module == "" && e.to.module == ""
		return !e.stream && (ports || streams[e.from] && streams[e.to] && len(e.names) < several)
	})
	for _, e := range g.edges {
		edges[e.from], edges[e.to] = true, true
	}
	g.nodes = slices.DeleteFunc(g.nodes, func(n *node) bool { return n.module == "" && !edges[n] })
}

// builder builds a graph.
type builder struct {
	*graph
	names     map[string]string
	sources   map[any][]*ir.Signal // signals that a signal or memory is computed from
	instances map[*ir.Instance]*node
	ports     map[*ir.Signal]*node
	edges     map[edgeKey]*edge
}

// addPorts creates a node for each group of ports.
func (b *builder) addPorts(m *ir.Module) {
	groups := map[string]*node{}
	for _, p := range m.Ports {
		name, output := group(m.Ports, p), p.Kind == ir.Output
		if isReady(m.Ports, p) {
			output = !output // it belongs to the data, which flows in the other direction
		}
		key := name
		if output {
			key += " out"
		}
		if groups[key] == nil {
			groups[key] = &node{name: name, output: output}
			b.nodes = append(b.nodes, groups[key])
		}
		b.ports[p] = groups[key]
	}
}

// addLogic creates a node for the logic of a module without instances.
func (b *builder) addLogic(m *ir.Module) {
	logic := &node{name: "logic", module: m.Name, copies: 1}
	b.nodes = append(b.nodes, logic)
	for _, p := range m.Ports {
		from, to := b.ports[p], logic
		if from.output {
			from, to = to, from
		}
		if stream := inStream(m.Ports, p); !stream || isValid(m.Ports, p) {
			b.add(from, to, stream, group(m.Ports, p))
		}
	}
}

// addScope creates a node for each instance, and records the sources of values.
func (b *builder) addScope(s *ir.Scope) {
	for _, in := range s.Insts {
		n := &node{name: in.Name, module: in.Of.Name, source: Package(in.Of), known: b.names[in.Of.Name], copies: s.Copies()}
		in.Of.Body.Walk(func(inner *ir.Scope) {
			for _, x := range inner.Insts {
				n.inside = append(n.inside, times(x.Name, inner.Copies()))
			}
		})
		b.nodes = append(b.nodes, n)
		b.instances[in] = n
	}
	ir.WalkStmts(s.Stmts, func(st ir.Stmt) {
		switch st := st.(type) {
		case *ir.Assign:
			b.note(st.LHS.Sig, st.RHS)
		case *ir.MemWrite:
			b.note(st.Mem, st.Data)
		}
	})
}

// Package returns the path of the Go package that declares the ports of a module, without the host and
// the repository, or "" if the module has no ports.
func Package(m *ir.Module) string {
	for _, p := range m.Ports {
		if frames := p.Pos.Frames(); len(frames) > 0 {
			parts := strings.Split(frames[0].Package, "/")
			return strings.Join(parts[min(repository, len(parts)-1):], "/")
		}
	}
	return ""
}

// repository is the number of path elements of a repository: host, owner and name.
const repository = 3

// note adds the signals that e reads to the sources of x.
func (b *builder) note(x any, e *ir.Expr) {
	ir.WalkExpr(e, map[*ir.Expr]bool{}, func(e *ir.Expr) {
		switch {
		case e.Sig != nil:
			b.sources[x] = append(b.sources[x], e.Sig)
		case e.Mem != nil:
			b.sources[x] = append(b.sources[x], b.sources[e.Mem]...)
		}
	})
}

// connect adds the edges to the port of a node whose value is the signal at.
func (b *builder) connect(to *node, ports []*ir.Signal, port, at *ir.Signal) {
	stream := isValid(ports, port)
	if !stream && inStream(ports, port) {
		return // the edge of the stream represents it
	}
	origins := b.origins(at)
	if stream {
		offered := slices.DeleteFunc(slices.Clone(origins), func(g *ir.Signal) bool { return !b.offers(g) })
		if len(offered) > 0 {
			origins = offered
		}
	}
	for _, g := range origins {
		if from := b.node(g); from != to && (stream || !b.inStream(g)) {
			b.add(from, to, stream, group(ports, port))
		}
	}
}

// origins returns the outputs of instances and the inputs of the module that a signal
// is computed from.
func (b *builder) origins(of *ir.Signal) (out []*ir.Signal) {
	seen := map[*ir.Signal]bool{}
	var visit func(g *ir.Signal)
	visit = func(g *ir.Signal) {
		if seen[g] {
			return
		}
		seen[g] = true
		if b.node(g) != nil && g != of {
			out = append(out, g)
			return
		}
		for _, s := range b.sources[g] {
			visit(s)
		}
	}
	visit(of)
	return out
}

// node returns the node whose value g is: an input of the module or an output of an
// instance. Otherwise it returns nil.
func (b *builder) node(g *ir.Signal) *node {
	if g.Pin != nil && g.Pin.Port.Kind == ir.Output {
		return b.instances[g.Pin.Inst]
	}
	if g.Kind == ir.Input {
		return b.ports[g]
	}
	return nil
}

// portOf returns the port that g represents, and all ports of its module.
func portOf(g *ir.Signal) (*ir.Signal, []*ir.Signal) {
	if g.Pin != nil {
		return g.Pin.Port, g.Pin.Inst.Of.Ports
	}
	return g, g.Scope.Module.Ports
}

func (b *builder) offers(g *ir.Signal) bool {
	p, all := portOf(g)
	return isValid(all, p)
}

func (b *builder) inStream(g *ir.Signal) bool {
	p, all := portOf(g)
	return inStream(all, p)
}

// edgeKey identifies an edge.
type edgeKey struct {
	from, to *node
	stream   bool
}

// add adds a name to an edge.
func (b *builder) add(from, to *node, stream bool, name string) {
	key := edgeKey{from, to, stream}
	e := b.edges[key]
	if e == nil {
		e = &edge{from: from, to: to, stream: stream}
		b.edges[key] = e
		b.graph.edges = append(b.graph.edges, e)
	}
	if !slices.Contains(e.names, name) {
		e.names = append(e.names, name)
	}
}

// isValid reports whether p is x_valid of a stream, which may have no x_ready.
func isValid(ports []*ir.Signal, p *ir.Signal) bool {
	name, ok := strings.CutSuffix(p.Name, "valid")
	return ok && (name == "" || strings.HasSuffix(name, "_") || has(ports, name+"ready"))
}

func isReady(ports []*ir.Signal, p *ir.Signal) bool {
	name, ok := strings.CutSuffix(p.Name, "ready")
	return ok && has(ports, name+"valid")
}

// inStream reports whether p belongs to a stream.
func inStream(ports []*ir.Signal, p *ir.Signal) bool { return streamOf(ports, p) != "" }

// streamOf returns the beginning of the names of the stream that p belongs to, or "".
func streamOf(ports []*ir.Signal, p *ir.Signal) (prefix string) {
	for _, q := range ports {
		name, ok := strings.CutSuffix(q.Name, "valid")
		if ok && len(name) > len(prefix) && strings.HasPrefix(p.Name, name) && isValid(ports, q) {
			prefix = name
		}
	}
	return prefix
}

func has(ports []*ir.Signal, name string) bool {
	return slices.ContainsFunc(ports, func(p *ir.Signal) bool { return p.Name == name })
}

// group returns the name of the ports that p belongs to: a stream, or its heading, or itself.
func group(ports []*ir.Signal, p *ir.Signal) string {
	if s := streamOf(ports, p); s != "" {
		return strings.TrimSuffix(s, "_")
	}
	if p.Group != "" {
		return p.Group
	}
	return p.Name
}
