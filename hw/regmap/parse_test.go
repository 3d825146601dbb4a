package regmap_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/regmap"
)

// broken has a mistake of each kind. All are reported together.
type broken struct {
	None   uint64
	Twice  uint64   `reg:"0x04,rw,ro"`
	Odd    uint64   `reg:"0x52,rw"`
	hidden uint64   `reg:"0x0c,rw"`
	NoAt   uint64   `reg:"rw"`
	NoKind uint64   `reg:"0x10"`
	Word   uint64   `reg:"0x14,rx"`
	Same   uint64   `reg:"0x10,rw" doc:"a|b"`
	Far    uint64   `reg:"0x18,rw,64:0"`
	Back   uint64   `reg:"0x1c,rw,3:4"`
	Large  uint64   `reg:"0x20,rw,3:0,reset=16"`
	Wire   uint64   `reg:"0x24,ro,reset=1"`
	Clear  uint64   `reg:"0x28,rc,32:0"`
	Many   uint64   `reg:"0x30,rw,len=2"`
	List   []uint64 `reg:"0x38,rw"`
	Group  struct {
		Low  uint64   `reg:"rw,3:0"`
		High uint64   `reg:"ro,4:3"`
		At   uint64   `reg:"0x0,rw,8"`
		In   []uint64 `reg:"rw,9"`
	} `reg:"0x3c,rw"`
	GroupLow uint64 `reg:"0x40,rw"`
}

func TestMistakes(t *testing.T) {
	_ = broken{}.hidden
	const word = "in its tag is not one offset as 0x10, access (rw, ro, wo, count, rc, w1c, w1s, pulse), bits as 15:0, reset= and len="
	require.PanicsWithValue(t, strings.ReplaceAll(`regmap: Meter: the name does not consist of lower-case words of letters and digits joined by underscores
regmap: Meter.None: no tag, expected one such as reg:"0x10,rw,15:0"
regmap: Meter.Twice: "ro" WORD
regmap: Meter.Odd: the offset 0x52 is not a multiple of 4
regmap: Meter.hidden: not exported: reflection cannot set it
regmap: Meter.NoAt: a register without an offset, as 0x10
regmap: Meter.NoKind: no access; there are rw, ro, wo, count, rc, w1c, w1s, pulse
regmap: Meter.Word: "rx" WORD
regmap: Meter.Word: no access; there are rw, ro, wo, count, rc, w1c, w1s, pulse
regmap: Meter.Same: | or */ or a new line in its doc, which is put into tables and comments
regmap: Meter.Far: bits 64:0, expected high:low, at most 63:0
regmap: Meter.Back: bits 3:4, expected high:low, at most 63:0
regmap: Meter.Large: reset value 16 does not fit in 4 bits
regmap: Meter.Wire: ro stores nothing that a reset could set
regmap: Meter.Clear: bits above 31 cannot be rc
regmap: Meter.Many: a slice has len=, from 1 on, and nothing else has it
regmap: Meter.List: a slice has len=, from 1 on, and nothing else has it
regmap: Meter.Group: access, bits and reset= are for the fields of this register
regmap: Meter.Group.High: bits 4:3 overlap the bits of Low, and both are read or both written
regmap: Meter.Group.At: an offset and len= are for registers, not for their fields
regmap: Meter.Group.In: a field of a register is a value, not []uint64
regmap: Meter.Same: at 0x10, where NoKind is
regmap: Meter.GroupLow: two fields are called group_low`, "WORD", word), func() { regmap.New[broken]("Meter", "") })
}

func TestNoStruct(t *testing.T) {
	require.PanicsWithValue(t, "regmap: x: uint64 is not a struct with fields that have reg in their tags", func() { regmap.New[uint64]("x", "") })
}

// TestFill: a struct of the map can hold values of any suitable type.
func TestFill(t *testing.T) {
	offsets, err := regmap.Fill[registers[int]](meter, func(p regmap.Place) int { return p.Register.At(p.Element, 0) })
	require.NoError(t, err)
	require.Equal(t, []int{0x10, 0x14, 0x18}, offsets.Base)
	require.Equal(t, []int{0x38, 0x40}, offsets.Now)
	require.Equal(t, []int{0, 4, 8, 0x2c}, []int{offsets.Limit, offsets.Status.Taken, offsets.Control.Start, offsets.Ring})
	names, err := regmap.Fill[registers[string]](meter, regmap.Place.Name)
	require.NoError(t, err)
	require.Equal(t, []string{"limit", "status_taken", "base_2"}, []string{names.Limit, names.Status.Taken, names.Base[2]})
	_, err = regmap.Fill[registers[bool]](meter, regmap.Place.Name)
	require.EqualError(t, err, "regmap: limit of meter is a bool, not a string")
	_, err = regmap.Fill[broken](meter, regmap.Place.Name)
	require.EqualError(t, err, "regmap: regmap_test.broken is not what the map meter was made of")
}

func TestStored(t *testing.T) {
	require.Equal(t, map[uint64]uint32{
		0: 0xffff, 8: 1, 0x10: 0x0fffffc0, 0x14: 0x0fffffc0, 0x18: 0x0fffffc0, 0x2c: 0xffffffc0, 0x30: 0xffffffff, 0x48: 0xffffffff,
	}, meter.Stored())
}

// TestFile: a File follows reads, writes and changes by hardware.
func TestFile(t *testing.T) {
	f := meter.NewFile()
	read := func(offset uint64, want uint32) {
		t.Helper()
		v, ok := f.Read(offset)
		require.True(t, ok)
		require.Equal(t, want, v)
	}
	refused := func(ok bool) { t.Helper(); require.False(t, ok) }
	read(0, 100)
	require.True(t, f.Write(0, 0x12345678, 0b0101))
	read(0, 0x78)
	f.Set("status_late", 0xff)
	read(4, 9<<15|3<<21|0xff<<5)
	read(4, 9<<15|0xff<<5)
	require.True(t, f.Write(4, 1<<5|6<<15, 0xf))
	read(4, 15<<15|0xfe<<5)
	require.True(t, f.Write(8, 0b110, 0xf))
	read(8, 0)
	require.EqualValues(t, []uint64{0, 1, 1}, []uint64{f.Get("control_enable"), f.Get("control_reg"), f.Get("control_start")})
	f.Set("total", 0x1_ffffffff)
	read(0x20, 0xffffffff)
	f.Set("total", 0x2_00000000)
	read(0x24, 1)
	require.True(t, f.Write(0x30, 7, 0xf))
	read(0x30, 7)
	read(0x2c, 0)
	require.EqualValues(t, 7<<26, f.Get("ring"))
	_, ok := f.Read(0x48)
	refused(ok)
	for _, offset := range []uint64{0x4c, 0x01, 0x0c, 1 << 40} {
		_, ok = f.Read(offset)
		refused(ok)
		refused(f.Write(offset, 0, 0xf))
	}
	refused(f.Write(0x20, 0, 0xf))
	refused(regmap.New[registers[int]]("meter", "", regmap.WholeWords).NewFile().Write(0, 0, 7))
}
