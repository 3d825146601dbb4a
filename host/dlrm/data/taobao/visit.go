package taobao

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/hotline-rtl/hotline/host/dlrm/data/clicklog"
	"github.com/hotline-rtl/hotline/host/dlrm/data/text"
)

const expect = "lines of 5 comma-separated fields"

// visit is a line without its user.
type visit struct {
	item, category uint32
	time           int64
}

// parse parses a line.
func parse(line []byte) (user uint32, v visit, wrong *text.FormatError) {
	if n := bytes.Count(line, []byte{','}) + 1; n != 5 {
		return 0, v, clicklog.WrongFields(n, "5 (user, item, category, behaviour, time, separated by commas)")
	}
	var ids [3]uint32
	for i, name := range []string{"user", "item", "category"} {
		field, rest, _ := bytes.Cut(line, []byte{','})
		id, ok := clicklog.ParseUint(field)
		if !ok {
			return 0, v, text.NotA("a decimal id below 2^32", name, i+1, field)
		}
		ids[i], line = uint32(id), rest
	}
	behaviour, time, _ := bytes.Cut(line, []byte{','})
	switch string(behaviour) {
	case "pv", "buy", "cart", "fav":
	default:
		return 0, v, text.NotA("pv, buy, cart or fav", "behaviour", 4, behaviour)
	}
	seconds, err := strconv.ParseInt(string(time), 10, 64)
	if err != nil {
		return 0, v, text.NotA("a time in seconds", "time", 5, time)
	}
	return ids[0], visit{ids[1], ids[2], seconds}, nil
}

// users reads the log user by user.
type users struct {
	lines   *text.Lines
	bad     *text.Quarantine
	mark    text.Mark // position of the next user
	user    uint32
	ahead   visit // the first visit of the next user
	waiting bool  // ahead is valid
	visits  []visit
}

func newUsers(f *text.Files, at text.Mark, bad *text.Quarantine) *users {
	return &users{lines: f.Open(at), bad: bad, mark: at}
}

// next returns a user's visits, in line order, valid until the next call. After the last user it
// returns io.EOF.
func (u *users) next() (user uint32, visits []visit, err error) {
	if !u.waiting {
		if err := u.line(); err != nil {
			return 0, nil, err
		}
	}
	user, u.visits = u.user, append(u.visits[:0], u.ahead)
	for {
		u.mark = u.lines.Mark()
		err := u.line()
		if errors.Is(err, io.EOF) {
			u.waiting = false
			return user, u.visits, nil
		}
		if err != nil {
			return 0, nil, err
		}
		if u.user != user {
			return user, u.visits, nil
		}
		u.visits = append(u.visits, u.ahead)
	}
}

// line reads the next good line.
func (u *users) line() error {
	for {
		line, err := u.lines.Next()
		var wrong *text.FormatError
		if err == nil {
			if u.user, u.ahead, wrong = parse(line); wrong == nil {
				u.waiting = true
				return nil
			}
			wrong.File, wrong.Line = u.lines.Place()
			if wrong.Column == "" && !u.lines.Ended() {
				wrong.Problem += ", and no newline"
				wrong.CutOff = true
			}
		} else if !errors.As(err, &wrong) {
			return err
		}
		if err := u.bad.Add(wrong, line); err != nil {
			return err
		}
	}
}

// again returns the error that a user's lines are not consecutive. at is the mark before one of
// them.
func again(user uint32, at text.Mark, paths []string) error {
	problem := fmt.Sprintf("user %d had lines before those of other users, expected all lines of a user together: sort the log by user", user)
	return &text.FormatError{File: paths[at.File], Line: at.Line + 1, Problem: problem}
}

// history sorts a user's visits by time and returns the visits that are used. Lines with the same
// time keep their order.
func history(visits []visit) []visit {
	slices.SortStableFunc(visits, func(a, b visit) int { return cmp.Compare(a.time, b.time) })
	visits = visits[max(0, len(visits)-mostVisits):]
	return visits[:len(visits)-1]
}
