package visits

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/hotline-rtl/hotline/host/dlrm/data/index"
	"github.com/hotline-rtl/hotline/host/dlrm/data/text"
)

// pass is the result of the first pass.
type pass struct {
	IDs        [3]index.IDs // of users, items, categories
	CategoryOf []uint32     // number of the category of each item, at its first occurrence
	Windows    []window
	Inputs     int64
}

// window is a part of the log whose inputs are shuffled together.
type window struct {
	Mark   text.Mark
	Inputs int64 // number of inputs before it
}

// windowUsers is the number of users of a window.
const windowUsers = 1 << 14

// makePass reads the log.
func (l *Log) makePass(ctx context.Context, progress func(done, all int64)) (*pass, error) {
	u := newUsers(l.log, text.Mark{})
	defer u.in.Close()
	found := &pass{}
	for {
		at := u.mark
		if found.IDs[userColumn].Len()%windowUsers == 0 {
			found.Windows = append(found.Windows, window{at, found.Inputs})
			if progress != nil {
				progress(u.in.Done(), l.log.Files.Size())
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		user, visits, err := u.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if _, known := found.IDs[userColumn].Row(uint64(user)); known {
			return nil, again(user, at, l.log.Files.Paths())
		}
		found.add(user, visits)
	}
	if found.Inputs == 0 {
		problem := fmt.Sprintf("no user has made %d visits, expected %s", leastHistory+1, l.log.Expect())
		return nil, &text.FormatError{File: l.log.Files.Paths()[0], Problem: problem}
	}
	return found, nil
}

// add adds a user.
func (f *pass) add(user uint32, visits []visit) {
	f.IDs[userColumn].Add(uint64(user))
	for _, v := range visits {
		category := f.IDs[categoryColumn].Add(uint64(v.category))
		if int(f.IDs[itemColumn].Add(uint64(v.item))) == len(f.CategoryOf) {
			f.CategoryOf = append(f.CategoryOf, category)
		}
	}
	f.Inputs += int64(2 * points(min(len(visits), mostVisits)-1))
}
