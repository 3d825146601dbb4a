// Package safetensors writes and reads files of named arrays in the safetensors format, which
// PyTorch, NumPy, JAX and other libraries read. A file has eight bytes with the length of a header,
// the header in JSON, and the arrays.
//
//	err := safetensors.Write(path, map[string]string{"format": "mine/1"}, []safetensors.Tensor{
//		safetensors.F32("weight", []int{2, 3}, weights),
//	})
//	file, err := safetensors.Read(path)
//	weights, err := file.F32("weight", 2, 3)
//
// Equal arrays give equal bytes. Writing is atomic: a file is complete or does not exist. Reading
// detects any corruption: the metadata contain the SHA-256 of the file, so files from other
// programs are refused.
//
// Numbers are of type F32 or I64. Writing does not require that arrays fit into memory.
package safetensors
