package capture

import (
	"github.com/hotline-rtl/hotline/host/node"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/link"
)

// Record writes whatever l carries from now on.
func Record(l *link.Link, w *Writer) {
	l.Observe(func(dir link.Direction, at node.Time, t *pcie.TLP) { w.TLP(dir, at, 0, t) })
}

// RecordInjected is Record for a link with an injector, which it sets: the capture
// has what goes on the link, its flags, and a comment in front of each TLP to which
// something was done.
func RecordInjected(l *link.Link, w *Writer, inject link.Injector) {
	var flags Flags
	l.Inject(func(dir link.Direction, at node.Time, t *pcie.TLP) link.Fate {
		before, _ := t.AppendTo(nil)
		was := t.String()
		fate := inject(dir, at, t)
		after, _ := t.AppendTo(nil)
		flags = 0
		note := func(f Flags, text string) {
			flags |= f
			w.Comment(dir, at, "injected: "+text)
		}
		if string(before) != string(after) {
			note(Injected, "changed from "+was)
		}
		if fate.Delay > 0 {
			note(Injected, "delayed by "+fate.Delay.String())
		}
		if fate.Drop {
			note(Injected|Dropped, "dropped")
		}
		return fate
	})
	l.Observe(func(dir link.Direction, at node.Time, t *pcie.TLP) { w.TLP(dir, at, flags, t) })
}
