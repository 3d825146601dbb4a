package words_test

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/words"
)

func TestMistakes(t *testing.T) {
	require.NoError(t, words.Mistakes())
	require.NoError(t, words.Mistakes(nil, nil))
	var errs []error
	for i := range 1244 {
		errs = append(errs, nil, fmt.Errorf("mistake %d", i))
	}
	lines := strings.Split(words.Mistakes(errs...).Error(), "\n")
	require.Len(t, lines, 11)
	require.Equal(t, []string{"mistake 0", "mistake 9", "and 1,234 more"}, []string{lines[0], lines[9], lines[10]})
	require.NotContains(t, words.Mistakes(errs[:20]...).Error(), "more", "ten are all")
	require.Contains(t, words.Mistakes(errs[:22]...).Error(), "\nand 1 more")
	require.ErrorIs(t, words.Mistakes(errors.New("first"), fs.ErrNotExist), fs.ErrNotExist)
}
