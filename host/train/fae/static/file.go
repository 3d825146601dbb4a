package static

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/checkpoint"
	"github.com/hotline-rtl/hotline/host/train/safetensors"
)

// Format identifies the format of a file. It changes whenever the format does.
const Format = "hotline.fae/1"

// Keys of the metadata.
const (
	formatKey  = "format"
	ofKey      = "of"
	figuresKey = "figures"
	inputsKey  = "inputs"
)

// origin identifies the inputs and options of an outcome.
type origin struct {
	Data    string       `json:"data"`
	First   int          `json:"first_mini_batch"`
	Batches int          `json:"mini_batches"` // number of the last mini-batch plus one; 0 if unknown in advance
	Batch   int          `json:"batch"`
	Begin   string       `json:"begin"` // Digest of the first mini-batch
	Dim     int          `json:"dim"`
	Tables  []dlrm.Table `json:"tables"`
	Options Options      `json:"options"`
}

func originOf(b *train.Batches, model dlrm.Config, o Options) (string, error) {
	own := b.Again()
	defer own.Close()
	first, err := own.At(own.First())
	if err != nil {
		return "", err
	}
	from := origin{Data: b.Source().Name(), First: b.First(), Batch: b.Size(), Begin: checkpoint.Digest(first), Dim: model.Dim, Tables: model.Tables, Options: o}
	if n, known := b.Again().Len(); known {
		from.Batches = n
	}
	text, err := json.Marshal(from)
	return string(text), err
}

// PrepareFile is like [Prepare] with a file for the outcome: it reads the file if it exists, and
// otherwise writes it. It also returns an error if the file is corrupt, or belongs to other inputs
// or options.
func PrepareFile(path string, b *train.Batches, model dlrm.Config, o Options) (*Prepared, error) {
	if path == "" {
		return Prepare(b, model, o)
	}
	of, err := originOf(b, model, o)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(path); err == nil {
		return read(path, of, model)
	}
	p, err := Prepare(b, model, o)
	if err != nil {
		return nil, err
	}
	return p, p.write(path, of, model)
}

// Arrays of a file.
const inputsArray = "hot_inputs" // 32 inputs in a number, the first in its lowest bit

func rowsArray(table int) string { return fmt.Sprintf("tables.%d.hot", table) }

func (p *Prepared) write(path, of string, model dlrm.Config) error {
	figures, err := json.Marshal(p.Figures)
	if err != nil {
		return err
	}
	tensors := []safetensors.Tensor{safetensors.I64(inputsArray, []int{len(p.Inputs.bits)}, p.Inputs.bits)}
	for t := range model.Tables {
		var rows []uint32
		for index := range p.Hot.Rows(t) {
			rows = append(rows, index)
		}
		tensors = append(tensors, safetensors.I64(rowsArray(t), []int{len(rows)}, rows))
	}
	return safetensors.Write(path, map[string]string{
		formatKey: Format, ofKey: of, figuresKey: string(figures), inputsKey: strconv.FormatInt(p.Inputs.n, 10),
	}, tensors)
}

func read(path, of string, model dlrm.Config) (*Prepared, error) {
	f, err := safetensors.Read(path)
	if err != nil {
		return nil, err
	}
	if got := f.Metadata[formatKey]; got != Format {
		return nil, f.Errorf("the format is %q, expected %q", got, Format)
	}
	if got := f.Metadata[ofKey]; got != of {
		return nil, f.Errorf("it was made of %s, but this training is on %s: remove it, or name another file", got, of)
	}
	p := &Prepared{}
	if err := json.Unmarshal([]byte(f.Metadata[figuresKey]), &p.Figures); err != nil {
		return nil, f.Errorf("%s: %w", figuresKey, err)
	}
	if p.Hot, err = readHot(f, model); err != nil {
		return nil, err
	}
	p.Inputs, err = readInputs(f)
	return p, err
}

func readHot(f *safetensors.File, model dlrm.Config) (*Hot, error) {
	var rows [][]int64
	for t := range model.Tables {
		list, err := f.I64(rowsArray(t))
		if err != nil {
			return nil, err
		}
		rows = append(rows, list)
	}
	h := newHot(model.Tables, func(t int, index uint32) bool {
		if len(rows[t]) == 0 || rows[t][0] != int64(index) {
			return false
		}
		rows[t] = rows[t][1:]
		return true
	})
	for t, left := range rows {
		if len(left) > 0 {
			return nil, f.Errorf("array %q has row %d, expected rows below %d in order", rowsArray(t), left[0], model.Tables[t].Rows)
		}
	}
	return h, nil
}

func readInputs(f *safetensors.File) (*Inputs, error) {
	words, err := f.I64(inputsArray)
	if err != nil {
		return nil, err
	}
	n, err := strconv.ParseInt(f.Metadata[inputsKey], 10, 64)
	if err != nil || n < 0 || (n+31)/32 != int64(len(words)) {
		return nil, f.Errorf("%q inputs in %d numbers of 32, expected as many as they have room for", f.Metadata[inputsKey], len(words))
	}
	s := &Inputs{}
	for i := range n {
		s.add(words[i/32]>>(i%32)&1 != 0)
	}
	return s, nil
}
