package accel

import "github.com/hotline-rtl/hotline/host/pcie/link"

// direct is the state of the commands of Table I: rows that were read and not
// yet used, and the operation that waits for one.
type direct struct {
	ahead int // rows that no operation has asked for
	rows  []arrivedRow
	want  func(row []byte)
}

type arrivedRow struct {
	data []byte
	err  link.Error
}

// single is the read of one row.
type single struct {
	a    *Accel
	addr uint64
	done bool
}

func (s *single) next() (uint64, int, bool) {
	first := !s.done
	s.done = true
	return s.addr, len(s.a.row()), first
}

func (s *single) take(data []byte, e link.Error) {
	s.a.direct.rows = append(s.a.direct.rows, arrivedRow{append([]byte(nil), data...), e})
	s.a.useRow()
}

func (s *single) end() {}

// readDirect requests a row; the command ends without waiting for it.
func (a *Accel) readDirect(addr uint64) {
	a.direct.ahead++
	a.reads.start(&single{a: a, addr: addr})
	a.finish(0)
}

// operate applies op to the next row.
func (a *Accel) operate(op func(row []byte)) {
	a.direct.ahead--
	a.direct.want = op
	a.useRow()
}

func (a *Accel) useRow() {
	d := &a.direct
	if d.want == nil || len(d.rows) == 0 {
		return
	}
	a.csrs.rowsRead++
	d.want(d.rows[0].data)
	a.fail(d.rows[0].err)
	a.held = d.rows[0].err == link.OK
	d.want, d.rows = nil, d.rows[1:]
	a.finish(0)
}
