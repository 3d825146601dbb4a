package model

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLevels(t *testing.T) {
	defer func(h Level) { highest = h }(highest)
	for _, h := range []Level{Portable, AVX2, AVX512} {
		highest = h
		require.Equal(t, h, Best.Here())
		require.Equal(t, []Level{Portable, AVX2, AVX512}[:h], Levels())
		for _, l := range Levels() {
			require.NoError(t, l.Check())
			require.Equal(t, l, l.Here())
			named, err := LevelNamed(l.String())
			require.NoError(t, err)
			require.Equal(t, l, named)
		}
	}
	highest = AVX2
	require.EqualError(t, AVX512.Check(), "this processor lacks the instructions of level avx512; its highest level is avx2")
	require.EqualError(t, Level(9).Check(), "this processor lacks the instructions of level Level(9); its highest level is avx2")
	require.Panics(t, func() { AVX512.Here() })
	_, err := LevelNamed("neon")
	require.EqualError(t, err, `level "neon"; expected one of ["best" "portable" "avx2" "avx512"]`)
}
