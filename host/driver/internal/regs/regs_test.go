package regs

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGenerate(t *testing.T) {
	got, err := Generate("x.go", []byte(`package x

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
`))
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
`, string(got))

	_, err = Generate("x.go", []byte("package x\nconst = 3"))
	require.ErrorContains(t, err, "x.go:2:")
}
