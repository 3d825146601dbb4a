package chakra

import "encoding/binary"

// Fields of AttributeProto that hold a value.
const (
	int64Value  = 9
	uint64Value = 13
	boolValue   = 27
	textValue   = 29
)

// message is a message in the encoding of Protocol Buffers. Its methods append a field. A field with
// the default value is not left out, because readers of attributes look for the field.
type message struct{ bytes []byte }

// number appends a field with a non-negative integer.
func (m *message) number(field, value uint64) *message {
	m.bytes = binary.AppendUvarint(m.bytes, field<<3)
	m.bytes = binary.AppendUvarint(m.bytes, value)
	return m
}

func (m *message) text(field uint64, s string) *message { return m.length(field, []byte(s)) }

// length appends a field with a length and bytes.
func (m *message) length(field uint64, b []byte) *message {
	m.bytes = binary.AppendUvarint(m.bytes, field<<3|2)
	m.bytes = binary.AppendUvarint(m.bytes, uint64(len(b)))
	m.bytes = append(m.bytes, b...)
	return m
}

// attribute appends an attribute of a node.
func (m *message) attribute(name string, field, value uint64) *message {
	return m.length(10, new(message).text(1, name).number(field, value).bytes)
}

func (m *message) attributeText(name, value string) *message {
	return m.length(10, new(message).text(1, name).text(textValue, value).bytes)
}

// delimited returns the message after its length.
func (m *message) delimited() []byte {
	return append(binary.AppendUvarint(nil, uint64(len(m.bytes))), m.bytes...)
}
