package regs

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGenerate(t *testing.T) {
	names := []byte(`package x

var Opcodes = []Name[Opcode]{{Run, "run"}, {Sit, "sit"}}

var Statuses = []Name[uint8]{{StatusFine, "fine"}, {7, "bad"}}
`)
	got, err := Generate([]byte(`package x

import "fmt"

// Opcode of something.
type Opcode uint8

const (
	Run Opcode = 1
	Sit Opcode = 0x2
)

// Sizes.
const (
	Most = 3 // of all
)

func f() { fmt.Println() }
`), names)
	require.NoError(t, err)
	require.Equal(t, `// Code generated from hw/hotline/arch by go generate; DO NOT EDIT.

package driver

// Opcode of something.
type Opcode uint8

const (
	OpRun Opcode = 1
	OpSit Opcode = 0x2
)

// Sizes.
const (
	Most = 3 // of all
)

// opcodeNames are the mnemonics.
var opcodeNames = map[Opcode]string{
	OpRun: "run",
	OpSit: "sit",
}

// statusNames say what a completion reports.
var statusNames = map[uint8]string{
	StatusFine: "fine",
	7:          "bad",
}
`, string(got))

	_, err = Generate([]byte("package x\nconst = 3"), names)
	require.ErrorContains(t, err, Source+":2:")
	_, err = Generate([]byte("package x"), []byte("package x\nvar = 3"))
	require.ErrorContains(t, err, Names+":2:")
	_, err = Generate([]byte("package x"), []byte("package x"))
	require.EqualError(t, err, "regs: there is no Opcodes in "+Names)
}
