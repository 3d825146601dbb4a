package command

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/outfile"
)

// TestMistakes pins the messages for mistakes. The exit code is 2, nothing runs, and nothing is
// written.
func TestMistakes(t *testing.T) {
	config, rows := contents(t, tiny), contents(t, clicks)
	lines := strings.SplitAfter(rows, "\n")
	files := map[string]string{
		"good.hcl":      config,
		"attribute.hcl": edited(t, config, "  banks ", "  bancs = 4\n  banks "),
		"zero.hcl":      edited(t, config, "rows         = { C3 = 300,", "rows         = { C3 = 0,"),
		"batch.hcl":     edited(t, config, "batch       = 32", "batch       = 40"),
		"two.hcl":       edited(t, edited(t, config, "seed        = 1", "seed        = -1"), "rho          = 0.98", "rho          = 2"),
		"good.tsv":      rows,
		"none.pcapng":   "no capture",
		"bad.s":         "fence\ndma_rd 64\n",
		"good.bin":      "0123",
		"cut.tsv":       strings.Join(lines[:2], "") + lines[2][:80],
		"hex.tsv":       lines[0] + strings.Replace(lines[1], "\t"+strings.Split(lines[1], "\t")[20]+"\t", "\tnothex\t", 1),
		"empty.tsv":     "",
		"file":          "",
		"faults.hcl":    "\nfault \"ur\" {\n  place = \"interrupt\"\n}\n",

		"sweep.hcl": "run \"train\" {\n  config = \"good.hcl\"\n}\naxis \"banks\" {\n  attribute = \"accelerator.banks\"\n  values    = [4, 6]\n}\n",
		"attr.hcl":  "run \"cosim\" {\n  config = \"good.hcl\"\n}\naxis \"n\" {\n  attribute = \"training.gpu\"\n  values    = [1]\n}\n",
		"flag.hcl":  "run \"data profile\" {\n  arguments = [\"--input\", n]\n}\naxis \"n\" {\n  values = [1]\n}\n",

		"tag.hcl":              edited(t, config, "tag_bits ", "tag_bits = 0 #"),
		"block.hcl":            edited(t, config, "training {", "trainings {"),
		"number.hcl":           edited(t, config, "clock_mhz = 250", "clock_mhz = \"fast\""),
		"negative.s":           "dma_rd -64, 64\n.zero -1\n",
		"nothing.s":            "dma_rd , 64\ndma_rd 1+, 64\nfoo\n",
		"attribute-faults.hcl": "fault \"ur\" {\n  place = \"dma_rd\"\n  first = 1\n  nth   = \"x\"\n}\n",

		"good-faults.hcl": "fault \"ur\" {\n  place = \"dma_rd\"\n}\n",
	}
	for _, c := range []struct{ line, want string }{
		{"cosim --data criteo:cut.tsv", "cut.tsv:3: 20 fields, expected 40 (label, I1, I2, ..., C26, separated by tabs), and no newline: the file looks cut off"},
		{"cosim --data criteo:hex.tsv", `hex.tsv:2: column C7 (field 21): "nothex" is not a hexadecimal id of 1 to 8 digits`},
		{"cosim --data criteo:empty.tsv", "empty.tsv: the file is empty, expected lines of 40 tab-separated fields"},
		{"cosim --data criteo:none.tsv", "stat none.tsv: no such file or directory"},
		{"cosim --data good.tsv", `data is "good.tsv"; expected LOG:FILE, where LOG is avazu, criteo, taobao, trace or SCHEMA.hcl, or gen:PRESET`},
		{"cosim --data kaggle:good.tsv", `data is "kaggle:good.tsv"; expected LOG:FILE, where LOG is avazu, criteo, taobao, trace or SCHEMA.hcl, or gen:PRESET`},
		{"cosim --data criteo:", `data is "criteo:"; expected LOG:FILE, where LOG is avazu, criteo, taobao, trace or SCHEMA.hcl, or gen:PRESET`},
		{"cosim --config attribute.hcl", `attribute.hcl:7: Unsupported argument: An argument named "bancs" is not expected here. ` +
			"Expected one of alus, banks, blocks, cache, edram_words, engines, gpus, queue_depth, slots, stream_bits, tables, tag_bits, tags, vector_values, ways, window."},
		{"cosim --config zero.hcl", "zero.hcl:45: rows.C3 is 0; expected 1 to 2147483647"},
		{"cosim --config batch.hcl", "batch.hcl:33: a mini-batch of 40 inputs with 29 lookups each has 1160 words, but half of the accelerator's eDRAM holds 1024: use a batch of at most 35, or edram_words of at least 2320"},
		{"cosim --config batch.hcl --data criteo:good.tsv", "batch.hcl:33: a mini-batch of 40 inputs with 26 lookups each has 1040 words, but half of the accelerator's eDRAM holds 1024: use a batch of at most 39, or edram_words of at least 2080"},
		{"cosim --faults faults.hcl", `faults.hcl:2: there is no fault "ur" at interrupt; expected one of drop, duplicate`},
		{"cosim --faults attribute-faults.hcl", `attribute-faults.hcl:3: Unsupported argument: An argument named "first" is not expected here. Expected one of after_ps, nth, place, probability, required, times.` + "\n  " +
			"attribute-faults.hcl:4: Unsuitable value type: a number is required"},
		{"cosim --config tag.hcl", "tag.hcl:10: tag_bits is 0; expected 5 to 24: with the 7 bits of a set it is a row id, of 12 to 31 bits"},
		{"cosim --config number.hcl", "number.hcl:3: Unsuitable value type: a number is required"},
		{"cosim --config block.hcl", `block.hcl:31: Unsupported block type: Blocks of type "trainings" are not expected here. Did you mean "training"? ` +
			"Expected a block accelerator, cdlrm, data, elrec, fae, function, link, model, optimiser, scratchpipe, static_cache, training."},
		{"run negative.s", `negative.s:1: address: "-64" is negative, expected a number from 0 on, or a name: dma_rd address, bytes` + "\n  " +
			`negative.s:2: "-1" is negative, expected a number from 0 on, or a name`},
		{"asm nothing.s", "nothing.s:1: address: found nothing, expected a number or a name: dma_rd address, bytes\n  " +
			`nothing.s:2: address: "1+" is not a sum, expected numbers or names with + and - in between: dma_rd address, bytes` + "\n  " +
			`nothing.s:3: there is no command "foo", expected dma_rd, dma_wr, v_add, v_mul, s_wr, gpu_rd, learn, classify, gather, update, hotset, fence, or a directive: .const, .host, .gpu, .float, .word, .zero, .align, .show, .expect, .command`},
		{"train --faults none.hcl", "open none.hcl: no such file or directory"},
		{"train --system hybrid --faults good-faults.hcl", "experiment: faults happen on the link of an accelerator, but no system has one"},
		{"cosim --config none.hcl", "open none.hcl: no such file or directory"},
		{"cosim --config good.hcl --gpus 3", "good.hcl:21: gpus is 2, but the training uses 3 GPUs; use an accelerator for more GPUs, at most 8, or systems without one"},
		{"cosim --gpus 0", "--gpus is 0; expected at least 1"},
		{"cosim --nodes 0", "--nodes is 0; expected at least 1"},
		{"cosim --batches 0", "--batches is 0; expected at least 1"},
		{"cosim --cover x.json --vcd x.vcd", "--cover and --vcd exclude each other; leave one of them out"},
		{"cosim --engine fast", `--engine is "fast"; expected auto, compiled, compiled-portable, compiled-avx2, compiled-avx512 or interp`},
		{"cosim --speed 3", "unknown flag: --speed; see 'hotline cosim --help'"},
		{"cosim --batches many", `invalid argument "many" for "--batches" flag: expected a whole number; see 'hotline cosim --help'`},
		{"cosim small", `"small": cosim takes flags only; see 'hotline cosim --help'`},
		{"cosim --config good.hcl --vcd none/run.vcd", "open none/run.vcd: no such file or directory"},
		{"reproduce dlrm", `there is no paper or item "dlrm"; expected hotline, fae, cdlrm, elrec, scratchpipe, or PAPER/ITEM as in hotline/table-ii`},
		{"reproduce cdlrm/table-2", `there is no paper or item "cdlrm/table-2"; expected cdlrm/figure-1b, cdlrm/table-1a, cdlrm/table-1b, cdlrm/single-gpu, cdlrm/figure-3, cdlrm/figure-4a, cdlrm/figure-4b, cdlrm/figure-4c, cdlrm/section-5`},
		{"reproduce fae --html none/page.html", "open none/page.html: no such file or directory"},
		{"reproduce --machine abacus", `--machine: there is no machine "abacus", expected a100, h100, v100 or a file that ends with .hcl`},
		{"sweep", "0 files are given; expected one sweep; see 'hotline sweep --help'"},
		{"sweep none.hcl", "open none.hcl: no such file or directory"},
		{"sweep good.hcl sweep.hcl", "2 files are given; expected one sweep; see 'hotline sweep --help'"},
		{"sweep sweep.hcl --jobs 0", "--jobs is 0; expected at least 1"},
		{"sweep sweep.hcl -- --mem=1G", `"--mem=1G": options of sbatch need --slurm`},
		{"sweep sweep.hcl", "sweep.hcl:6: point 1 (banks 6): good.hcl:7: banks is 6; expected a power of two from 4 to 256"},
		{"sweep attr.hcl", `attr.hcl:6: point 0 (n 1): good.hcl:38: Unsupported argument: An argument named "gpu" is not expected here. ` +
			"Expected one of batch, batches, epochs, gpus, held_out, learn_share, machine, nodes, patience, profile, relearn, seed, shuffle, split."},
		{"sweep flag.hcl", "flag.hcl:1: point 0 (n 1): unknown flag: --input; see 'hotline data profile --help'"},
		{"sweep point out", "1 arguments are given; expected 2; see 'hotline sweep point --help'"},
		{"sweep collect out", "open out/sweep.json: no such file or directory"},
		{"cover", "no file is given; expected records of coverage; see 'hotline cover --help'"},
		{"cover none.json", "open none.json: no such file or directory"},
		{"cover good.tsv", "good.tsv: not a record of coverage: invalid character '-' after top-level value"},
		{"gen", "--out, --go, --c, --header, --systemrdl, --register-table or --stage is missing; see 'hotline gen --help'"},
		{"gen --stage printed", "--stage is \"printed\"; expected one of roll, shifts, decodes, ports, enables, packing, masks, choices, units, sinking, parts, inputs, storage, branches, derived, kernels, go"},
		{"gen --out x --unit 3", "--unit needs --stage"},
		{"gen --stage kernels --unit -2", "--unit is -2; expected at least 0"},
		{"gen --go my-model", `gosim: "my-model" is not the name of a Go package that can be imported; choose one with --package`},
		{"gen --go model --package main", `gosim: "main" is not the name of a Go package that can be imported; choose one with --package`},
		{"gen --go model --source", "--source needs --out"},
		{"gen --out out --package model", "--package needs --go"},
		{"gen --design good.tsv --out out", `good.tsv:1: found "1", expected "module"`},
		{"gen --design none.ir --out out", "open none.ir: no such file or directory"},
		{"gen --design none.ir --config good.hcl --out out", "--config and --design exclude each other; leave one of them out"},
		{"gen --design none.ir --header h", "--wrapper, --header, --systemrdl and --register-table describe the accelerator, and exclude --design"},
		{"draw --design none.ir --out x.svg", "open none.ir: no such file or directory"},
		{"import", "no file is given; expected Verilog; see 'hotline import --help'"},
		{"import good.tsv", "--top MODULE is expected; see 'hotline import --help'"},
		{"import --top m --param WIDTH good.tsv", `--param is "WIDTH"; expected NAME=VALUE`},
		{"import --top m --seed 2 good.tsv", "--seed needs --check CYCLES"},
		{"import --top m --out none/m.ir good.tsv", "open none/m.ir: no such file or directory"},
		{"gen --go file/model --config good.hcl", "gosim: mkdir file: not a directory"},
		{"cosim --config good.hcl --vcd run.vcd --vcd-from 20cycles", `--vcd-from is "20cycles"; expected cycles, as 5000, or simulated time, as 20us (ps, ns, us, ms, s)`},
		{"cosim --config good.hcl --vcd run.vcd --vcd-from 1.5", `--vcd-from is "1.5"; expected cycles, as 5000, or simulated time, as 20us (ps, ns, us, ms, s)`},
		{"cosim --config good.hcl --vcd run.vcd --vcd-to -1", `--vcd-to is "-1"; expected cycles, as 5000, or simulated time, as 20us (ps, ns, us, ms, s)`},
		{"cosim --config good.hcl --vcd run.vcd --vcd-from 100 --vcd-to 400ns", "--vcd-from 100 is not before --vcd-to 400ns"},
		{"cosim --config good.hcl --vcd run.vcd --vcd-limit 1GiB", `--vcd-limit is "1GiB"; expected bytes, as 500MB (kB, MB, GB, TB), or 0 for no limit`},
		{"cosim --vcd-to 5", "--vcd-to needs --vcd FILE"},
		{"gen --out out --config zero.hcl", "zero.hcl:45: rows.C3 is 0; expected 1 to 2147483647"},
		{"gen --out file/out --config good.hcl", "gen: mkdir file: not a directory"},
		{"gen out", `"out": gen takes flags only; see 'hotline gen --help'`},
		{"synth", "either --liberty FILE or --fpga FAMILY is expected; see 'hotline synth --help'"},
		{"synth --liberty file --fpga ecp5", "either --liberty FILE or --fpga FAMILY is expected; see 'hotline synth --help'"},
		{"synth --fpga ice40", `--fpga is "ice40"; expected ecp5 or xilinx`},
		{"synth --fpga ecp5 --flat", "--slow and --flat need --liberty FILE"},
		{"synth --liberty none.lib", "open none.lib: no such file or directory"},
		{"synth --liberty good.tsv", `good.tsv: line 1: this is not a Liberty file: expected (, found "-1"`},
		{"synth --liberty file --block none", `--block is "none"; there is no such module: see the manifest of 'hotline gen'`},
		{"verify --config none.hcl", "open none.hcl: no such file or directory"},
		{"verify --stimulus wild", `--stimulus is "wild"; expected random, recorded or all`},
		{"verify --cover none/record.json", "open none/record.json: no such file or directory"},
		{"verify --cycles 0", "--cycles is 0; expected at least 1"},
		{"verify --seed -1", `invalid argument "-1" for "--seed" flag: expected a whole number from 0 on; see 'hotline verify --help'`},
		{"verify --seed 18446744073709551616", `invalid argument "18446744073709551616" for "--seed" flag: expected a number that is nearer to 0; see 'hotline verify --help'`},
		{"verify --json=maybe", `invalid argument "maybe" for "--json" flag: expected true or false; see 'hotline verify --help'`},
		{"train --system hybrid --pcapng run.pcapng", "--pcapng captures the link of an accelerator, which no system of --system has; add the system hotline"},
		{"cosim --cover none/seen.json", "open none/seen.json: no such file or directory"},
		{"cosim --pcapng none/run.pcapng", "open none/run.pcapng: no such file or directory"},
		{"trace", "0 files are given; expected one capture; see 'hotline trace --help'"},
		{"trace --dissector file", "--dissector is not for file; it needs no file"},
		{"trace none.pcapng", "none.pcapng: capture: at byte 0: block type 0x63206f6e, expected a section header: this is not a pcapng file"},
		{"trace missing.pcapng", "open missing.pcapng: no such file or directory"},
		{"trace file", "file: capture: at byte 0: the file is empty, expected a pcapng section"},
		{"trace file --type fetch", `--type: there is no type "fetch", expected MRd, MWr, Cpl, CplD, Msg, MsgD, CfgRd0, CfgWr0, CfgRd1, CfgWr1, comment, function, delay, gap, register read, register write, configuration read, configuration write, doorbell, MSI-X table, command fetch, data read, data write, completion entry, interrupt, read, write, unexpected completion`},
		{"trace file --address 9-3", `--address is "9-3"; expected an address, as 0xfe000000, or two with - in between, the lower one first`},
		{"trace file --tag 1024", `--tag is "1024"; expected a number from 0 to 1023`},
		{"trace file --requester 1:0.0", `--requester is "1:0.0"; expected an ID, as 01:00.0`},
		{"trace file --from 20", `--from is "20"; expected a simulated time, as 20us (ps, ns, us, ms, s)`},
		{"trace file --from 20us --to 10us", "--from 20us is not before --to 10us"},
		{"trace file --follow 3 --replay", "--replay and --follow exclude each other; expected one of them"},
		{"trace file --follow 3 --list", "--follow and a list exclude each other; expected one of them"},
		{"trace file --config good.hcl", "--config needs --replay"},
		{"run bad.s", "bad.s:2: 1 operands, expected 2: dma_rd address, bytes"},
		{"asm bad.s", "bad.s:2: 1 operands, expected 2: dma_rd address, bytes"},
		{"asm none.s", "open none.s: no such file or directory"},
		{"asm file --out file", "the commands would overwrite the program file; name another file with --out"},
		{"disasm good.bin", "good.bin: 4 bytes, expected a multiple of 64, the size of a command"},
		{"disasm", "0 files are given; expected one; see 'hotline disasm --help'"},
		{"run file --accelerator fast", `--accelerator is "fast"; expected functional or cycle`},
		{"serve", "--socket is missing; see 'hotline serve --help'"},
		{"serve --socket card --accelerator fast", `--accelerator is "fast"; expected functional or cycle`},
		{"serve --socket card --config none.hcl", "open none.hcl: no such file or directory"},
		{"serve card", `"card": serve takes flags only; see 'hotline serve --help'`},
		{"cosin", `"cosin" is not a command; see 'hotline --help'`},
		{"--fast", "unknown flag: --fast; see 'hotline --help'"},
	} {
		t.Run(c.line, func(t *testing.T) {
			dir := folder(t, files)
			before := names(t, dir)
			code, stdout, stderr := hotline(strings.Fields(c.line)...)
			require.Equal(t, "hotline: "+c.want+"\n", stderr)
			require.Equal(t, 2, code)
			require.Empty(t, stdout)
			require.Equal(t, before, names(t, dir))
		})
	}
	t.Run("several mistakes", func(t *testing.T) {
		folder(t, files)
		code, _, stderr := hotline("cosim", "--config", "two.hcl")
		require.Equal(t, "hotline: two.hcl:37: Unsuitable value type: value must be a whole number, between 0 and 18446744073709551615 inclusive\n", stderr)
		require.Equal(t, 2, code)
	})
}

func TestHelp(t *testing.T) {
	for line, want := range map[string]string{
		"":              "Exit codes: 0 success, 1 a check failed or a result is bad, such as a training\nthat diverged, 2 wrong usage, configuration or data, 3 anything else, such as a\nfull disk, 129 hung up (SIGHUP), 130 interrupted (SIGINT, Ctrl-C), 134 crashed\n(SIGABRT), 143 terminated (SIGTERM).",
		"--help":        "hotline cosim\n",
		"help gen":      "hotline gen --out build/small",
		"cosim --help":  "hotline cosim --data criteo:train.txt --gpus 2",
		"gen --help":    "--out DIR",
		"verify --help": "--cycles cycles",
		"sweep --help":  "hotline sweep examples/sweeps/queue.hcl --slurm --jobs 20 -- --partition=cpu --mem=4G",
		"serve --help":  "hotline serve --socket /tmp/device",
	} {
		code, stdout, stderr := hotline(strings.Fields(line)...)
		require.Zero(t, code)
		require.Contains(t, stdout, want)
		require.Empty(t, stderr)
		for _, l := range strings.Split(stdout, "\n") {
			require.LessOrEqual(t, len(l), 115, l)
		}
	}
}

func TestExitCodes(t *testing.T) {
	broken := errors.New("broken")
	require.Equal(t, 0, exitCode(nil))
	require.Equal(t, 1, exitCode(failed(broken)))
	require.Equal(t, 2, exitCode(fmt.Errorf("in a context: %w", usage(broken))))
	require.Equal(t, 3, exitCode(broken))
	require.NoError(t, usage(nil))
	require.ErrorIs(t, usage(broken), broken)
	for cause, code := range map[error]int{fs.ErrNotExist: exitUsage, fs.ErrPermission: exitUsage, syscall.EROFS: exitUsage, syscall.ENOSPC: exitOther, syscall.EIO: exitOther} {
		file := &outfile.Error{Op: "open", Path: "x", Err: cause}
		require.Equal(t, code, exitCode(fmt.Errorf("gen: %w", file)), cause)
		require.Equal(t, code, exitCode(usage(file)), "no caller decides it")
		require.Equal(t, 1, exitCode(errors.Join(failed(broken), file)), "the check has failed")
	}
}
