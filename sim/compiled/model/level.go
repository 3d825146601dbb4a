package model

import (
	"fmt"
	"slices"
)

// Level is an instruction set level of generated models. A higher level includes the instructions
// of all lower levels. The results of a model are the same at every level.
type Level uint8

// Instruction set levels.
const (
	Best     Level = iota // the highest that this processor supports
	Portable              // compiled Go code, on any processor
	AVX2                  // vectors of 256 bits
	AVX512                // vectors of 512 bits: AVX-512 with F, BW, CD, DQ, VL, VBMI, BITALG, VPOPCNTDQ and GFNI
)

var levelNames = [...]string{Best: "best", Portable: "portable", AVX2: "avx2", AVX512: "avx512"}

// String returns the name of the level.
func (l Level) String() string {
	if int(l) >= len(levelNames) {
		return fmt.Sprintf("Level(%d)", uint8(l))
	}
	return levelNames[l]
}

// LevelNamed returns the level with the given name.
func LevelNamed(name string) (Level, error) {
	if i := slices.Index(levelNames[:], name); i >= 0 {
		return Level(i), nil
	}
	return Best, fmt.Errorf("level %q; expected one of %q", name, levelNames)
}

// highest is the level that Best selects.
var highest = detect()

// Levels returns the levels that this processor supports, in ascending order.
func Levels() []Level {
	var out []Level
	for l := Portable; l <= highest; l++ {
		out = append(out, l)
	}
	return out
}

// Check returns an error if this processor does not support l.
func (l Level) Check() error {
	if l > highest {
		return fmt.Errorf("this processor lacks the instructions of level %s; its highest level is %s", l, highest)
	}
	return nil
}

// Here resolves Best to the highest level of this processor and returns any other level unchanged.
// It panics if Check returns an error.
func (l Level) Here() Level {
	if err := l.Check(); err != nil {
		panic(err)
	}
	if l == Best {
		return highest
	}
	return l
}
