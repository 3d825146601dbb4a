package attributes

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/device/card"
	"github.com/hotline-rtl/hotline/host/device/fault"
	"github.com/hotline-rtl/hotline/host/dlrm/data/schema"
	"github.com/hotline-rtl/hotline/host/study/sweep"
	"github.com/hotline-rtl/hotline/host/train/machine"
	"github.com/hotline-rtl/hotline/host/train/timing"
	"github.com/hotline-rtl/hotline/host/ui/hclfile"
)

// kind is a kind of file.
type kind struct {
	title, about string
	blocks       []hclfile.Block
	more         string // Markdown after the blocks
}

func kinds() []kind {
	return []kind{
		{"Accelerator and run", "`--config FILE`; `configs/small.hcl` is the default. The blocks `accelerator`, `model` and `training` are required.\nA file with " +
			"`base = \"small\"` needs only the attributes that differ from `configs/small.hcl`.", configs.Blocks(), ""},
		{"Machine", "`--machine FILE`; `hotline machine v100` prints an example. Each constant below must be there once.", machine.Blocks(), constants()},
		{"Software profile", "`--profile FILE`; `hotline machine sceptic` prints an example.", timing.ProfileBlocks(), choices()},
		{"Fault plan", "`--faults FILE`. [Reliability](reliability.md) lists the faults at each place.", fault.Blocks(), ""},
		{"Sweep", "`hotline sweep FILE`. PROGRAM is a verb or the path of a program.", sweep.Blocks(), ""},
		{"Log", "`--data SCHEMA.hcl:FILE`. [Your own data](../how-to/data.md) has an example.", schema.Blocks(), ""},
		{"Card", "A [card of your own](../how-to/own-card.md).", card.Blocks(), ""},
	}
}

// Page returns the page in Markdown.
func Page() string {
	b := &strings.Builder{}
	b.WriteString(head)
	for _, k := range kinds() {
		fmt.Fprintf(b, "\n## %s\n\n%s\n", k.title, k.about)
		for _, block := range k.blocks {
			printBlock(b, block)
		}
		b.WriteString(k.more)
	}
	return b.String()
}

// Types returns the structs of all blocks.
func Types() (list []reflect.Type) {
	for _, k := range kinds() {
		for _, b := range k.blocks {
			list = append(list, b.Type)
		}
	}
	return list
}

const head = `# Configuration

` + "`hotline config`" + ` prints this page from the decoders of the files. A value out of range is an error with the file and the line.
[Command line](command-line.md#input-files) has the limits of all HCL files.
`

func printBlock(b *strings.Builder, block hclfile.Block) {
	if block.Name != "" {
		fmt.Fprintf(b, "\n### `%s`\n", block.Name)
	}
	if len(block.Attributes) == 0 {
		return
	}
	b.WriteString("\n| attribute | type | unit | range | default | meaning |\n|---|---|---|---|---|---|\n")
	for _, a := range block.Attributes {
		row(b, "`"+a.Name+"`", a.Type, a.Unit, a.Range, a.Default, a.Meaning)
	}
}

// constants returns the table of a machine's constants.
func constants() string {
	b := &strings.Builder{}
	b.WriteString("\n| constant | unit | meaning |\n|---|---|---|\n")
	for _, c := range machine.Descriptions() {
		row(b, "`"+c.Name+"`", c.Unit, c.Meaning)
	}
	return b.String()
}

// choices returns the table of the values of a profile's attributes.
func choices() string {
	b := &strings.Builder{}
	b.WriteString("\n| attribute | value | meaning |\n|---|---|---|\n")
	for _, a := range timing.ProfileBlocks()[0].Attributes {
		for _, c := range timing.Choices[a.Name] {
			row(b, "`"+a.Name+"`", "`"+c[0]+"`", c[1])
		}
	}
	return b.String()
}

func row(b *strings.Builder, cells ...string) {
	for _, c := range cells {
		b.WriteString("| " + c)
		if c != "" {
			b.WriteByte(' ')
		}
	}
	b.WriteString("|\n")
}
