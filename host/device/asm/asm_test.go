package asm_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/asm"
	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// random returns a random command, in most cases one that a mnemonic expresses completely.
func random(rng *rand.Rand) arch.Command {
	operand := func() uint64 { return rng.Uint64() >> rng.IntN(64) }
	if rng.IntN(4) == 0 {
		return arch.Command{Opcode: arch.Opcode(rng.IntN(256)), Flags: uint8(rng.IntN(256)), Operand1: operand(), Operand2: operand(), Operand3: operand()}
	}
	half, v := rng.IntN(2), int(operand()>>16)
	return []arch.Command{
		driver.DMARead(operand(), operand()), driver.DMAWrite(operand(), operand()), driver.VAdd(half == 1),
		{Opcode: arch.VMul, Operand1: operand()}, driver.SWrite(rng.IntN(arch.RegCount+2), operand()), driver.GPURead(v, operand()),
		driver.Learn(half, operand(), v), driver.Classify(half, operand(), v, operand()), driver.Gather(half, v),
		driver.Update(half, operand(), v), driver.HotSet(operand()), driver.Fence(),
	}[rng.IntN(12)]
}

// TestRoundTrip: disassembled commands assemble to the same bytes.
func TestRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	mnemonics := map[string]bool{}
	for range 500 {
		var stream []byte
		for i := range 1 + rng.IntN(40) {
			stream = append(stream, random(rng).Encode(uint32(i+1))...)
		}
		text, err := asm.Disassemble(stream)
		require.NoError(t, err)
		p, err := asm.Parse("random.s", text)
		require.NoError(t, err, text)
		require.Equal(t, stream, p.Encode(), text)
		for _, line := range strings.Split(text, "\n") {
			word, _, _ := strings.Cut(line, " ")
			mnemonics[word] = true
		}
	}
	for _, o := range arch.Opcodes {
		require.True(t, mnemonics[o.Name], o.Name)
	}
	require.True(t, mnemonics[".command"])
}

func TestDisassemble(t *testing.T) {
	var stream []byte
	for i, c := range []arch.Command{
		driver.SWrite(arch.RegScale, 0xbf000000), driver.SWrite(arch.RegSlot+3, 1<<41|7), driver.VMul(0.1), driver.VAdd(true), driver.VAdd(false),
		driver.Classify(1, 0x100000000, 8, 0x100002000), {Opcode: arch.Fence, Flags: 2}, {Opcode: 0x77, Operand3: 1}, {Opcode: arch.VMul, Operand1: 0x7fc00001},
	} {
		stream = append(stream, c.Encode(uint32(i+1))...)
	}
	stream = append(stream, driver.Fence().Encode(99)...)
	text, err := asm.Disassemble(stream)
	require.NoError(t, err)
	require.Equal(t, `s_wr scale, -0.5
s_wr slot[3], 0x20000000007
v_mul 0.1
v_add load
v_add
classify 1, 0x100000000, 8, 0x100002000
.command 0x15, 0x2, 0x0, 0x0, 0x0
.command 0x77, 0x0, 0x0, 0x0, 0x1
v_mul 0x7fc00001
fence ; id 99
`, text)

	_, err = asm.Disassemble(stream[:100])
	require.EqualError(t, err, "100 bytes, expected a multiple of 64, the size of a command")
	for _, at := range []int{64, 64 + 40, 64 + 63} { // opcode, reserved bytes, CRC
		damaged := bytes.Clone(stream)
		damaged[at] ^= 0x40
		_, err = asm.Disassemble(damaged)
		require.ErrorContains(t, err, "command 2 is damaged")
	}
}

// TestMistakes checks the text of each mistake.
func TestMistakes(t *testing.T) {
	const expected = "status, number or name; value0, number; value1, number; float, label, v, ...; or word, label, v, ..."
	for text, want := range map[string]string{
		"addd":                               `x.s:1: there is no command "addd", expected dma_rd, dma_wr, v_add, v_mul, s_wr, gpu_rd, learn, classify, gather, update, hotset, fence, or a directive: .const, .host, .gpu, .float, .word, .zero, .align, .show, .expect, .command`,
		"\n; a comment\n dma_rd 4":           "x.s:3: 1 operands, expected 2: dma_rd address, bytes",
		"dma_rd a, 64":                       `x.s:1: address: there is no constant or label "a": dma_rd address, bytes`,
		"dma_rd 0x1g, 64":                    `x.s:1: address: found "0x1g", expected a number or a name: dma_rd address, bytes`,
		"dma_rd 4-5, 64":                     `x.s:1: address: "4-5" is out of range, expected 0 to 2^64-1: dma_rd address, bytes`,
		"v_add store":                        `x.s:1: found "store", expected load or nothing: v_add [load]`,
		"v_mul one":                          `x.s:1: scalar: found "one", expected a number that FP32 can hold, as -0.5, or its bits, as 0xbf000000: v_mul scalar`,
		"v_mul 1e99":                         `x.s:1: scalar: found "1e99", expected a number that FP32 can hold, as -0.5, or its bits, as 0xbf000000: v_mul scalar`,
		"v_mul inf":                          `x.s:1: scalar: found "inf", expected a number that FP32 can hold, as -0.5, or its bits, as 0xbf000000: v_mul scalar`,
		"s_wr rows, 1":                       `x.s:1: register: there is no register "rows", expected a number or table[0] to table[255], slot[0] to slot[255], hot[0] to hot[7], pooled[0] to pooled[7], grad[0] to grad[7], mailbox[0] to mailbox[7], slots, tables, row_log2, gpus, scale: s_wr register, value`,
		"s_wr hot[8], 1":                     `x.s:1: register: found "hot[8]", expected hot[0] to hot[7]: s_wr register, value`,
		"s_wr scale[0], 1":                   `x.s:1: register: found "scale[0]", expected scale: s_wr register, value`,
		"s_wr hot, 1":                        `x.s:1: register: found "hot", expected hot[0] to hot[7]: s_wr register, value`,
		"learn 2, 4, 8":                      `x.s:1: half is "2", expected 0 or 1: learn half, address, inputs`,
		".const 2, 4":                        `x.s:1: "2" is not a name, expected letters, digits and _, a digit not first`,
		"a: a: .float 1":                     `x.s:1: there is no command "a:", expected`,
		"a: .float 1\na: .float 2":           `x.s:2: "a" is defined twice`,
		".gpu 16":                            "x.s:1: GPU 16, expected 0 to 15",
		".zero 1\n.word 5":                   "x.s:2: .word at 0x1, expected a multiple of 4: use .align 4",
		".word 0x100000000":                  "x.s:1: 0x100000000 is above 2^32-1",
		".zero 1000000000":                   "x.s:1: 1000000000 bytes of data behind 0, expected at most 67108864 in a memory",
		".align 3":                           "x.s:1: alignment 3, expected a power of two from 1 to 4096",
		".show a, 1":                         `x.s:1: there is no label "a"`,
		"a: .float 1\n.show a, 2":            "x.s:2: 2 words at a, but there are 1",
		".float":                             "x.s:1: .float without operands, expected at least one",
		".expect status, 0":                  "x.s:1: .expect status, but there is no command before it",
		"fence\n.expect status":              "x.s:2: .expect with 1 operands, expected " + expected,
		"fence\n.expect nothing, 0":          `x.s:2: .expect of "nothing", expected ` + expected,
		"fence\n.expect value0, 1, 2":        "x.s:2: .expect value0 with 2 operands, expected one",
		"fence\n.expect status, okay":        `x.s:2: status: found "okay", expected a number or ok, timeout, parity, flr, poisoned, unsupported, abort, data_missing, bad_opcode, bad_crc, range, fetch, rows_full, no_row, rows_ahead, no_vector, no_inputs, no_address, no_table`,
		"fence\n.expect status, 256":         "x.s:2: status: 256 is above 255",
		"fence\n.expect value1, 0x100000000": "x.s:2: value1: 0x100000000 is above 4294967295",
		".expect word, a":                    "x.s:1: .expect word of a without values, expected at least one",
		".expect word, a, 1":                 `x.s:1: there is no label "a"`,
		"a: .word 1\n.expect word, a, 1, 2":  "x.s:2: 2 words at a, but there are 1",
		"a: .word 1\n.expect float, a, one":  `x.s:2: found "one", expected a number that FP32 can hold, as -0.5, or its bits, as 0xbf000000`,
		".command 1, 2":                      "x.s:1: .command with 2 operands, expected opcode, flags, operand 1, operand 2, operand 3",
		".command 256, 0, 0, 0, 0":           "x.s:1: opcode 256 and flags 0, expected at most 255",
		".include x":                         `x.s:1: there is no directive ".include", expected .const, .host, .gpu, .float, .word, .zero, .align, .show, .expect, .command`,
		"fence\n v_mul x\n dma_rd 1":         "x.s:2: scalar: found \"x\", expected a number that FP32 can hold, as -0.5, or its bits, as 0xbf000000: v_mul scalar\nx.s:3: 1 operands, expected 2: dma_rd address, bytes",
	} {
		_, err := asm.Parse("x.s", text)
		require.ErrorContains(t, err, want, text)
		if !strings.HasSuffix(want, "expected") { // otherwise the text is the beginning of the message
			require.EqualError(t, err, want)
		}
	}
}

// TestData: data are at the addresses of their labels.
func TestData(t *testing.T) {
	p, err := asm.Parse("x.s", `
.const N, 3+1
a: .float 1, -2
   .align 16
b: .word 7, N-1
.gpu 1
c: .zero N
.host
d: .zero 4
   dma_rd b+4, c-4
   learn 1, d, N
   .command 0x77, 3, a, b, c
.show b, 2`)
	require.NoError(t, err)
	require.Equal(t, []byte{0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0}, p.Host)
	require.Equal(t, [][]byte{nil, {0, 0, 0, 0}}, p.GPUs)
	const host, gpu1 = 4 << 30, 1<<42 + 1<<37
	require.Equal(t, driver.DMARead(host+20, gpu1-4), p.Commands[0].Command)
	require.Equal(t, driver.Learn(1, host+24, 4), p.Commands[1].Command)
	require.Equal(t, arch.Command{Opcode: 0x77, Flags: 3, Operand1: host, Operand2: host + 16, Operand3: gpu1}, p.Commands[2].Command)
	require.Equal(t, []asm.Show{{Name: "b", Where: asm.Place{GPU: -1, Offset: 16}, Words: 2}}, p.Shows)
}

// FuzzParse: no text crashes the parser, and every parsed program survives a round trip.
func FuzzParse(f *testing.F) {
	f.Add("a: .float 1\n.gpu 2\nb: .zero 8 ; c\n dma_rd a+4, 64\n s_wr table[3], b\n v_mul -0.5\n.show a, 1")
	f.Add(".command 1, 2, 3, 4, 5\n.align 64\n.const X, 1-1\nv_add load")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := asm.Parse("fuzz.s", text)
		if err != nil {
			return
		}
		again, err := asm.Disassemble(p.Encode())
		require.NoError(t, err)
		q, err := asm.Parse("again.s", again)
		require.NoError(t, err)
		require.Equal(t, p.Encode(), q.Encode())
	})
}
