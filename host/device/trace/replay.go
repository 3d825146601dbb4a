package trace

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/capture"
	"github.com/hotline-rtl/hotline/host/pcie/link"
)

// Card is the target of a replay.
type Card interface {
	Endpoint() *link.Endpoint
	// Err returns the error that stopped the card, or nil.
	Err() error
}

// Replayed is the result of a replay.
type Replayed struct {
	Down       int         `json:"to_card"`   // number of TLPs sent to the card
	Up         int         `json:"from_card"` // number of TLPs from the card that matched the capture
	Difference *Difference `json:"difference,omitempty"`
}

// Difference is the first difference between a card's TLPs and a capture.
type Difference struct {
	Packet   int    `json:"packet"` // number in the capture, 0 after its end
	Captured string `json:"captured"`
	Sent     string `json:"sent"`
}

func (d *Difference) String() string {
	return fmt.Sprintf("packet %d of the capture is\n  %s\nbut the device sent\n  %s", d.Packet, d.Captured, d.Sent)
}

// FunctionError reports a capture that cannot be replayed. The capture has a gap, does not identify
// its function, or belongs to a function other than the card's.
type FunctionError struct{ text string }

func (e *FunctionError) Error() string { return "trace: " + e.text }

// replay is the state of a running replay.
type replay struct {
	trace    *Trace
	k        *des.Kernel
	port     *link.Port
	fates    map[*pcie.TLP]link.Fate // of the TLPs in transmission
	releases map[int]des.Time        // by number in the capture
	held     map[*pcie.TLP]des.Time  // earliest release times of TLPs from the card
	down, up int                     // indices of the next event to send and to expect
	Replayed
}

// Replay sends the host's TLPs of the capture, at their recorded times, to a card of kernel k,
// which must be at time 0. It compares the card's TLPs with the capture, including their times.
//
// The environment of the card has no memory: every read by the card gets the recorded answer. If
// the host begins with configuration requests, the card was just powered on; otherwise it is
// already set up. Replay repeats injected faults. For an affected TLP of the card, it compares only
// the time.
//
// Replay returns an error if the capture cannot be replayed (a [FunctionError]), if cfg is out of
// range, or if the card stops.
func (t *Trace) Replay(k *des.Kernel, cfg link.Config, card Card) (Replayed, error) {
	ep := card.Endpoint()
	if i := slices.IndexFunc(t.Events, func(e Event) bool { return e.Kind == capture.KindGap }); i >= 0 {
		return Replayed{}, &FunctionError{fmt.Sprintf("the capture has a gap at packet %d; a replay needs all packets", i+1)}
	}
	if t.Function == nil {
		return Replayed{}, &FunctionError{"the capture does not say of which function it is; a capture of this program does so in its first packet"}
	}
	if t.Function.ID != ep.ID() || t.Function.BAR != ep.BAR() {
		return Replayed{}, &FunctionError{fmt.Sprintf("the capture is of function %v with BAR %v, the device is %v with BAR %v", t.Function.ID, t.Function.BAR, ep.ID(), ep.BAR())}
	}
	r := &replay{trace: t, k: k, fates: map[*pcie.TLP]link.Fate{}, releases: t.releases(cfg.UpCredits, cfg.LatencyDown), held: map[*pcie.TLP]des.Time{}}
	above, below, err := link.Connect(k, cfg, r, ep)
	if err != nil {
		return Replayed{}, err
	}
	ep.Attached(below)
	if e := r.next(link.Down, &r.down); e != nil && e.TLP.Kind.IsConfig() {
		ep.PowerOn()
	}
	above.Link().Observe(r.observe)
	above.Link().Inject(r.inject)
	r.port = above
	r.plan()
	end := t.at(len(t.Events)) + 1
	err = k.RunUntil(end, func() bool { return r.Difference != nil || card.Err() != nil })
	switch {
	case card.Err() != nil:
		return r.Replayed, card.Err()
	case err != nil && !errors.Is(err, des.ErrDeadlock):
		return r.Replayed, err
	}
	r.missing()
	return r.Replayed, nil
}

// Receive implements link.Receiver. The host releases every TLP immediately, unless the capture
// allows that its buffers were full.
func (r *replay) Receive(p *link.Port, t *pcie.TLP) {
	at := max(r.held[t], r.k.Now())
	delete(r.held, t)
	if at == r.k.Now() {
		p.Release(t)
		return
	}
	r.k.At(at, func() { p.Release(t) })
}

// next returns the next TLP of a direction, starting at event i, or nil at the end.
func (r *replay) next(dir link.Direction, i *int) *Event {
	for ; *i < len(r.trace.Events); *i++ {
		if e := &r.trace.Events[*i]; e.Kind == capture.KindTLP && e.Dir == dir {
			return e
		}
	}
	return nil
}

// plan schedules the next TLP.
func (r *replay) plan() {
	if e := r.next(link.Down, &r.down); e != nil {
		r.down++
		r.k.At(e.Time, func() { r.send(e) })
	}
}

func (r *replay) send(e *Event) {
	t := clone(&e.TLP)
	r.Down++
	r.fates[t] = link.Fate{Drop: e.Flags&capture.Dropped != 0, Delay: e.Delay}
	r.port.Send(t, nil)
	r.plan()
}

// inject repeats the recorded fault of a TLP.
func (r *replay) inject(dir link.Direction, _ des.Time, t *pcie.TLP) link.Fate {
	if dir == link.Up {
		return r.injectUp(t)
	}
	fate := r.fates[t]
	delete(r.fates, t)
	return fate
}

// injectUp replaces a TLP of the card by the TLP in the capture, and adds the recorded duplicates.
func (r *replay) injectUp(t *pcie.TLP) (fate link.Fate) {
	e := r.next(link.Up, &r.up)
	if e == nil || e.Flags&capture.Injected == 0 {
		return fate
	}
	*t = *clone(&e.TLP)
	fate.Delay = e.Delay
	for i := e.Number; ; i++ {
		added := r.next(link.Up, &i)
		if added == nil || added.Flags&capture.Added == 0 {
			return fate
		}
		fate.Behind = append(fate.Behind, clone(&added.TLP))
	}
}

func clone(t *pcie.TLP) *pcie.TLP {
	c := *t
	c.Data = bytes.Clone(t.Data)
	return &c
}

// observe compares a TLP from the card with the capture.
func (r *replay) observe(dir link.Direction, at des.Time, t *pcie.TLP) {
	if dir == link.Down || r.Difference != nil {
		return
	}
	sent := Event{Packet: capture.Packet{Header: capture.Header{Time: at}, TLP: *t}}
	want := r.next(link.Up, &r.up)
	switch {
	case want == nil:
		r.Difference = &Difference{Captured: "the end", Sent: sent.line()}
	case !same(&want.TLP, t) || want.Time != at:
		r.Difference = &Difference{want.Number, want.line(), sent.line()}
	default:
		if release, ok := r.releases[want.Number]; ok {
			r.held[t] = release
		}
		r.Up++
		r.up++
	}
}

// missing records a difference if the card sent fewer TLPs than the capture contains.
func (r *replay) missing() {
	if want := r.next(link.Up, &r.up); want != nil && r.Difference == nil {
		r.Difference = &Difference{want.Number, want.line(), "nothing more"}
	}
}

// line formats a TLP with its time and its payload.
func (e *Event) line() string {
	s := fmt.Sprintf("%v %v", e.Time, &e.TLP)
	if n := len(e.TLP.Data); n > 0 {
		s += fmt.Sprintf(" data % x", e.TLP.Data[:min(n, 32)])
		if n > 32 {
			s += " ..."
		}
	}
	return s
}

// same reports whether two TLPs have the same encoding.
func same(a, b *pcie.TLP) bool {
	x, errX := a.AppendTo(nil)
	y, errY := b.AppendTo(nil)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}
