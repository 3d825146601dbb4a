package wave_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/sim/wave"
)

// lane1 contains signals of the second queue.
var lane1 = []string{"rst", "lane[1].fifo.push_valid", "lane[1].fifo.push_data", "lane[1].fifo.count", "lane[1].fifo.pop_valid"}

// TestTrace: the rows of a trace are the cycles that a Tail keeps.
func TestTrace(t *testing.T) {
	trace, tail := wave.NewTrace(lane1...), wave.NewTail(5, lane1...)
	play(t, trace)
	play(t, tail)
	require.EqualValues(t, 7, trace.Cycles())
	require.Equal(t, tail.String(), wave.Text(2, trace.Rows(2, 7)))
	require.Equal(t, []string{"0", "0", "1", "2", "2", "1", "0"}, trace.Rows(0, 7)[3].Hex())
	require.Equal(t, []string{"", "2a"}, wave.Row{Width: 8, Values: [][]uint64{nil, {42}}}.Hex())
}

// TestReadVCD: the dump of a run contains the same values as the run, whole or from cycle 3.
func TestReadVCD(t *testing.T) {
	want := wave.NewTrace(lane1...)
	play(t, want)
	for _, from := range []uint64{0, 3} {
		var b bytes.Buffer
		v := wave.NewVCD(&b, 2857)
		v.Window(from, 7)
		play(t, v)
		require.NoError(t, v.Close())
		got, err := wave.ReadVCD(&b, "clk", lane1...)
		require.NoError(t, err)
		require.EqualValues(t, 7, got.Cycles())
		require.Equal(t, want.Rows(from, 7), got.Rows(from, 7))
	}
}

// foreign is the beginning of a dump of another program: bounds without a space, unknown values, and
// inputs that change between the edges of the clock.
const foreign = `$date today $end
$timescale
  1ns
$end
$scope module tb $end
$scope module dut $end
$var wire 1 ! clk $end
$var wire 8 " data[7:0] $end
$var reg 1 # bit[3] $end
$upscope $end
$upscope $end
$enddefinitions $end
`

func TestReadForeignVCD(t *testing.T) {
	got, err := wave.ReadVCD(strings.NewReader(foreign+`#0
$dumpvars 0! bx " x# $end
#5
1!
#7 b101 "
#10 0! 1#
#15 1! b110 "
#20 0!
#35 1! b111 "
`), "dut.clk", "dut.data", "dut.bit[3]")
	require.NoError(t, err)
	require.Equal(t, [][]uint64{{5}, {6}, {6}, {7}}, got.Rows(0, 4)[0].Values)
	require.Equal(t, [][]uint64{{1}, {1}, {1}, {1}}, got.Rows(0, 4)[1].Values)
}

// TestDamagedVCD: each error contains the line.
func TestDamagedVCD(t *testing.T) {
	for text, want := range map[string]string{
		"":                               `line 0: "", expected a declaration such as $scope`,
		"$scope module tb\n":             `line 1: the file ends, expected $end`,
		"$var wire 1 ! a $end\n":         `line 1: $var wire 1 ! a, expected a complete declaration`,
		foreign + "#5\n1!\n#4\n":         `line 15: time "#4", expected a number from 5`,
		foreign + "1?\n":                 `line 13: a value of "?", expected the code of a signal`,
		foreign + "b12 \"\n":             `line 13: value "12", expected the digits 0, 1, x and z`,
		foreign + "#5 1!\n":              `the clock rises 1 times, expected at least 2 times`,
		foreign + "#5 1! #6 0! #7 1!\n ": `wave: no signal "dut.none"`,
	} {
		_, err := wave.ReadVCD(strings.NewReader(text), "dut.clk", "dut.none")
		require.EqualError(t, err, want, text)
	}
	_, err := wave.ReadVCD(strings.NewReader(foreign), "clk")
	require.EqualError(t, err, `line 12: no clock "clk"`)
}
