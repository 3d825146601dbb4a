package experiment

import (
	"errors"
	"fmt"

	"github.com/hotline-rtl/hotline/host/study/report"
	"github.com/hotline-rtl/hotline/host/train/audit"
)

// audit counts the bytes that a system moves, if the job requests checks and has one server.
func (r *run) audit(t *trained) {
	if r.Watch && r.Config.Training.Nodes == 1 {
		first, _ := r.before()
		t.ledger = audit.NewLedger(first)
		t.server.Observe(t.ledger)
	}
}

// audited compares the bytes that a system has moved with those that its timeline charges.
func (r *run) audited(t *trained) (*report.Audit, error) {
	switch {
	case t.ledger == nil:
		return &report.Audit{Resources: list[audit.Total](nil), Text: fmt.Sprintf("not made with %d servers", r.Config.Training.Nodes)}, nil
	case t.faults != nil:
		return &report.Audit{Resources: list[audit.Total](nil), Text: "not made with faults: repeated commands access values again"}, nil
	}
	totals, err := t.ledger.Check(t.Name, t.system.Order(), r.plan(r.Config.Profile()), t.result.Works)
	a := &report.Audit{Resources: list(totals)}
	var d *audit.Difference
	if errors.As(err, &d) {
		a.Text, a.Failed = d.Error(), true
		return a, nil
	}
	return a, err
}
