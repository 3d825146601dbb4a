package format_test

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/ui/format"
)

func TestMistakes(t *testing.T) {
	require.NoError(t, format.Mistakes())
	require.NoError(t, format.Mistakes(nil, nil))
	var errs []error
	for i := range 1244 {
		errs = append(errs, nil, fmt.Errorf("mistake %d", i))
	}
	lines := strings.Split(format.Mistakes(errs...).Error(), "\n")
	require.Len(t, lines, 11)
	require.Equal(t, []string{"mistake 0", "mistake 9", "and 1,234 more"}, []string{lines[0], lines[9], lines[10]})
	require.NotContains(t, format.Mistakes(errs[:20]...).Error(), "more", "ten are all")
	require.Contains(t, format.Mistakes(errs[:22]...).Error(), "\nand 1 more")
	require.ErrorIs(t, format.Mistakes(errors.New("first"), fs.ErrNotExist), fs.ErrNotExist)
}
