title   = "Hotline (ISCA 2024)"
profile = "hotline-2024-a"

cause "a loader that no system waits for" {
  software = "loader"
  to       = "hidden"
}

workload "rm1" {
  model  = "rm1"
  clicks = "taobao"
  batch  = 1024
}
workload "rm2" {
  model  = "rm2"
  clicks = "kaggle"
  batch  = 1024
}
workload "rm3" {
  model  = "rm3"
  clicks = "terabyte"
  batch  = 1024
}
workload "rm4" {
  model  = "rm4"
  clicks = "avazu"
  batch  = 1024
}
workload "syn-m1" {
  model = "syn-m1"
  batch = 1024
}
workload "syn-m2" {
  model = "syn-m2"
  batch = 1024
}
workload "rm3, 90 % popular" {
  like    = "rm3"
  popular = 0.9
}
workload "rm3, 70 % popular" {
  like    = "rm3"
  popular = 0.7
}
workload "rm3, 50 % popular" {
  like    = "rm3"
  popular = 0.5
}
workload "rm3, 30 % popular" {
  like    = "rm3"
  popular = 0.3
}
workload "rm2, 40 mini-batches" {
  like    = "rm2"
  batches = 40
  relearn = 20
}
workload "rm1, short" {
  like    = "rm1"
  batch   = 32
  batches = 24
  relearn = 10
}
workload "rm2, short" {
  like   = "rm1, short"
  model  = "rm2"
  clicks = "kaggle"
}
workload "rm3, short" {
  like   = "rm1, short"
  model  = "rm3"
  clicks = "terabyte"
}
workload "rm4, short" {
  like   = "rm1, short"
  model  = "rm4"
  clicks = "avazu"
}
workload "a quarter of the blocks" {
  like  = "rm2"
  share = 0.25
}
workload "half of the blocks" {
  like  = "rm2"
  share = 0.5
}
workload "a tenth of the blocks" {
  like  = "rm2"
  share = 0.1
}

group "models" {
  workloads = ["rm1", "rm2", "rm3", "rm4"]
}

item "Figure 3" "embedding, optimiser and communication, share of the hybrid system's time" {
  class     = "timing"
  unit      = "%"
  measure   = "share"
  of        = "hybrid"
  phases    = ["copies", "CPU embedding"]
  without   = ["loading inputs"]
  workloads = ["rm3"]
  rule      = "rm3, without the loader, which the figure does not have"
  row "Terabyte, 4 GPUs" {
    value = 75
    says  = "up to 75"
    gpus  = [4]
  }
}

item "Figure 4" "all-to-all, share of a GPU-only system's time" {
  class     = "timing"
  unit      = "%"
  measure   = "share"
  of        = "hugectr"
  phases    = ["all-to-all"]
  without   = ["loading inputs"]
  workloads = ["rm2"]
  rule      = "rm2, one server, without the loader; the paper does not say of which model"
  row "4 GPUs" {
    value = 12
    gpus  = [4]
  }
}

item "Figure 5" "communication, share of a GPU-only system's time" {
  class     = "timing"
  unit      = "%"
  measure   = "share"
  of        = "hugectr"
  phases    = ["all-to-all", "all-reduce"]
  without   = ["loading inputs"]
  workloads = ["syn-m1"]
  rule      = "syn-m1 on 4 servers of 4 GPUs with a 100 Gb/s InfiniBand card, NVLink of 2400 Gb/s inside, without the loader"
  row "several servers" {
    says  = "more than 50"
    low   = 50
    high  = 100
    gpus  = [4]
    nodes = 4
  }
}

item "Figure 6" "accesses of the most popular row over the median row" {
  class     = "functional"
  unit      = "x"
  measure   = "skew"
  workloads = ["rm2"]
  rule      = "of the rows of a large table that generated clicks read"
  row "Kaggle" {
    says = "more than 100"
    low  = 100
  }
}

item "Figure 6" "samples that 512 MB of rows serve" {
  class = "calibration"
  unit  = "%"
  rule  = "clicks are generated to such figures, of FAE and of this one; popular rows are those of 1e-5 of the accesses or more"
  row "Kaggle" { says = "more than 75" }
  row "Avazu" { says = "more than 75" }
}

item "Figure 7" "segregation on the CPU over training on the GPUs" {
  class = "calibration"
  unit  = "x"
  rule  = "segregate_us is fitted to it"
  row "mini-batches of 1K, 2K and 4K samples on 1, 2 and 4 GPUs" {
    value = 2.5
    says  = "up to 2.5"
  }
}

item "Figure 7" "GPUs idle while the CPU segregates" {
  class = "arithmetic"
  unit  = "%"
  rule  = "nothing overlaps: 2.5 of 3.5"
  row "4 GPUs" { says = "more than 50" }
}

item "Figure 8" "cores beyond which segregation gains nothing" {
  class   = "timing"
  not_run = "segregate_us is of all cores of the server: nothing here has a number of cores"
  row "4K samples of Terabyte" { value = 24 }
}

item "Figure 9" "accesses that rows of the first day serve, last day less first" {
  class = "calibration"
  unit  = "points"
  rule  = "a choice of the generator, a hundredth of the ranks a day; the paper has table 20 of Terabyte"
  row "Terabyte, hot set drifts" { says = "falls" }
}

item "Section IV" "hot rows found in 5 % of the mini-batches" {
  class     = "functional"
  unit      = "%"
  measure   = "sampled hot rows"
  workloads = ["rm2"]
  rule      = "hot are rows with 1e-5 of the accesses or more, of clicks like Kaggle's"
  row "Kaggle" {
    says = "more than 90"
    low  = 90
    high = 100
  }
}

item "Figure 15" "rows read most that the EAL holds" {
  class   = "selection"
  unit    = "%"
  measure = "EAL held"
  rule    = "65,536 blocks of 8 ways, samples like Kaggle's; the paper does not say how many rows it asks for: the shares of the blocks are readings of its three figures"
  row "a quarter of the blocks" {
    value     = 90
    workloads = ["a quarter of the blocks"]
  }
  row "half of the blocks, Section IV" {
    value     = 70
    workloads = ["half of the blocks"]
  }
  row "a tenth of the blocks, Section IV" {
    says      = "more than 99"
    low       = 99
    high      = 100
    workloads = ["a tenth of the blocks"]
  }
}

item "Figure 16" "lookups per cycle" {
  class   = "exact"
  within  = 0.5
  measure = "bank lookups"
  rule    = "100,000 cycles with random banks, a queue that is always full; banks of 16, 32 and 128 are only a picture"
  row "queue of 512, 64 banks" { value = 60 }
}

item "Section IV" "EAL hits of multi-hot samples, below one-hot ones" {
  class     = "functional"
  unit      = "points"
  measure   = "multi-hot EAL"
  workloads = ["rm2"]
  rule      = "Kaggle's tables with 5 lookups in place of one, the same popularity of rows, as many lookups; an EAL of 65,536 blocks"
  row "at most" {
    says = "at most 5"
    high = 5
  }
}

item "Table II" "dense parameters" {
  class   = "exact"
  unit    = "k"
  within  = 0.05
  measure = "dense parameters"
  rule    = "all parameters of the MLPs. Without the first layer of the top MLP, and twice those of rm1, they make the paper's figures"
  row "rm1" {
    value     = 7.3
    workloads = ["rm1"]
  }
  row "rm2" {
    value     = 287.5
    workloads = ["rm2"]
  }
  row "rm3" {
    value     = 549.1
    workloads = ["rm3"]
  }
  row "rm4" {
    value     = 281.4
    workloads = ["rm4"]
  }
}

item "Table II" "rows" {
  class = "set-up"
  unit  = "M"
  rule  = "the tables of Terabyte are not published: they are chosen to make it"
  row "rm1" { value = 5.1 }
  row "rm2" { value = 33.8 }
  row "rm3" { value = 266 }
  row "rm4" { value = 9.3 }
}

item "Table II" "embeddings" {
  class = "arithmetic"
  unit  = "GiB"
  rule  = "the paper's GB is GiB"
  row "rm1" { value = 0.3 }
  row "rm2" { value = 2 }
  row "rm3" { value = 63 }
  row "rm4" { value = 0.55 }
}

item "Section VII" "memories of the accelerator" {
  class = "arithmetic"
  unit  = "MiB"
  row "eDRAM for 16K samples" {
    value = 2.5
    rule  = "ids, dense features and label of 4 bytes each"
  }
  row "hot rows of 64 values in 2M blocks" { value = 512 }
  row "EAL of 2M blocks" {
    value = 4
    rule  = "16 bits: valid, two of age and 13 of the row"
  }
}

item "Table V" "accuracy, identical for Hotline" {
  class   = "functional"
  unit    = "%"
  not_run = "a level of accuracy needs the whole real log"
  row "Kaggle" { value = 78.64 }
  row "Taobao" { value = 89.11 }
  row "Terabyte" { value = 81.20 }
  row "Avazu" { value = 83.61 }
}

item "Table V" "AUC, identical for Hotline" {
  class   = "functional"
  not_run = "a level of accuracy needs the whole real log; Taobao's is printed in percent, the others as fractions"
  row "Kaggle" { value = 0.798 }
  row "Taobao" { value = 92.61 }
  row "Terabyte" { value = 0.792 }
  row "Avazu" { value = 0.766 }
}

item "Table V" "log-loss, identical for Hotline" {
  class   = "functional"
  not_run = "a level of accuracy needs the whole real log"
  row "Kaggle" { value = 0.456 }
  row "Taobao" { value = 0.270 }
  row "Terabyte" { value = 0.421 }
  row "Avazu" { value = 0.387 }
}

item "Table V" "parameters of Hotline that differ from the baseline's" {
  class   = "functional"
  within  = 0
  long    = true
  measure = "other parameters"
  gpus    = [2]
  rule    = "a short training with small models on generated clicks, compared bit by bit"
  row "Kaggle" {
    value     = 0
    workloads = ["rm2, short"]
  }
  row "Taobao" {
    value     = 0
    workloads = ["rm1, short"]
  }
  row "Terabyte" {
    value     = 0
    workloads = ["rm3, short"]
  }
  row "Avazu" {
    value     = 0
    workloads = ["rm4, short"]
  }
}

item "Figure 19" "Hotline over Intel-optimised DLRM" {
  class     = "selection"
  unit      = "x"
  measure   = "speed-up"
  of        = "hotline"
  over      = "hybrid"
  workloads = ["models"]
  rule      = "mean of rm1 to rm4, three quarters popular; of two profiles the paper has the one that is nearer to these rows"
  row "1 GPU" { value = 3.1 }
  row "2 GPUs" {
    value = 3.1
    gpus  = [2]
  }
  row "4 GPUs" {
    value = 2.2
    gpus  = [4]
  }
}

item "Figure 19" "Hotline over XDL" {
  class     = "timing"
  unit      = "x"
  measure   = "speed-up"
  of        = "hotline"
  over      = "xdl"
  workloads = ["models"]
  rule      = "mean of rm1 to rm4. Implies FAE over XDL of 2.07, 2.13 and 2.43, where FAE's own paper has 1.73, 1.56 and 1.52"
  row "1 GPU" { value = 3.1 }
  row "2 GPUs" {
    value = 3.2
    gpus  = [2]
  }
  row "4 GPUs" {
    value = 3.4
    gpus  = [4]
  }
}

item "Figure 19" "Hotline over FAE" {
  class     = "timing"
  unit      = "x"
  measure   = "speed-up"
  of        = "hotline"
  over      = "fae"
  workloads = ["models"]
  rule      = "mean of rm1 to rm4; a quarter of FAE's mini-batches are cold"
  row "1 GPU" { value = 1.5 }
  row "2 GPUs" {
    value = 1.5
    gpus  = [2]
  }
  row "4 GPUs" {
    value = 1.4
    gpus  = [4]
  }
}

item "Figures 19, 22, 24" "order of the systems" {
  class     = "trend"
  measure   = "order"
  workloads = ["rm2"]
  rule      = "the paper's are means over its models"
  row "rm2, 1 GPU" {
    says    = "hotline and scratchpipe-ideal, fae, hybrid-intel and xdl"
    systems = ["hotline", "scratchpipe-ideal", "fae", "hybrid-intel", "xdl"]
    times   = [1, 1, 1.5, 3.1, 3.1]
  }
  row "rm2, 2 GPUs" {
    says    = "hotline, fae, hybrid-intel and xdl"
    systems = ["hotline", "fae", "hybrid-intel", "xdl"]
    times   = [1, 1.5, 3.1, 3.2]
    gpus    = [2]
  }
  row "rm2, 4 GPUs" {
    says    = "hotline, hugectr, scratchpipe-ideal, fae, hybrid-intel, xdl"
    systems = ["hotline", "hugectr", "scratchpipe-ideal", "fae", "hybrid-intel", "xdl"]
    times   = [1, 1.13, 1.2, 1.4, 2.2, 3.4]
    gpus    = [4]
  }
}

item "Figure 21" "epochs per hour over Intel-optimised DLRM" {
  class     = "selection"
  unit      = "x"
  measure   = "speed-up"
  of        = "hotline"
  over      = "hybrid"
  workloads = ["models"]
  rule      = "the same comparison as Figure 19's 2.2 on 4 GPUs"
  row "mean" {
    value = 2.6
    gpus  = [4]
  }
}

item "Figure 22" "Hotline over HugeCTR" {
  class   = "timing"
  unit    = "x"
  measure = "speed-up"
  of      = "hotline"
  over    = "hugectr"
  gpus    = [4]
  rule    = "the same software for both: HugeCTR's own is faster than eager PyTorch"
  row "rm2, 4 GPUs" {
    value     = 1.13
    workloads = ["rm2"]
  }
  row "rm3, 4 GPUs" {
    value     = 1.13
    workloads = ["rm3"]
  }
}

item "Figure 22" "memory that HugeCTR needs for Terabyte" {
  class = "arithmetic"
  rule  = "63.4 GiB of tables on GPUs of 16 GiB, without slots for keys"
  row "1 GPU" { says = "OOM" }
  row "2 GPUs" { says = "OOM" }
  row "4 GPUs" { says = "fits" }
}

item "Figure 23" "Hotline over segregation on the CPU" {
  class     = "timing"
  unit      = "x"
  measure   = "speed-up"
  of        = "hotline"
  over      = "cpu-hotline"
  reduce    = "most"
  gpus      = [1, 2, 4]
  workloads = ["models"]
  rule      = "the largest of the models; agrees with Figure 7's 2.5, to which segregation is calibrated, only if nothing overlaps"
  row "most" {
    value = 3.5
    says  = "up to 3.5"
  }
}

item "Figure 24" "Hotline over an ideal ScratchPipe" {
  class     = "timing"
  unit      = "x"
  measure   = "speed-up"
  of        = "hotline"
  over      = "scratchpipe-ideal"
  workloads = ["models"]
  rule      = "only the baseline waits for its loader; about 1 is within a tenth"
  row "1 GPU" {
    value  = 1
    says   = "about 1"
    within = 0.1
  }
  row "4 GPUs" {
    value = 1.2
    gpus  = [4]
  }
}

item "Figure 25" "time over a run with an instant gather" {
  class   = "timing"
  unit    = "x"
  within  = 0.01
  measure = "speed-up"
  of      = "hotline with a gather of no time"
  over    = "hotline"
  gpus    = [4]
  rule    = "rm3; hidden is within a hundredth"
  row "popular:non-popular 9:1" {
    value     = 1
    workloads = ["rm3, 90 % popular"]
  }
  row "popular:non-popular 7:3" {
    value     = 1
    workloads = ["rm3, 70 % popular"]
  }
  row "popular:non-popular 5:5" {
    value     = 1
    workloads = ["rm3, 50 % popular"]
  }
  row "popular:non-popular 3:7" {
    value     = 1
    workloads = ["rm3, 30 % popular"]
  }
}

item "Figure 26" "Hotline over Intel-optimised DLRM by mini-batch" {
  class     = "trend"
  unit      = "x"
  measure   = "speed-up"
  of        = "hotline"
  over      = "hybrid"
  reduce    = "least step"
  gpus      = [4]
  batches   = [256, 512, 1024, 2048, 4096]
  workloads = ["models"]
  rule      = "also Figure 21; mean of rm1 to rm4; the least factor from a mini-batch to one twice as large, up to 16K samples"
  row "1,024 to 16,384 samples" {
    says = "grows"
    low  = 1
  }
}

item "Figure 27" "hits of an EAL of 2 MB over 4 MB" {
  class   = "functional"
  unit    = "%"
  long    = true
  measure = "EAL hits"
  rule    = "tables and EAL 16 times smaller, with as large a share of the rows as in the paper; enough is 98 % of the hits of twice as much"
  row "Criteo" {
    says      = "enough"
    low       = 98
    high      = 100
    workloads = ["rm2"]
  }
  row "Avazu" {
    says      = "enough"
    low       = 98
    high      = 100
    workloads = ["rm4"]
  }
}

item "Figure 27" "hits gained from 4 to 8 MB of EAL, over hits gained from 2 to 4" {
  class     = "functional"
  unit      = "x"
  long      = true
  measure   = "EAL hits"
  part      = "doubling"
  workloads = ["rm1"]
  rule      = "tables and EAL 16 times smaller"
  row "Taobao" {
    says = "diminishing above 4 MB"
    low  = 0
    high = 1
  }
}

item "Figure 28" "Hotline over Intel DLRM, 4 GPUs" {
  class   = "timing"
  unit    = "x"
  measure = "speed-up"
  of      = "hotline"
  over    = "hybrid"
  gpus    = [4]
  rule    = "the paper has the fall from 64 lookup engines, which take some 20 us longer"
  row "SYN-M1, 102 features" {
    value     = 2.5
    workloads = ["syn-m1"]
  }
  row "SYN-M2, 204 features" {
    value     = 2.2
    workloads = ["syn-m2"]
  }
}

item "Table IV" "clock" {
  class   = "functional"
  unit    = "MHz"
  measure = "synthesis"
  part    = "clock"
  rule    = "the slowest block of docs/evidence/synthesis.md, Nangate's typical cells of 45 nm, without wires; the paper does not say for which corner its clock is"
  row "45 nm" { value = 350 }
}

item "Figure 29" "area" {
  class   = "functional"
  unit    = "mm2"
  measure = "synthesis"
  rule    = "the sum of the blocks of docs/evidence/synthesis.md, without wires and with SRAM in place of eDRAM"
  row "all, of which the EAL is most" { value = 7.01 }
}

item "Figure 29" "performance per watt" {
  class   = "timing"
  unit    = "x"
  not_run = "nothing here models the power of a GPU"
  row "Hotline" { value = 3.9 }
}

item "Figure 30" "Hotline over HugeCTR on 4 servers" {
  class     = "timing"
  unit      = "x"
  measure   = "speed-up"
  of        = "hotline"
  over      = "hugectr"
  gpus      = [4]
  nodes     = 4
  workloads = ["syn-m1"]
  rule      = "mini-batches of 16k samples, of 4k and 8k on 1 and 2 servers; all cold rows are in one memory, and one accelerator serves all servers"
  row "SYN-M1" { value = 1.89 }
}

item "Figure 30" "embeddings" {
  class = "calibration"
  unit  = "GiB"
  rule  = "rows of 64 values, as many as are chosen to make it; more than the 192 GB of a server that the paper states"
  row "SYN-M1" { value = 196 }
  row "SYN-M2" { value = 390 }
}

item "Figure 30" "memory that HugeCTR needs for SYN-M2 on 16 V100" {
  class = "arithmetic"
  row "16 GPUs of 16 GiB" { says = "OOM" }
}

item "Section III" "roofline" {
  class   = "timing"
  unit    = "x"
  not_run = "the paper does not say what the roofline has; its 3.1 of Figure 19 is above it"
  row "theoretical" { value = 3 }
  row "practical" { value = 2.2 }
}

item "Section VII" "profiling, share of the time" {
  class     = "timing"
  unit      = "%"
  long      = true
  measure   = "share"
  of        = "hotline, run"
  phases    = ["learning", "hot-row copies"]
  workloads = ["rm2, 40 mini-batches"]
  rule      = "a short training of rm2 on one GPU: two learnings in 40 mini-batches, where nothing hides them"
  row "Hotline" {
    says = "at most 5"
    low  = 0
    high = 5
  }
  row "offline profilers" {
    value  = 15
    of     = "fae, run"
    phases = ["profiling"]
    rule   = "FAE's static phase in one epoch of 40 mini-batches of rm2 on one GPU"
  }
}
