// Package safetensors writes and reads files of named arrays in the safetensors
// format, which PyTorch, NumPy, JAX and others read: eight bytes with the length
// of a header, the header in JSON, and the arrays one behind the other.
//
//	err := safetensors.Write(path, map[string]string{"format": "mine/1"}, []safetensors.Tensor{
//		safetensors.F32("weight", []int{2, 3}, weights),
//	})
//	file, err := safetensors.Read(path)
//	weights, err := file.F32("weight", 2, 3)
//
// It promises that the same arrays make the same bytes; that a file appears under
// its name when it is whole, or not at all; and that a file which is not, bit by
// bit, what was written is an error. For that, the metadata hold the SHA-256 of
// the file, so files that other programs wrote are refused.
//
// Numbers are of type F32 or I64. Arrays need not fit into memory to be written.
package safetensors
