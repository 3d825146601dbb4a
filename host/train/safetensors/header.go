package safetensors

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

const (
	lengthBytes  = 8         // of the length of the header
	alignment    = 8         // of the arrays in a file
	headerMost   = 100 << 20 // bytes, more than any reader of the format accepts
	metadataKey  = "__metadata__"
	checksumKey  = "sha256"
	checksumHexs = 64
)

// noChecksum is the placeholder in the header while the checksum is computed.
var noChecksum = strings.Repeat("0", checksumHexs)

// entry describes an array in the header.
type entry struct {
	name    string
	DType   string   `json:"dtype"`
	Shape   []int    `json:"shape"`
	Offsets [2]int64 `json:"data_offsets"` // from the end of the header
}

// encode returns the header, preceded by its length.
func encode(metadata map[string]string, checksum string, entries []entry) ([]byte, error) {
	all := map[string]string{checksumKey: checksum}
	for key, value := range metadata {
		all[key] = value
	}
	var b bytes.Buffer
	b.Write(make([]byte, lengthBytes))
	add := func(before, key string, value any) error {
		text, err := json.Marshal(value)
		if err != nil {
			return err
		}
		name, err := json.Marshal(key)
		b.WriteString(before)
		b.Write(name)
		b.WriteByte(':')
		b.Write(text)
		return err
	}
	if err := add("{", metadataKey, all); err != nil {
		return nil, err
	}
	for _, e := range entries {
		if err := add(",", e.name, e); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	for b.Len()%alignment != 0 {
		b.WriteByte(' ')
	}
	out := b.Bytes()
	binary.LittleEndian.PutUint64(out, uint64(len(out)-lengthBytes))
	return out, nil
}

// decode returns the content of a header, with its arrays in the order of the file. The numbers of
// the arrays take size bytes.
func decode(text []byte, size int64) (metadata map[string]string, entries []entry, err error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, nil, fmt.Errorf("the header is not JSON: %w", err)
	}
	if raw, ok := all[metadataKey]; ok {
		if err := json.Unmarshal(raw, &metadata); err != nil {
			return nil, nil, fmt.Errorf("metadata of the header: %w", err)
		}
		delete(all, metadataKey)
	}
	for name, raw := range all {
		e := entry{name: name}
		if err := json.Unmarshal(raw, &e); err != nil {
			return nil, nil, fmt.Errorf("array %q: %w", name, err)
		}
		entries = append(entries, e)
	}
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.Offsets[0], b.Offsets[0]), cmp.Compare(a.Offsets[1], b.Offsets[1]), cmp.Compare(a.name, b.name))
	})
	return metadata, entries, check(entries, size)
}

// check returns an error if the arrays do not fill size bytes without gaps.
func check(entries []entry, size int64) error {
	at := int64(0)
	for _, e := range entries {
		n := sizeOf(e.DType, e.Shape)
		if n < 0 {
			return fmt.Errorf("array %q of type %q and shape %v, expected type %s or %s", e.name, e.DType, e.Shape, typeF32, typeI64)
		}
		if e.Offsets[0] != at || e.Offsets[1]-at != n {
			return fmt.Errorf("array %q is at bytes %d to %d, expected %d bytes from %d on", e.name, e.Offsets[0], e.Offsets[1], n, at)
		}
		at += n
	}
	if at != size {
		return fmt.Errorf("its arrays have %d bytes, expected %d: the file is cut off or damaged", size, at)
	}
	return nil
}
