package record

import (
	"encoding/json"

	"github.com/hotline-rtl/hotline/host/dlrm/data/text"
)

// objects splits lines with a JSON object each.
type objects struct {
	columns []string
	fields  map[string]json.RawMessage
}

func (o *objects) split(line []byte, r *Record) *text.FormatError {
	clear(o.fields)
	if err := json.Unmarshal(line, &o.fields); err != nil || o.fields == nil {
		return &text.FormatError{Kind: "not a JSON object", Problem: text.Quote(line) + " is not a JSON object"}
	}
	for _, name := range o.columns {
		if raw, ok := o.fields[name]; ok && !r.addJSON(raw) {
			return text.NotA("a string, a number, a boolean, null or a list of these", name, 0, raw)
		}
		r.end()
	}
	return nil
}

// addJSON adds the values of a scalar or of a list of scalars, or returns false.
func (r *Record) addJSON(raw json.RawMessage) bool {
	if raw[0] != '[' {
		return r.addScalar(raw)
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return false
	}
	for _, x := range list {
		if !r.addScalar(x) {
			return false
		}
	}
	return true
}

// addScalar adds a scalar. Booleans are 0 and 1, and null is no value.
func (r *Record) addScalar(raw json.RawMessage) bool {
	switch raw[0] {
	case '[', '{':
		return false
	case '"':
		var s string
		if json.Unmarshal(raw, &s) != nil {
			return false
		}
		r.add([]byte(s))
	case 't':
		r.add([]byte("1"))
	case 'f':
		r.add([]byte("0"))
	case 'n':
	default:
		r.add(raw)
	}
	return true
}
