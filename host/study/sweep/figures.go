package sweep

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// input lists the keys of a verb's JSON that are inputs and not figures.
var input = map[string]bool{"schema": true, "version": true, "configuration": true, "constants": true}

// naming lists the keys that distinguish an object from the others in its list, in the order of
// their use in its name.
var naming = []string{"system", "profile", "link", "label", "resource", "name", "block", "cell"}

// figures returns the scalars of a JSON object, by path: keys separated by dots. An object in a
// list is identified by the values of its naming keys instead of an index, and omitted if it has
// none. Lists of scalars are omitted, too. The result is nil if text is not an object.
func figures(text []byte) map[string]any {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var object map[string]any
	if d.Decode(&object) != nil {
		return nil
	}
	found := map[string]any{}
	for key, v := range object {
		if !input[key] {
			collect(column(key), v, found)
		}
	}
	return found
}

// collect adds the figures of a value at a path.
func collect(path string, v any, found map[string]any) {
	switch v := v.(type) {
	case map[string]any:
		for key, inner := range v {
			collect(path+"."+column(key), inner, found)
		}
	case []any:
		collectList(path, v, found)
	case json.Number:
		found[path] = number(v)
	case bool, string:
		found[path] = v
	}
}

// collectList adds the figures of named objects. A repeated name is numbered: a, a-2.
func collectList(path string, list []any, found map[string]any) {
	count := map[string]int{}
	for _, v := range list {
		object, ok := v.(map[string]any)
		if !ok {
			return
		}
		var parts []string
		rest := map[string]any{}
		for key, inner := range object {
			rest[key] = inner
		}
		for _, key := range naming {
			if s, ok := object[key].(string); ok {
				parts = append(parts, column(s))
				delete(rest, key)
			}
		}
		if len(parts) == 0 {
			return
		}
		name := strings.Join(parts, ".")
		if count[name]++; count[name] > 1 {
			name += "-" + strconv.Itoa(count[name])
		}
		collect(path+"."+name, rest, found)
	}
}

// column converts a key or a name to a part of a column's name. Every character except letters,
// digits, - and _ becomes _.
func column(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return '_'
	}, s)
}

// number converts n to int64 if possible, otherwise to float64.
func number(n json.Number) any {
	if i, err := n.Int64(); err == nil {
		return i
	}
	f, err := n.Float64()
	if err != nil {
		return n.String()
	}
	return f
}
