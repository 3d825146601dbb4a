package visits

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/hotline-rtl/hotline/host/dlrm/data/schema"
	"github.com/hotline-rtl/hotline/host/dlrm/data/text"
)

// visit is a line without its user.
type visit struct {
	item, category uint32
	time           int64
}

// users reads the log user by user.
type users struct {
	in      *schema.Reader
	mark    text.Mark // position of the next user
	user    uint32
	ahead   visit // the first visit of the next user
	waiting bool  // ahead is valid
	visits  []visit
}

func newUsers(log *schema.Log, at text.Mark) *users { return &users{in: log.Open(at), mark: at} }

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
		u.mark = u.in.Mark()
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
	if err := u.in.Next(); err != nil {
		return err
	}
	ids := u.in.Input.IDs
	u.user, u.waiting = uint32(ids[userColumn]), true
	u.ahead = visit{uint32(ids[itemColumn]), uint32(ids[categoryColumn]), u.in.Input.Time}
	return nil
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
