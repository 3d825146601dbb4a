package checkpoint_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data/datatest"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/checkpoint"
	"github.com/hotline-rtl/hotline/host/train/safetensors"
	"github.com/hotline-rtl/hotline/host/train/systemtest"
)

var machines = []machine{{"hybrid", 1}, {"hybrid", 3}, {"hotline", 1}, {"hotline", 4}}

// TestResume: six mini-batches leave the same bytes as three, a checkpoint, and three more on any
// other machine.
func TestResume(t *testing.T) {
	for _, kind := range []dlrm.Kind{dlrm.DLRM, dlrm.TBSM} {
		for _, optimiser := range systemtest.Optimisers() {
			m := newModel(kind, optimiser)
			want := content(t, machines[0].train(t, initial(t, m), newBatches(t, m, 6)))
			for _, from := range machines {
				half := from.train(t, initial(t, m), newBatches(t, m, 3))
				for _, to := range machines {
					t.Run(fmt.Sprintf("kind %d, %v, %v then %v", kind, optimiser.Rule, from, to), func(t *testing.T) {
						c, err := checkpoint.Read(half, m, seed, batch)
						require.NoError(t, err)
						require.Equal(t, []any{3, int64(96), "test"}, []any{c.MiniBatches, c.Inputs, c.Data})
						got := to.train(t, c.State, newBatches(t, m, 6).From(3))
						require.Equal(t, want, content(t, got))
					})
				}
			}
		}
	}
}

// TestForgottenProgress: a training that resumes without the states of rows, or that counts
// mini-batches from 0 again, has other dense parameters.
func TestForgottenProgress(t *testing.T) {
	for _, optimiser := range systemtest.Optimisers() {
		m := newModel(dlrm.DLRM, optimiser)
		all := newBatches(t, m, 6)
		half := read(t, machines[0].train(t, initial(t, m), newBatches(t, m, 3)), m)
		hash := func(from *train.State, b *train.Batches) string {
			return read(t, machines[0].train(t, from, b), m).Net.Hash()
		}
		want := hash(half.State, all.From(3))

		forgetful := *half.State
		forgetful.Tables = slices.Clone(half.Tables)
		for i, rows := range half.Tables {
			forgetful.Tables[i].States = make([]float32, len(rows.States))
		}
		require.Equal(t, optimiser.RowStateLen(1) == 0, want == hash(&forgetful, all.From(3)), optimiser.Rule)

		inputs, err := datatest.Read(all.Source(), 0)
		require.NoError(t, err)
		again, err := train.NewBatches(m, datatest.Source("test", all.Source().Shape(), inputs[3*batch:]), batch, 0)
		require.NoError(t, err)
		numbered := optimiser.Rule == dlrm.RuleAdam || optimiser.Schedule != (dlrm.Schedule{})
		require.Equal(t, !numbered, want == hash(half.State, again), optimiser.Rule)
	}
}

func read(t *testing.T, path string, m dlrm.Config) *checkpoint.Checkpoint {
	c, err := checkpoint.Read(path, m, seed, batch)
	require.NoError(t, err)
	return c
}

// TestOnlyChangedRows: rows with initial values take no space.
func TestOnlyChangedRows(t *testing.T) {
	m := newModel(dlrm.DLRM, dlrm.Adagrad)
	b := newBatches(t, m, 3)
	read := map[uint32]bool{}
	for i := range 3 {
		batch, err := b.At(i)
		require.NoError(t, err)
		for i := range batch.Len() {
			for _, index := range batch.At(i).Sparse[1:4] {
				read[index] = true
			}
		}
	}
	c, err := checkpoint.Read(machines[3].train(t, initial(t, m), b), m, seed, batch)
	require.NoError(t, err)
	require.NotEmpty(t, c.Tables[1].Index)
	for _, index := range c.Tables[1].Index {
		require.True(t, read[index])
	}
	require.Greater(t, len(c.Tables[1].Index), len(read)*9/10)
}

func content(t *testing.T, path string) []byte {
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	return b
}

// saved returns a checkpoint of a briefly trained model.
func saved(t *testing.T) (path string, m dlrm.Config) {
	m = newModel(dlrm.DLRM, dlrm.Adagrad)
	return machines[1].train(t, initial(t, m), newBatches(t, m, 2)), m
}

// TestDamage: a changed or missing byte is an error.
func TestDamage(t *testing.T) {
	path, m := saved(t)
	whole := content(t, path)
	for _, c := range []struct {
		bytes []byte
		want  string
	}{
		{whole[:len(whole)-4], ": the file is cut off or damaged"},
		{whole[:100], " bytes in a file of 100: it is not a safetensors file, or it is cut off"},
		{append(slices.Clone(whole[:len(whole)-1]), whole[len(whole)-1]^1), "the file is damaged: its SHA-256 is "},
		{nil, "0 bytes are not a safetensors file"},
	} {
		require.NoError(t, os.WriteFile(path, c.bytes, 0o600))
		_, err := checkpoint.Read(path, m, seed, batch)
		require.ErrorContains(t, err, path+": ")
		require.ErrorContains(t, err, c.want)
	}
}

// TestOtherTraining checks which properties must be equal, and which may differ.
func TestOtherTraining(t *testing.T) {
	path, m := saved(t)
	for want, change := range map[string]func(*dlrm.Config){
		`learning_rate is 0.2, in this run 0.1`:            func(m *dlrm.Config) { m.LearningRate = 0.1 },
		`optimiser is "adagrad", in this run "sgd"`:        func(m *dlrm.Config) { m.Optimiser = dlrm.SGD },
		`loss is "bce", in this run "mse"`:                 func(m *dlrm.Config) { m.Loss = dlrm.MSE },
		`top is [6,1], in this run [7,1]`:                  func(m *dlrm.Config) { m.Top = []int{7, 1} },
		`rows is [300,2000,20], in this run [301,2000,20]`: func(m *dlrm.Config) { m.Tables = slices.Clone(m.Tables); m.Tables[0].Rows++ },
		`attention is not there, in this run [2,4,2]`:      func(m *dlrm.Config) { *m = newModel(dlrm.TBSM, dlrm.Adagrad) },
	} {
		other := m
		change(&other)
		_, err := checkpoint.Read(path, other, seed, batch)
		require.EqualError(t, err, path+": "+want+": a checkpoint can only be resumed with the same model, seed, optimiser and size of mini-batch")
	}
	_, err := checkpoint.Read(path, m, seed+1, batch)
	require.ErrorContains(t, err, path+": seed is 3, in this run 4: ")
	_, err = checkpoint.Read(path, m, seed, 16)
	require.ErrorContains(t, err, path+": batch is 32, in this run 16: ")
	_, err = checkpoint.Read(filepath.Join(t.TempDir(), "none"), m, seed, batch)
	require.ErrorIs(t, err, os.ErrNotExist)

	m.Name, m.Steps = "renamed", 1
	_, err = checkpoint.Read(path, m, seed, batch)
	require.NoError(t, err)
}

// TestWrongContents: valid files that are not checkpoints of the model are refused.
func TestWrongContents(t *testing.T) {
	path, m := saved(t)
	good, err := safetensors.Read(path)
	require.NoError(t, err)
	n := len(initial(t, m).Tables)
	write := func(metadata map[string]string, index []uint32) error {
		all := map[string]string{}
		for key, value := range good.Metadata {
			all[key] = value
		}
		for key, value := range metadata {
			all[key] = value
		}
		var tensors []safetensors.Tensor
		for p := range initial(t, m).Net.Tensors() {
			tensors = append(tensors, safetensors.F32(p.Name, p.Shape, p.Values), safetensors.F32(p.Name+".state", p.Shape, p.State))
		}
		for i := range n {
			shape := []int{len(index), m.Dim}
			name := fmt.Sprintf("tables.%d.", i)
			tensors = append(tensors, safetensors.I64(name+"index", shape[:1], index),
				safetensors.F32(name+"values", shape, make([]float32, len(index)*m.Dim)), safetensors.F32(name+"state", shape, make([]float32, len(index)*m.Dim)))
		}
		require.NoError(t, safetensors.Write(path, all, tensors))
		_, err := checkpoint.Read(path, m, seed, batch)
		return err
	}
	require.NoError(t, write(nil, []uint32{1, 2}))
	for _, c := range []struct {
		err  error
		want string
	}{
		{write(map[string]string{"format": "other"}, nil), `format is "other", expected "hotline.checkpoint/1"`},
		{write(map[string]string{"training": "{"}, nil), "training: unexpected end of JSON input"},
		{write(map[string]string{"mini_batches": "0"}, nil), `mini_batches is "0", expected a number of at least 1`},
		{write(map[string]string{"held_out_losses": "0.5"}, nil), `held_out_losses is "0.5", expected a list of numbers`},
		{write(map[string]string{"inputs": "many"}, nil), `inputs is "many", expected a number of at least 1`},
		{write(nil, []uint32{1, 20}), "tables.2.index has row 20, expected below 20"},
		{write(nil, []uint32{2, 1}), "tables.0.index is not in order, each row once"},
		{write(nil, []uint32{2, 2}), "tables.0.index is not in order, each row once"},
	} {
		require.EqualError(t, c.err, path+": "+c.want)
	}
	n--
	require.EqualError(t, write(nil, nil), path+`: there is no array "tables.2.index"`)
}

// TestExport: an export has every row of every table, including rows with initial values.
func TestExport(t *testing.T) {
	path, m := saved(t)
	c, err := checkpoint.Read(path, m, seed, batch)
	require.NoError(t, err)
	require.NoError(t, checkpoint.Export(path, c.State))
	f, err := safetensors.Read(path)
	require.NoError(t, err)
	require.Equal(t, "hotline.parameters/1", f.Metadata["format"])
	row := make([]float32, m.Dim)
	for i, table := range m.Tables {
		values, err := f.F32(fmt.Sprintf("tables.%d.weight", i), table.Rows, m.Dim)
		require.NoError(t, err)
		for index := range table.Rows {
			c.Row(i, uint32(index), row)
			require.Equal(t, row, values[index*m.Dim:][:m.Dim])
		}
	}
	for p := range c.Net.Tensors() {
		values, err := f.F32(p.Name, p.Shape...)
		require.NoError(t, err)
		require.Equal(t, p.Values, values)
	}
	_, err = checkpoint.Read(path, m, seed, batch)
	require.EqualError(t, err, path+`: format is "hotline.parameters/1", expected "hotline.checkpoint/1"`)
}

// TestDigest: a digest depends on each part of the inputs.
func TestDigest(t *testing.T) {
	b := func() dlrm.Batch {
		return dlrm.Batch{Labels: []float32{0, 1}, Dense: []float32{1, 2}, Sparse: []uint32{3, 4}}
	}
	seen := map[string]bool{checkpoint.Digest(b()): true}
	for _, change := range []func(*dlrm.Batch){
		func(b *dlrm.Batch) { b.Labels[1] = 0 }, func(b *dlrm.Batch) { b.Dense[1] = 1 }, func(b *dlrm.Batch) { b.Sparse[0] = 4 },
	} {
		other := b()
		change(&other)
		seen[checkpoint.Digest(other)] = true
	}
	require.Len(t, seen, 4)
	require.True(t, seen[checkpoint.Digest(b())])
}
