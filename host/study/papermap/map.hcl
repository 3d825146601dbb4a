# Boxes of block diagrams, figures and tables of the five papers, with the Verilog module, the package
# and the test. The package is the package of the test, unless it is given. A place without both has
# rows in ../papers/records that state why they are not evaluated.

paper "hotline" {
  place "Figure 1" "hybrid and GPU-only training" { test = "host/train/hybrid.TestTrainsAsTheRuleSays" }
  place "Figure 2" "recommendation model" { test = "host/dlrm.TestReferenceReproducesPublishedExample" }
  place "Figure 3" "time of hybrid training" { test = "host/train/hybrid.TestHotlineFigure3" }
  place "Figure 4" "time of GPU-only training" { package = "host/train/hugectr" }
  place "Figure 5" "the same on several servers" { package = "host/train/hugectr" }
  place "Figure 6" "accesses per row" { test = "host/dlrm/data/gen.TestPresetsReachTheirTargets" }
  place "Figure 7" "segregation on the CPU" { package = "host/train/cpuhotline" }
  place "Figure 8" "segregation by cores" {}
  place "Figure 9" "drift of popularity" { test = "host/dlrm/data/gen.TestDriftMovesTheGivenShare" }
  place "Figure 10" "accelerator in a server" { test = "host/device/server.TestInsertEnumerates" }
  place "Figure 11" "Hotline accelerator, Streaming Interface" {
    module = "hotline"
    test   = "hw/hotline/top.TestSystem"
  }
  place "Figure 11" "DMA engine, reads" {
    module = "dma_read"
    test   = "hw/hotline/dma.TestReadAgainstModel"
  }
  place "Figure 11" "DMA engine, writes" {
    module = "dma_write"
    test   = "hw/hotline/dma.TestWriteAgainstTarget"
  }
  place "Figure 11" "Input eDRAM" {
    module = "input_edram"
    test   = "hw/hotline/dispatch/input.TestEDRAM"
  }
  place "Figure 11" "Reducer" {
    module = "reduce"
    test   = "hw/hotline/reduce.TestAgainstModel"
  }
  place "Figure 11" "ALU of the Reducer" {
    module = "alu"
    test   = "hw/hotline/reduce.TestAgainstModel"
  }
  place "Figure 11" "Embedding Vector Buffer" {
    module = "embedding_vector_buffer"
    test   = "hw/hotline/reduce.TestBufferFillsUp"
  }
  place "Figure 12" "pipeline of micro-batches" { test = "host/train/hotline.TestAcceleratorWorksWhileGPUsTrain" }
  place "Figure 13" "Data Dispatcher" {
    module = "dispatch"
    test   = "hw/hotline/dispatch.TestDispatch"
  }
  place "Figure 13" "Address Registers" {
    module = "address_registers"
    test   = "hw/hotline/dispatch/address.TestRegisters"
  }
  place "Figure 13" "Memory Controller" {
    module = "memory_controller"
    test   = "hw/hotline/dispatch/memory.TestController"
  }
  place "Figure 13" "Input Classifier" {
    module = "input_classifier"
    test   = "hw/hotline/dispatch/input.TestClassifier"
  }
  place "Figure 14" "Embedding Access Logger" {
    module = "eal"
    test   = "hw/hotline/eal.TestEALEqualsReference"
  }
  place "Figure 14" "EAL Queue" {
    module = "eal_queue"
    test   = "hw/hotline/eal.TestEALEqualsReference"
  }
  place "Figure 14" "EAL Controller" {
    module = "eal_controller"
    test   = "hw/hotline/eal.TestEALEqualsReference"
  }
  place "Figure 14" "Multi-Banked SRAM" {
    module = "eal_bank"
    test   = "hw/hotline/eal.TestBankRates"
  }
  place "Figure 15" "SRRIP against an oracle" { test = "hw/hotline/eal.TestAccessFollowsSRRIP" }
  place "Figure 16" "parallel requests by banks and queue" {
    package = "hw/hotline/eal"
    test    = "host/study/papers.TestBankLookups"
  }
  place "Figure 17" "Lookup Engines" {
    module = "lookup"
    test   = "hw/hotline/lookup.TestLookupEqualsReference"
  }
  place "Figure 17" "Lookup Engine" {
    module = "lookup_engine"
    test   = "hw/hotline/lookup.TestEverySlotCount"
  }
  place "Figure 17" "registers of embedding tables" {
    module = "lookup_walk"
    test   = "hw/hotline/lookup.TestEverySlotCount"
  }
  place "Figure 17" "Randomizer, a Feistel network" {
    module = "randomizer"
    test   = "hw/hotline/randomizer.TestPipelineEqualsReference"
  }
  place "Table I" "Instruction Set" {
    module  = "isa"
    package = "hw/hotline/isa"
    test    = "hw/hotline/model.TestTableI"
  }
  place "Table II" "models" { test = "host/dlrm.TestPresetsMatchPublishedCounts" }
  place "Table III" "server" { test = "host/train/machine.TestMachinesLoad" }
  place "Table IV" "clock and sizes of the accelerator" {
    package = "gen/synth"
    test    = "host/study/papers.TestSynthesised"
  }
  place "Table V" "accuracy" { test = "host/train/hotline.TestBitIdenticalToTheBaseline" }
  place "Figure 18" "accuracy during training" { test = "host/train/hotline.TestBitIdenticalToTheBaseline" }
  place "Figure 19" "speed-up" { package = "host/train/hotline" }
  place "Figure 20" "time by phase" { test = "host/train/hotline.TestTimesAddUp" }
  place "Figure 21" "epochs per hour" { package = "host/train/hotline" }
  place "Figure 22" "HugeCTR" { test = "host/train/hugectr.TestOutOfMemory" }
  place "Figure 23" "Hotline without the accelerator" { test = "host/train/cpuhotline.TestSequential" }
  place "Figure 24" "ScratchPipe-Ideal" { test = "host/train/scratchpipe.TestIdealIsApproximate" }
  place "Figure 25" "share of popular samples" { package = "host/train/hotline" }
  place "Figure 26" "size of mini-batches" { package = "host/train/hotline" }
  place "Figure 27" "size of the EAL" { package = "hw/hotline/eal" }
  place "Figure 28" "synthetic models" { test = "host/dlrm.TestSyntheticPresets" }
  place "Figure 29" "area and power" {
    package = "gen/synth"
    test    = "host/study/papers.TestSynthesised"
  }
  place "Figure 30" "several servers" { test = "host/train/hotline.TestGoldenServers" }
  place "Figures 19, 22, 24" "order of the systems" { package = "host/train/hotline" }
}

paper "fae" {
  place "Figure 1" "hot rows and samples" { package = "host/train/fae/static" }
  place "Figure 2" "execution graph" { test = "host/dlrm.TestReferenceReproducesPublishedExample" }
  place "Figure 3" "chance of a hot mini-batch" { missing = "not reproduced" }
  place "Figure 4" "Embedding Classifier, Input Classifier" { test = "host/train/fae/static.TestPrepare" }
  place "Figure 4" "Shuffle Scheduler" { test = "host/train/fae/shuffle.TestRate" }
  place "Figure 4" "hot and cold mini-batches" { test = "host/train/fae.TestCounts" }
  place "Figure 5" "hot rows and samples by threshold" { test = "host/train/fae/static.TestFigures" }
  place "Figure 6" "Input Sampler, Profiler" { test = "host/train/fae/static.TestEstimate" }
  place "Figure 7" "accesses of a sample" { missing = "not reproduced" }
  place "Figure 8" "time of sampling" { package = "host/train/fae/static" }
  place "Figure 9" "time of profiling" { test = "host/train/fae/static.TestEstimate" }
  place "Figure 10" "estimate of hot rows" { test = "host/train/fae/static.TestEstimate" }
  place "Figure 11" "time of classification" { package = "host/train/fae/static" }
  place "Figure 12" "accuracy during training" { test = "host/train/fae.TestSequentialInItsOrder" }
  place "Figure 13" "speed-up" { test = "host/train/fae.TestFAETimes" }
  place "Figure 14" "time by phase" { test = "host/train/fae.TestTimesAddUp" }
  place "Figure 15" "size of mini-batches" { package = "host/train/fae" }
  place "Figure 16" "synthetic models" { package = "host/train/fae" }
  place "Figures 13, 14" "order of the systems" { package = "host/train/fae" }
  place "Table 1" "notation" { test = "host/train/fae/static.TestInterval" }
  place "Table 2" "models and data sets" { test = "host/dlrm/data/gen.TestPresetsHaveRealSizes" }
  place "Table 3" "server" { test = "host/train/machine.TestMachinesLoad" }
  place "Table 4" "accuracy" {}
  place "Table 5" "minutes of training" { test = "host/train/fae.TestFAETimes" }
  place "Table 6" "time of copies" { test = "host/train/hybrid.TestFAECopies" }
  place "Table 7" "copied bytes" { test = "host/train/fae.TestTable7OfFAE" }
  place "Table 8" "synthetic models" { package = "host/study/papers" }
  place "Table 9" "power" {}
}

paper "cdlrm" {
  place "Figure 1a" "model" { test = "host/dlrm.TestReferenceReproducesPublishedExample" }
  place "Figure 1b" "simple approaches" { package = "host/train/hybrid" }
  place "Figure 2" "prefetching, caching, eviction" { test = "host/train/cdlrm.TestTrainsAsTheBaseline" }
  place "Figure 2" "caches and victims" { test = "host/train/cdlrm.TestCounts" }
  place "Figure 3" "windows and caches" { package = "host/train/cdlrm" }
  place "Figure 4a" "several GPUs" { test = "host/train/cdlrm.TestGoldenTimelines" }
  place "Figure 4b" "cost of caching" { package = "host/train/cdlrm" }
  place "Figure 4c" "lambda" { test = "host/train/cdlrm.TestLambda" }
  place "Table 1a" "data sets" { test = "host/dlrm/data/gen.TestPresetsHaveRealSizes" }
  place "Table 1b" "accuracy" {}
}

paper "elrec" {
  place "Figure 1" "Eff-TT table" { test = "host/dlrm/tt.TestRows" }
  place "Figure 1" "pipeline" { test = "host/train/elrec.TestSameBits" }
  place "Figure 2" "workflow of a model" { test = "host/dlrm.TestReferenceReproducesPublishedExample" }
  place "Figure 3" "tensor-train form" { test = "host/dlrm/tt.TestShapeOf" }
  place "Figure 4b" "distinct rows" { test = "host/dlrm/data/gen.TestPresetsReachTheirTargets" }
  place "Figure 5" "lookup of a row, reuse" { test = "host/dlrm/tt.TestReuse" }
  place "Figure 6" "in-advance aggregation" { test = "host/train/elrec.TestTTRecAndELRec" }
  place "Figure 7" "reordering" { test = "host/train/elrec.TestCounts" }
  place "Figure 8" "Index Bijection Generator" { test = "host/train/elrec/reorder.TestBijection" }
  place "Figure 9" "prefetch and gradient queues" { test = "host/train/elrec.TestPlain" }
  place "Figure 10" "embedding cache" { test = "host/train/elrec.TestEarlyEviction" }
  place "Figure 11" "speed-up, 1 GPU" { package = "host/train/elrec" }
  place "Figure 12" "speed-up, several GPUs" { package = "host/train/elrec" }
  place "Figure 13" "one large table" { test = "host/train/elrec.TestMemory" }
  place "Figure 14" "rate by optimisation" { package = "host/train/elrec" }
  place "Figure 15" "loss during training" { test = "host/train/elrec.TestTrainsAsTheRuleSays" }
  place "Figure 16" "pipeline against sequential training" { test = "host/train/elrec.TestCachedRows" }
  place "Figure 17" "lookup by optimisation" { test = "host/train/elrec.TestNoProductIsLost" }
  place "Figure 18" "backward pass by optimisation" { test = "host/train/elrec.TestNoProductIsLost" }
  place "Table I" "systems" { test = "host/train/catalog.TestDescriptions" }
  place "Table II" "data sets" { test = "host/dlrm/data/gen.TestPresetsHaveRealSizes" }
  place "Table III" "size of tables" { test = "host/dlrm/tt.TestTableIII" }
  place "Table IV" "accuracy" {}
}

paper "scratchpipe" {
  place "Figure 1" "model" { test = "host/dlrm.TestReferenceReproducesPublishedExample" }
  place "Figure 2" "forward and backward pass of embeddings" { test = "host/dlrm.TestRowGradsCoalesceAndSort" }
  place "Figure 3" "accesses per row" { test = "host/dlrm/data/gen.TestScratchPipeCurves" }
  place "Figure 4" "hybrid training, static cache" { test = "host/train/staticcache.TestSequential" }
  place "Figure 5" "time by place" { test = "host/train/scratchpipe.TestMiniBatchesOfTheDocument" }
  place "Figure 6" "hits of a static cache" { test = "host/train/scratchpipe.TestHitRatesOfTheDocument" }
  place "Figure 7" "look-ahead" { test = "host/train/scratchpipe.TestClicksAreReadOnce" }
  place "Figure 8" "straw-man" { test = "host/train/scratchpipe.TestSequential" }
  place "Figure 9" "hazards of a pipeline" { test = "host/train/scratchpipe.TestSeededBugs" }
  place "Figure 10" "Plan, Collect, Exchange, Insert, Train" { test = "host/train/scratchpipe.TestPipelineHidesStages" }
  place "Figure 11" "Hit-Map, Hold mask, Storage" { test = "host/train/scratchpipe.TestCounts" }
  place "Figure 12" "time of a mini-batch" { test = "host/train/scratchpipe.TestMiniBatchesOfTheDocument" }
  place "Figure 13" "speed-up" { test = "host/train/scratchpipe.TestMiniBatchesOfTheDocument" }
  place "Figure 14" "energy" {}
  place "Figure 15a" "length of rows" { package = "host/train/scratchpipe" }
  place "Figure 15b" "lookups per table" { package = "host/train/scratchpipe" }
  place "Table I" "cost of training" { package = "host/train/scratchpipe" }
  place "Figures 12, 13, Table I" "order of the systems" { package = "host/train/scratchpipe" }
}
