package command

import (
	_ "embed"
	"encoding/json"
	"sync"
)

// keys.json contains the keys of the objects that verbs print with --json and that a sweep can
// plot, by section of docs/reference/json.md. Tests keep the file, the document and the outputs consistent.
//
//go:embed keys.json
var keysJSON []byte

// printedKeys returns the keys of keys.json.
var printedKeys = sync.OnceValue(func() (sections map[string][]string) {
	if err := json.Unmarshal(keysJSON, &sections); err != nil {
		panic("keys.json: " + err.Error())
	}
	return sections
})
