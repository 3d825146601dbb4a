package model

import (
	"fmt"
	"slices"
)

// Level is a set of instructions that generated models compute with; a higher one has
// those of the lower ones, too. What models compute is the same at each.
type Level uint8

// Levels.
const (
	Best     Level = iota // the highest that this processor has
	Portable              // what Go makes of the model, on any processor
	AVX2                  // vectors of 256 bits
	AVX512                // vectors of 512 bits: AVX-512 with F, BW, CD, DQ, VL, VBMI, BITALG, VPOPCNTDQ and GFNI
)

var levelNames = [...]string{Best: "best", Portable: "portable", AVX2: "avx2", AVX512: "avx512"}

// String is the name of a level.
func (l Level) String() string {
	if int(l) >= len(levelNames) {
		return fmt.Sprintf("Level(%d)", uint8(l))
	}
	return levelNames[l]
}

// LevelNamed is the level with a name.
func LevelNamed(name string) (Level, error) {
	if i := slices.Index(levelNames[:], name); i >= 0 {
		return Level(i), nil
	}
	return Best, fmt.Errorf("level %q; expected one of %q", name, levelNames)
}

// highest is what Best means.
var highest = detect()

// Levels are those that this processor has, the lowest first.
func Levels() []Level {
	var out []Level
	for l := Portable; l <= highest; l++ {
		out = append(out, l)
	}
	return out
}

// Check is an error if this processor lacks l.
func (l Level) Check() error {
	if l > highest {
		return fmt.Errorf("this processor lacks the instructions of level %s; its highest level is %s", l, highest)
	}
	return nil
}

// Here is the level that l means on this processor. It panics if Check is an error.
func (l Level) Here() Level {
	if err := l.Check(); err != nil {
		panic(err)
	}
	if l == Best {
		return highest
	}
	return l
}
