package main

import (
	"go/parser"
	"go/token"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/gosim"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
)

func TestGoGlue(t *testing.T) {
	d, err := hw.Elaborate(dma.Read{Params: arch.Small()})
	require.NoError(t, err)
	files, err := gosim.Generate(d, "design")
	require.NoError(t, err)
	text, err := goGlue(d, files)
	require.NoError(t, err)
	_, err = parser.ParseFile(token.NewFileSet(), "glue.go", text, 0)
	require.NoError(t, err)
	for _, want := range []string{
		"fieldWords = [...]int{1, 1, 2, 1, ",
		"case 1:\n\t\tm.In.ReqValid = w[0] != 0\n\tcase 2:\n\t\tcopy(m.In.ReqData[:], w)\n",
		"m.In.SAxisReadDataTid = uint8(w[0])\n",
		"h = fold(h, bit(m.Out.ReqReady))\n\th = fold(h, uint64(m.Out.MAxisReadDescDmaAddr))\n",
		"h = foldAll(h, m.Out.RowData[:])\n",
	} {
		require.Contains(t, text, want)
	}

	e, err := hw.Elaborate(eal.EAL{Params: arch.Small()})
	require.NoError(t, err)
	_, err = goGlue(e, files)
	require.EqualError(t, err, "the model's structure In has 14 fields, expected 6")
	files, err = gosim.Generate(e, "design")
	require.NoError(t, err)
	text, err = goGlue(e, files)
	require.NoError(t, err)
	require.Contains(t, text, "m.Set(1, w)\n")
	require.Regexp(t, `m\.Get\(2, buf\[:1\]\)\n\th = foldAll\(h, buf\[:1\]\)`, text)
}
