package index

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/hotline-rtl/hotline/host/dlrm/detmath"
)

// Missing represents a missing id; valid ids have 32 bits.
const Missing = 1 << 32

// maxRows is the maximum size of a table.
const maxRows = 1 << 32

// Rule is a mapping from ids to rows. The zero value is FirstPass.
type Rule struct {
	kind string
	rows int
}

// FirstPass numbers the ids of a column in the order of their first appearance in the whole log. A
// missing id also gets a number. A table has one row per id of its column.
var FirstPass = Rule{}

const (
	kindFirstPass   = "first-pass"
	kindHash        = "hash"
	kindMaxIndRange = "max-ind-range"
)

// Hash maps an id to one of rows rows by a hash of column and id.
func Hash(rows int) Rule { return Rule{kindHash, rows} }

// MaxIndRange maps an id to its value modulo rows, and a missing id to 0, like --max-ind-range of
// the DLRM reference.
func MaxIndRange(rows int) Rule { return Rule{kindMaxIndRange, rows} }

// ParseRule parses the output of String: first-pass, hash:1000000, max-ind-range:40000000.
func ParseRule(text string) (Rule, error) {
	kind, size, _ := strings.Cut(text, ":")
	rows, err := strconv.Atoi(size)
	r := Rule{kind, rows}
	switch {
	case text == kindFirstPass:
		return FirstPass, nil
	case kind != kindHash && kind != kindMaxIndRange || err != nil:
		return Rule{}, fmt.Errorf("index rule %q, expected first-pass, hash:ROWS or max-ind-range:ROWS", text)
	}
	return r, r.Validate()
}

// String formats the rule for ParseRule.
func (r Rule) String() string {
	if r == FirstPass {
		return kindFirstPass
	}
	return fmt.Sprintf("%s:%d", r.kind, r.rows)
}

// Validate returns an error if the table size is not from 1 to 2^32.
func (r Rule) Validate() error {
	if r != FirstPass && (r.rows < 1 || r.rows > maxRows) {
		return fmt.Errorf("index rule %s: tables of %d rows, expected 1 to 2^32", r, r.rows)
	}
	return nil
}

// Map applies rules to the columns of a log.
type Map struct {
	rules []Rule
	ids   []IDs // ids of each column, for FirstPass
}

// NewMap returns a map for the rules of the columns. ids contains the ids of each column from a
// first pass. Without ids, FirstPass maps every id to row 0.
func NewMap(rules []Rule, ids []IDs) Map { return Map{rules, ids} }

// Rows returns the size of a column's table.
func (m Map) Rows(column int) int {
	if rule := m.rules[column]; rule != FirstPass {
		return rule.rows
	}
	return max(1, m.ids[column].Len())
}

// Row returns the row of an id, which is below 2^32 or Missing. FirstPass maps an id that the pass
// has not found to row 0.
func (m Map) Row(column int, id uint64) uint32 {
	switch rule := m.rules[column]; rule.kind {
	case kindHash:
		return uint32(detmath.Hash(uint64(column), id) % uint64(rule.rows))
	case kindMaxIndRange:
		if id == Missing {
			return 0
		}
		return uint32(id % uint64(rule.rows))
	}
	row, _ := m.ids[column].Row(id)
	return row
}
