package capture

import (
	"bytes"
	"strings"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/link"
)

// Record writes all traffic of l from now on. An injected fault appears in the flags of its TLP. It
// is described in a preceding comment or, for a delay, in a preceding delay packet.
func Record(l *link.Link, w *Writer) {
	r := &recorder{w: w}
	l.WitnessFaults(r.witness)
	l.Observe(r.observe)
}

// recorder is the state of Record.
type recorder struct {
	w    *Writer
	next []injected // injections for the next TLPs, if an injector has seen the first of them
}

// injected describes the injection into a TLP; the zero value means none.
type injected struct {
	text  string
	flags Flags
	delay des.Time
}

func (r *recorder) witness(_ link.Direction, _ des.Time, was, is *pcie.TLP, fate link.Fate) {
	r.next = append(r.next[:0], done(was, is, fate))
	for range fate.Behind {
		r.next = append(r.next, injected{"injected: sent on purpose", Injected | Added, 0})
	}
}

// done describes what an injector did to a TLP.
func done(was, is *pcie.TLP, fate link.Fate) injected {
	var x injected
	var list []string
	if fate.Cause != "" {
		list = append(list, fate.Cause)
	}
	before, _ := was.AppendTo(nil)
	after, _ := is.AppendTo(nil)
	if !bytes.Equal(before, after) {
		list = append(list, "changed from "+was.String())
	}
	if fate.Delay > 0 {
		x.flags, x.delay = Injected, fate.Delay
	}
	if fate.Drop {
		list = append(list, "dropped")
		x.flags = Dropped
	}
	if len(list) > 0 {
		x.flags |= Injected
		x.text = "injected: " + strings.Join(list, ", ")
	}
	return x
}

func (r *recorder) observe(dir link.Direction, at des.Time, t *pcie.TLP) {
	var x injected
	if len(r.next) > 0 {
		x, r.next = r.next[0], r.next[1:]
	}
	if x.text != "" {
		r.w.Comment(dir, at, x.text)
	}
	if x.delay > 0 {
		r.w.Delay(dir, at, x.delay)
	}
	r.w.TLP(dir, at, x.flags, t)
}
