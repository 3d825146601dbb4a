package hw

import (
	"reflect"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// Unused marks values, signals or records of signals as intentionally unread. ir.Unread reports
// other unread signals.
func (m *Module) Unused(values ...any) {
	pos := ir.Caller(0)
	for _, x := range values {
		if x == nil {
			x = 0
		}
		v := reflect.New(reflect.TypeOf(x))
		v.Elem().Set(reflect.ValueOf(x))
		list := members(v.Interface())
		if len(list) == 0 {
			m.errorf(pos, "scope", "Unused of %T, which has no signals", x)
		}
		for _, p := range list {
			u := m.statement(pos, p.v)
			switch {
			case u.broken:
			case p.v.e == nil || p.v.e.Op != ir.Ref || p.v.m != m:
				u.errorf("scope", "Unused: expected a signal of the module")
			default:
				p.v.e.Sig.Unused = true
			}
		}
	}
}
