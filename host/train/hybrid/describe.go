package hybrid

import "github.com/hotline-rtl/hotline/host/train/registry"

// Descriptions returns those of the baseline and of its variant with other kernels.
func Descriptions() []registry.Description {
	return []registry.Description{
		{Name: "hybrid", Title: "hybrid CPU-GPU: rows in CPU memory, MLPs data-parallel on the GPUs", New: registry.Plain(New)},
		{Name: "hybrid-intel", Title: "hybrid with the CPU kernels of the DLRM that Intel optimised, whatever the profile says", New: registry.Plain(NewIntel)},
	}
}
