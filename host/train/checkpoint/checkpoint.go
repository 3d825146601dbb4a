package checkpoint

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/safetensors"
)

// Format identifies the format of a checkpoint. It changes whenever the format does.
const Format = "hotline.checkpoint/1"

// Keys of the metadata.
const (
	formatKey      = "format"
	trainingKey    = "training"
	dataKey        = "data"
	miniBatchesKey = "mini_batches"
	inputsKey      = "inputs"
	latestKey      = "latest"
	lossesKey      = "held_out_losses"
)

// Checkpoint is a model between two mini-batches, and the position of the training.
type Checkpoint struct {
	*train.State
	Batch       int    // inputs of a mini-batch
	Data        string // name of the data
	MiniBatches int    // number that the model was trained on
	Inputs      int64
	Latest      string    // Digest of the latest mini-batch
	Losses      []float64 // held-out losses after each epoch, if there are several
}

// Digest returns the SHA-256, in hexadecimal, of the inputs of a mini-batch.
func Digest(b dlrm.Batch) string {
	h := sha256.New()
	for _, part := range []any{int64(b.Len()), b.Labels, b.Dense, b.Sparse} {
		_ = binary.Write(h, binary.LittleEndian, part) // neither numbers nor a hash fail
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Write writes a checkpoint, and replaces an existing file. It returns an error if writing fails.
func Write(path string, c *Checkpoint) error {
	training, err := fingerprintOf(c.Model, c.Seed, c.Batch)
	if err != nil {
		return err
	}
	tensors := dense(c.Net)
	for t, rows := range c.Tables {
		name := func(kind string) string { return fmt.Sprintf("tables.%d.%s", t, kind) }
		n, state := len(rows.Index), c.Model.Optimiser.RowStateLen(c.Model.Dim)
		tensors = append(tensors, safetensors.I64(name("index"), []int{n}, rows.Index), safetensors.F32(name("values"), []int{n, c.Model.Dim}, rows.Values))
		if state > 0 {
			tensors = append(tensors, safetensors.F32(name("state"), []int{n, state}, rows.States))
		}
	}
	metadata := map[string]string{
		formatKey: Format, trainingKey: training, dataKey: c.Data, latestKey: c.Latest,
		miniBatchesKey: strconv.Itoa(c.MiniBatches), inputsKey: strconv.FormatInt(c.Inputs, 10),
	}
	if len(c.Losses) > 0 {
		losses, err := json.Marshal(c.Losses)
		if err != nil {
			return err
		}
		metadata[lossesKey] = string(losses)
	}
	return safetensors.Write(path, metadata, tensors)
}

// dense returns the dense parameters, each followed by its optimiser state, if any.
func dense(n *dlrm.Net) []safetensors.Tensor {
	var list []safetensors.Tensor
	for t := range n.Tensors() {
		list = append(list, safetensors.F32(t.Name, t.Shape, t.Values))
		if len(t.State) > 0 {
			list = append(list, safetensors.F32(t.Name+".state", stateShape(t), t.State))
		}
	}
	return list
}

// stateShape returns the shape of a tensor's state: the shape of the values, preceded by the number
// of states per value if there are several.
func stateShape(t dlrm.Tensor) []int {
	if n := len(t.State) / len(t.Values); n > 1 {
		return append([]int{n}, t.Shape...)
	}
	return t.Shape
}

// Read reads a checkpoint to resume a training with a model, a seed and mini-batches of batch
// inputs. It returns an error if the file cannot be read, is damaged, is not a checkpoint, or
// belongs to another training.
func Read(path string, model dlrm.Config, seed uint64, batch int) (*Checkpoint, error) {
	f, err := safetensors.Read(path)
	if err != nil {
		return nil, err
	}
	if got := f.Metadata[formatKey]; got != Format {
		return nil, f.Errorf("format is %q, expected %q", got, Format)
	}
	want, err := fingerprintOf(model, seed, batch)
	if err != nil {
		return nil, err
	}
	if err := same(f.Metadata[trainingKey], want); err != nil {
		return nil, f.Errorf("%w", err)
	}
	c := &Checkpoint{Batch: batch, Data: f.Metadata[dataKey], Latest: f.Metadata[latestKey]}
	if c.Inputs, err = count(f, inputsKey); err != nil {
		return nil, err
	}
	miniBatches, err := count(f, miniBatchesKey)
	if err != nil {
		return nil, err
	}
	c.MiniBatches = int(miniBatches)
	if text := f.Metadata[lossesKey]; text != "" {
		if err := json.Unmarshal([]byte(text), &c.Losses); err != nil {
			return nil, f.Errorf("%s is %q, expected a list of numbers", lossesKey, text)
		}
	}
	c.State, err = readState(f, model, seed)
	return c, err
}

// count returns a number of the metadata.
func count(f *safetensors.File, key string) (int64, error) {
	n, err := strconv.ParseInt(f.Metadata[key], 10, 0)
	if err != nil || n < 1 {
		return 0, f.Errorf("%s is %q, expected a number of at least 1", key, f.Metadata[key])
	}
	return n, nil
}

func readState(f *safetensors.File, model dlrm.Config, seed uint64) (*train.State, error) {
	s, err := train.Initial(model, seed)
	if err != nil {
		return nil, err
	}
	for t := range s.Net.Tensors() {
		values, err := f.F32(t.Name, t.Shape...)
		if err != nil {
			return nil, err
		}
		copy(t.Values, values)
		if len(t.State) > 0 {
			state, err := f.F32(t.Name+".state", stateShape(t)...)
			if err != nil {
				return nil, err
			}
			copy(t.State, state)
		}
	}
	for t := range s.Tables {
		if s.Tables[t], err = readRows(f, model, t); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func readRows(f *safetensors.File, model dlrm.Config, table int) (train.Rows, error) {
	name := func(kind string) string { return fmt.Sprintf("tables.%d.%s", table, kind) }
	var rows train.Rows
	index, err := f.I64(name("index"))
	if err != nil {
		return rows, err
	}
	end := int64(model.Tables[table].Rows)
	for _, i := range index {
		if i < 0 || i >= end {
			return rows, f.Errorf("%s has row %d, expected below %d", name("index"), i, end)
		}
		rows.Index = append(rows.Index, uint32(i))
	}
	if !slices.IsSorted(index) || len(slices.Compact(index)) < len(rows.Index) {
		return rows, f.Errorf("%s is not in order, each row once", name("index"))
	}
	if rows.Values, err = f.F32(name("values"), len(rows.Index), model.Dim); err != nil {
		return rows, err
	}
	if n := model.Optimiser.RowStateLen(model.Dim); n > 0 {
		rows.States, err = f.F32(name("state"), len(rows.Index), n)
	}
	return rows, err
}
