package link

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/config"
)

// hub routes TLPs between ports: requests by address, completions by requester. Root complex and
// switch share it.
type hub struct {
	k        *des.Kernel
	id       pcie.ID
	latency  des.Time
	uplink   *Port // nil in a root complex
	parent   *hub
	routes   []route
	ids      map[pcie.ID]*Port
	transit  *des.Lane[transit]
	shuffle  *shuffle                   // nil keeps the order
	local    func(p *Port, t *pcie.TLP) // handles TLPs without a route, in a root complex
	counters Counters
	errors   *config.Space         // only the error registers are used
	tell     func(config.Severity) // sends an error message to the root
}

type route struct {
	window Window
	port   *Port
}

// transit is a TLP that arrived on a port and still occupies its buffer.
type transit struct {
	from *Port
	tlp  *pcie.TLP
}

func (h *hub) init(k *des.Kernel, id pcie.ID, latency des.Time) {
	h.k, h.id, h.latency = k, id, latency
	h.errors = errorRegisters()
	h.ids = make(map[pcie.ID]*Port)
	h.transit = des.NewLane(k, func(x transit) { h.dispatch(x.from, x.tlp) })
}

// report records an error that was detected in this hub.
func (h *hub) report(x config.Error, t *pcie.TLP) {
	if severity, tell := h.errors.Report(x, advisory(x, t), headerOf(t)); tell {
		h.tell(severity)
	}
}

// OwnErrors returns a space whose error registers contain the errors detected in this hub. All its
// other registers are meaningless.
func (h *hub) OwnErrors() *config.Space { return h.errors }

// Receive implements [Receiver].
func (h *hub) Receive(p *Port, t *pcie.TLP) {
	if h.shuffle != nil {
		h.shuffle.take(transit{p, t})
		return
	}
	h.transit.At(h.k.Now()+h.latency, transit{p, t})
}

// attach connects d below owner, which embeds this hub.
func (h *hub) attach(owner Receiver, cfg Config, d Device) (*Link, error) {
	if cfg.Name == "" {
		cfg.Name = d.ID().String()
	}
	if err := h.free(d.ID(), d.Windows()); err != nil {
		return nil, err
	}
	above, below, err := Connect(h.k, cfg, owner, d)
	if err != nil {
		return nil, err
	}
	above.SetECRC(h.digests())
	h.claim(d.ID(), d.Windows(), above)
	d.Attached(below)
	return above.Link(), nil
}

// free returns an error if the ID or a window conflicts with another device, in this hub or in a
// hub above.
func (h *hub) free(id pcie.ID, windows []Window) error {
	if _, taken := h.ids[id]; taken || id == h.id {
		return fmt.Errorf("link: ID %v is in use", id)
	}
	for _, w := range windows {
		if w.Size == 0 || w.Base+w.Size-1 < w.Base {
			return fmt.Errorf("link: window %v of %v is empty or runs over the end of the address space", w, id)
		}
		if r := h.routed(w); r != nil {
			return fmt.Errorf("link: window %v of %v overlaps %v", w, id, r.window)
		}
	}
	if h.parent != nil {
		return h.parent.free(id, windows)
	}
	return nil
}

// routed returns a route that overlaps a window, or nil.
func (h *hub) routed(w Window) *route {
	for i := range h.routes {
		if h.routes[i].window.overlaps(w) {
			return &h.routes[i]
		}
	}
	return nil
}

// claim routes the ID and the windows to p, and routes them to this hub in all hubs above.
func (h *hub) claim(id pcie.ID, windows []Window, p *Port) {
	h.ids[id] = p
	for _, w := range windows {
		h.routes = append(h.routes, route{w, p})
	}
	if h.parent != nil {
		h.parent.claim(id, windows, h.parent.ids[h.id])
	}
}

// dispatch forwards a TLP according to the routes.
func (h *hub) dispatch(from *Port, t *pcie.TLP) {
	to := h.lookup(t)
	switch {
	case to == nil && h.uplink == nil:
		h.local(from, t)
		return
	case to == nil:
		to = h.uplink
	}
	if to == from || !to.link.up {
		h.refuse(from, t)
		return
	}
	to.forward(typed(t, to), from)
}

// typed converts a configuration request from type 1 to type 0 if its function is on the next link.
func typed(t *pcie.TLP, to *Port) *pcie.TLP {
	if t.Kind != pcie.CfgRd1 && t.Kind != pcie.CfgWr1 || to.below() != t.Completer&^7 {
		return t
	}
	c := *t
	c.Kind -= pcie.CfgRd1 - pcie.CfgRd0
	return &c
}

// below returns the ID of the device at the other end of a downstream port.
func (p *Port) below() pcie.ID { return p.link.ports[Up].own.(Device).ID() }

// lookup returns the port to the destination, or nil.
func (h *hub) lookup(t *pcie.TLP) *Port {
	switch t.Kind {
	case pcie.MRd, pcie.MWr:
		return h.portOf(t.Addr)
	case pcie.Cpl, pcie.CplD:
		return h.ids[t.Requester]
	case pcie.CfgRd0, pcie.CfgWr0, pcie.CfgRd1, pcie.CfgWr1:
		return h.portOfFunction(t.Completer)
	}
	return nil // messages are routed to the root
}

// portOfFunction returns the port below which the device with function id is, or would be. Routes
// exist for function 0 only.
func (h *hub) portOfFunction(id pcie.ID) *Port { return h.ids[id&^7] }

func (h *hub) portOf(addr uint64) *Port {
	for i := range h.routes {
		if h.routes[i].window.Contains(addr) {
			return h.routes[i].port
		}
	}
	return nil
}

// refuse rejects a TLP without a destination. Non-posted requests are completed with UR, and all
// other TLPs are dropped.
func (h *hub) refuse(from *Port, t *pcie.TLP) {
	switch t.Class() {
	case pcie.NonPosted:
		addr, n := t.Span()
		h.counters.Unsupported++
		if !t.Kind.IsConfig() { // enumeration regularly finds no function
			h.report(config.UnsupportedRequest, t)
		}
		from.Send(pcie.NewFailure(t, h.id, addr, n, pcie.UR), nil)
	case pcie.Completion:
		h.counters.Unexpected++
		h.report(config.UnexpectedCompletion, t)
	default:
		h.counters.Unsupported++
		h.report(config.UnsupportedRequest, t)
	}
	from.Release(t)
}
