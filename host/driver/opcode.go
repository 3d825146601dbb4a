package driver

import "fmt"

// names are the mnemonics of the opcodes.
var names = map[Opcode]string{
	OpDMARead: "dma_rd", OpDMAWrite: "dma_wr", OpVAdd: "v_add", OpVMul: "v_mul", OpSWrite: "s_wr", OpGPURead: "gpu_rd",
	OpLearn: "learn", OpClassify: "classify", OpGather: "gather", OpUpdate: "update", OpHotSet: "hotset", OpFence: "fence",
}

// String is the mnemonic.
func (o Opcode) String() string {
	if n, ok := names[o]; ok {
		return n
	}
	return fmt.Sprintf("opcode %#x", uint8(o))
}
