package record

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"

	"github.com/hotline-rtl/hotline/host/dlrm/data/text"
)

// arrays reads a record from equally long arrays. An array of two dimensions has a bag of values
// for each record, and NAME[3] is value 3 of each bag. An array NAME whose bags differ in length is
// one bag after another, with the lengths in NAME_lengths.
type arrays struct {
	pack    *pack
	list    []*entries
	columns []column
	records int64
	text    []byte
}

// column is a column of a record: a bag of an array, or one value of the bag.
type column struct {
	of    *entries
	value int // -1 for the whole bag
}

// entries reads an array entry by entry.
type entries struct {
	*npy
	name    string
	width   int  // values of an entry
	lengths *npy // widths of the entries, or nil
	entry   []byte
}

var indexed = regexp.MustCompile(`^(.+)\[([0-9]{1,6})\]$`)

// lengths is the end of the name of the array with the lengths of another array's bags.
const lengths = "_lengths"

func openArrays(path string, columns []string) (*arrays, error) {
	p, err := openPack(path)
	if err != nil {
		return nil, err
	}
	a := &arrays{pack: p, records: -1}
	for _, name := range columns {
		if err := a.add(name); err != nil {
			return nil, errors.Join(&text.FormatError{File: path, Problem: err.Error()}, a.close())
		}
	}
	return a, nil
}

// add adds a column.
func (a *arrays) add(name string) error {
	value := -1
	if parts := indexed.FindStringSubmatch(name); parts != nil {
		name = parts[1]
		value, _ = strconv.Atoi(parts[2])
	}
	of, err := a.entries(name)
	if err != nil {
		return err
	}
	if value >= of.width {
		return fmt.Errorf("array %s has %d values in an entry, expected more than %d", name, of.width, value)
	}
	a.columns = append(a.columns, column{of, value})
	return nil
}

// entries returns the array with a name, which it opens unless it is open.
func (a *arrays) entries(name string) (*entries, error) {
	if i := slices.IndexFunc(a.list, func(e *entries) bool { return e.name == name }); i >= 0 {
		return a.list[i], nil
	}
	array, err := a.pack.array(name)
	if err != nil {
		return nil, err
	}
	e := &entries{npy: array, name: name, width: 1}
	a.list = append(a.list, e)
	records := array.shape[0]
	if len(array.shape) == 2 {
		if e.width = int(array.shape[1]); e.width < 1 || e.width > mostValues {
			return nil, fmt.Errorf("array %s has %d values in an entry, expected 1 to %d", name, e.width, mostValues)
		}
	}
	if _, ragged := a.pack.members[name+lengths]; ragged {
		if e.lengths, err = a.pack.array(name + lengths); err != nil {
			return nil, err
		}
		if len(array.shape) == 2 || len(e.lengths.shape) == 2 || e.lengths.kind == 'f' {
			return nil, fmt.Errorf("arrays %s and %[1]s%s, expected one dimension each, and integers as lengths", name, lengths)
		}
		records, e.width = e.lengths.shape[0], 0
	}
	if a.records >= 0 && a.records != records {
		return nil, fmt.Errorf("array %s has %d entries, expected %d as in %s", name, records, a.records, a.list[0].name)
	}
	a.records = records
	return e, nil
}

// seek reads and discards the records before a record.
func (a *arrays) seek(record int64) error {
	for range record {
		for _, e := range a.list {
			if err := e.next(); err != nil {
				return err
			}
		}
	}
	return nil
}

// next reads the next record. It returns the array of an error.
func (a *arrays) next(r *Record) (string, error) {
	for _, e := range a.list {
		if err := e.next(); err != nil {
			return e.name, err
		}
	}
	a.text = a.text[:0]
	for _, c := range a.columns {
		items := c.of.entry
		if c.value >= 0 {
			items = items[c.value*c.of.size:][:c.of.size]
		}
		for item := range slices.Chunk(items, c.of.size) {
			from := len(a.text)
			a.text = c.of.text(a.text, item)
			r.add(a.text[from:])
		}
		r.end()
	}
	return "", nil
}

// mostValues limits the length of a bag.
const mostValues = 1 << 20

// next reads the next entry.
func (e *entries) next() error {
	width := int64(e.width)
	if e.lengths != nil {
		e.entry = slices.Grow(e.entry[:0], e.lengths.size)[:e.lengths.size]
		if _, err := io.ReadFull(e.lengths.in, e.entry); err != nil {
			return err
		}
		if width = e.lengths.number(e.entry); width < 0 || width > mostValues {
			return fmt.Errorf("a bag of %d values, expected 0 to %d", width, mostValues)
		}
	}
	e.entry = slices.Grow(e.entry[:0], int(width)*e.size)[:int(width)*e.size]
	_, err := io.ReadFull(e.in, e.entry)
	return err
}

func (a *arrays) close() error {
	var errs []error
	for _, e := range a.list {
		errs = append(errs, e.close())
		if e.lengths != nil {
			errs = append(errs, e.lengths.close())
		}
	}
	return errors.Join(append(errs, a.pack.file.Close())...)
}
