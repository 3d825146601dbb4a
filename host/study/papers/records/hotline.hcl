title   = "Hotline (ISCA 2024)"
profile = "hotline-2024-a"

item "Figure 3" "embedding, optimiser and communication, share of the hybrid system's time" {
  class = "timing"
  unit  = "%"
  by    = "Hotline Figures 3 to 5"
  rests = "rm3, 1,024 inputs a GPU; without the loader, which the figure does not have"
  row "Terabyte, 4 GPUs" {
    value = 75
    says  = "up to 75"
  }
}

item "Figure 4" "all-to-all, share of a GPU-only system's time" {
  class = "timing"
  unit  = "%"
  by    = "Hotline Figures 3 to 5"
  rests = "rm2, one server, without the loader; the paper does not say of which model"
  row "4 GPUs" { value = 12 }
}

item "Figure 5" "communication, share of a GPU-only system's time" {
  class = "timing"
  unit  = "%"
  by    = "Hotline Figures 3 to 5"
  rests = "syn-m1 on 4 servers of 4 GPUs with a 100 Gb/s InfiniBand card, NVLink of 2400 Gb/s inside, without the loader"
  row "several servers" {
    says = "more than 50"
    low  = 50
    high = 100
  }
}

item "Figure 6" "accesses of the most popular row over those of the median one" {
  class = "functional"
  unit  = "x"
  by    = "hotline skew"
  rests = "of the rows of a large table that generated clicks read"
  row "Kaggle" {
    says = "more than 100"
    low  = 100
  }
}

item "Figure 6" "inputs that 512 MB of rows serve" {
  class = "functional"
  unit  = "%"
  by    = "hotline skew"
  rests = "by the generator's formula; of Kaggle, Terabyte and Avazu clicks are generated to such figures, of FAE and of this one; popular rows are those of 1e-5 of the accesses or more"
  role  = "calibration"
  row "Kaggle" {
    says = "more than 75"
    low  = 75
    high = 100
  }
  row "Avazu" {
    says = "more than 75"
    low  = 75
    high = 100
  }
}

item "Figure 7" "segregation on the CPU over training on the GPUs" {
  class   = "timing"
  unit    = "x"
  role    = "calibration"
  not_run = "segregate_us is fitted to it"
  row "mini-batches of 1K, 2K and 4K inputs on 1, 2 and 4 GPUs" {
    value = 2.5
    says  = "up to 2.5"
  }
}

item "Figure 7" "GPUs idle while the CPU segregates" {
  class = "exact"
  unit  = "%"
  by    = "hotline arithmetic"
  rests = "nothing overlaps: 2.5 of 3.5"
  row "4 GPUs" {
    says = "more than 50"
    low  = 50
    high = 100
  }
}

item "Figure 8" "cores beyond which segregation gains nothing" {
  class   = "timing"
  not_run = "segregate_us is of all cores of the server: nothing here has a number of cores"
  row "4K inputs of Terabyte" { value = 24 }
}

item "Figure 9" "accesses that rows of the first day serve, last day less first" {
  class = "functional"
  unit  = "points"
  by    = "hotline drift"
  rests = "of all tables, where the paper has table 20 of Terabyte; a choice of the generator, a hundredth of the ranks a day"
  role  = "calibration"
  row "Terabyte, hot set drifts" {
    says = "falls"
    high = 0
    low  = -100
  }
}

item "Section IV" "hot rows found in 5 % of the mini-batches" {
  class = "functional"
  unit  = "%"
  by    = "hotline sampled"
  rests = "hot are rows with 1e-5 of the accesses or more, of clicks like Kaggle's"
  row "Kaggle" {
    says = "more than 90"
    low  = 90
    high = 100
  }
}

item "Figure 15" "rows read most that the EAL holds" {
  class = "functional"
  unit  = "%"
  by    = "hotline tracked"
  rests = "65,536 blocks of 8 ways, 100,000 inputs like Kaggle's; the paper does not say how many rows it asks for, and has 70 and more than 99 elsewhere"
  row "a quarter of the blocks" {
    value  = 90
    within = 5
  }
}

item "Section IV" "rows read most that the EAL holds" {
  class = "functional"
  unit  = "%"
  by    = "hotline tracked"
  rests = "65,536 blocks of 8 ways, 100,000 inputs like Kaggle's; the paper does not say how many rows it asks for"
  row "half of the blocks" {
    value  = 70
    within = 5
  }
  row "a tenth of the blocks" {
    says = "more than 99"
    low  = 99
    high = 100
  }
}

item "Figure 16" "lookups a cycle" {
  class  = "exact"
  by     = "hotline arithmetic"
  within = 0.5
  rests  = "100,000 cycles with random banks; a queue that is always full; banks of 16, 32 and 128 are only a picture"
  row "queue of 512, 64 banks" { value = 60 }
}

item "Section IV" "EAL hits of multi-hot inputs, below one-hot ones" {
  class = "functional"
  unit  = "points"
  by    = "hotline multi-hot"
  rests = "Kaggle's tables with 5 lookups in place of one, the same popularity of rows, as many lookups; an EAL of 65,536 blocks"
  row "at most" {
    says = "at most 5"
    high = 5
    low  = -100
  }
}

item "Table II" "dense parameters" {
  class  = "exact"
  unit   = "k"
  within = 0.1
  by     = "hotline sizes"
  rests  = "without the first layer of the top MLP, of rm1 twice all parameters: that makes the paper's figures"
  row "rm1" { value = 7.3 }
  row "rm2" { value = 287.5 }
  row "rm3" { value = 549.1 }
  row "rm4" { value = 281.4 }
}

item "Table II" "rows" {
  class  = "exact"
  unit   = "M"
  within = 0.1
  by     = "hotline sizes"
  row "rm1" { value = 5.1 }
  row "rm2" { value = 33.8 }
  row "rm3" {
    value = 266
    role  = "calibration"
    rests = "the tables of Terabyte are not published: they are chosen to make it"
  }
  row "rm4" { value = 9.3 }
}

item "Table II" "embeddings" {
  class     = "exact"
  unit      = "GiB"
  tolerance = 0.03
  by        = "hotline sizes"
  rests     = "the paper's GB is GiB"
  row "rm1" { value = 0.3 }
  row "rm2" { value = 2 }
  row "rm3" { value = 63 }
  row "rm4" { value = 0.55 }
}

item "Section VII" "memories of the accelerator" {
  class  = "exact"
  unit   = "MiB"
  within = 0
  by     = "hotline arithmetic"
  row "eDRAM for 16K inputs" {
    value = 2.5
    rests = "ids, dense features and label of 4 bytes each"
  }
  row "hot rows of 64 values in 2M blocks" { value = 512 }
  row "EAL of 2M blocks" {
    value = 4
    rests = "16 bits: valid, two of age and 13 of the row"
  }
}

item "Table V" "accuracy, identical for Hotline" {
  class   = "trend"
  unit    = "%"
  not_run = "a level of accuracy needs the whole real log"
  row "Kaggle" { value = 78.64 }
  row "Taobao" { value = 89.11 }
  row "Terabyte" { value = 81.20 }
  row "Avazu" { value = 83.61 }
}

item "Table V" "AUC, identical for Hotline" {
  class   = "trend"
  not_run = "a level of accuracy needs the whole real log; Taobao's is printed in percent, the others as fractions"
  row "Kaggle" { value = 0.798 }
  row "Taobao" { value = 92.61 }
  row "Terabyte" { value = 0.792 }
  row "Avazu" { value = 0.766 }
}

item "Table V" "log-loss, identical for Hotline" {
  class   = "trend"
  not_run = "a level of accuracy needs the whole real log"
  row "Kaggle" { value = 0.456 }
  row "Taobao" { value = 0.270 }
  row "Terabyte" { value = 0.421 }
  row "Avazu" { value = 0.387 }
}

item "Table V" "parameters of Hotline that differ from the baseline's" {
  class  = "functional"
  within = 0
  by     = "hotline identity"
  rests  = "a short training with small models on generated clicks, compared bit by bit"
  row "Kaggle" { value = 0 }
  row "Taobao" { value = 0 }
  row "Terabyte" { value = 0 }
  row "Avazu" { value = 0 }
}

item "Figure 19" "Hotline over Intel-optimised DLRM" {
  class = "timing"
  unit  = "x"
  by    = "Hotline Figure 19"
  rests = "mean of rm1 to rm4, 1,024 inputs a GPU, three quarters popular; only the baseline waits for its loader"
  row "1 GPU" { value = 3.1 }
  row "2 GPUs" { value = 3.1 }
  row "4 GPUs" { value = 2.2 }
}

item "Figure 19" "Hotline over XDL" {
  class = "timing"
  unit  = "x"
  by    = "Hotline Figure 19, others"
  rests = "implies FAE over XDL of 2.07, 2.13 and 2.43, where FAE's own paper has 1.73, 1.56 and 1.52"
  row "1 GPU" { value = 3.1 }
  row "2 GPUs" { value = 3.2 }
  row "4 GPUs" { value = 3.4 }
}

item "Figure 19" "Hotline over FAE" {
  class = "timing"
  unit  = "x"
  by    = "Hotline Figure 19, others"
  rests = "a quarter of FAE's mini-batches are cold"
  row "1 GPU" { value = 1.5 }
  row "2 GPUs" { value = 1.5 }
  row "4 GPUs" { value = 1.4 }
}

item "Figures 19, 22, 24" "order of the systems" {
  class = "trend"
  row "rm2, 1 GPU" {
    says = "hotline and scratchpipe-ideal, fae, hybrid-intel and xdl"
    by   = "Hotline Figures 19, 22, 24, 1 GPU"
  }
  row "rm2, 2 GPUs" {
    says = "hotline, fae, hybrid-intel, xdl"
    by   = "Hotline Figures 19, 22, 24, 2 GPUs"
  }
  row "rm2, 4 GPUs" {
    says = "hotline, hugectr, scratchpipe-ideal, fae, hybrid-intel, xdl"
    by   = "Hotline Figures 19, 22, 24, 4 GPUs"
  }
}

item "Figure 21" "epochs an hour over those of Intel-optimised DLRM" {
  class = "timing"
  unit  = "x"
  by    = "Hotline Figures 21 and 26"
  rests = "2.6 and Figure 19's 2.2 are one comparison; mini-batches of 4,096 inputs on 4 GPUs"
  row "mean" { value = 2.6 }
}

item "Figure 21" "speed-up by mini-batch" {
  class = "trend"
  unit  = "x"
  by    = "hotline trends"
  rests = "the least step from a mini-batch to one twice as large, 1,024 to 16,384 inputs on 4 GPUs"
  row "rm1 to rm4, vs Intel DLRM" {
    says = "grows with batch"
    low  = 1
  }
}

item "Figure 22" "Hotline over HugeCTR" {
  class = "timing"
  unit  = "x"
  by    = "Hotline Figure 22"
  rests = "the same software for both: HugeCTR's own is faster than eager PyTorch"
  row "rm2, 4 GPUs" { value = 1.13 }
  row "rm3, 4 GPUs" { value = 1.13 }
}

item "Figure 22" "memory that HugeCTR needs for Terabyte" {
  class = "exact"
  unit  = "GiB"
  by    = "hotline sizes"
  rests = "tables of rm3, without slots for keys"
  row "1 GPU" {
    says = "OOM"
    low  = 16
  }
  row "2 GPUs" {
    says = "OOM"
    low  = 32
  }
  row "4 GPUs" {
    says = "fits"
    low  = 0
    high = 64
  }
}

item "Figure 23" "Hotline over segregation on the CPU" {
  class = "timing"
  unit  = "x"
  by    = "Hotline Figure 23"
  rests = "agrees with Figure 7's 2.5 only if nothing overlaps; the largest of the models"
  row "most" {
    value = 3.5
    says  = "up to 3.5"
  }
}

item "Figure 24" "Hotline over an ideal ScratchPipe" {
  class = "timing"
  unit  = "x"
  by    = "Hotline Figure 24"
  rests = "only the baseline waits for its loader"
  row "1 GPU" {
    value = 1
    says  = "about 1"
  }
  row "4 GPUs" { value = 1.2 }
}

item "Figure 25" "time over that with a gather of no time" {
  class = "timing"
  unit  = "x"
  by    = "Hotline Figure 25"
  rests = "rm3 on 4 GPUs; hidden is within a hundredth"
  row "popular:non-popular 9:1" {
    value     = 1
    tolerance = 0.01
  }
  row "popular:non-popular 7:3" {
    value     = 1
    tolerance = 0.01
  }
  row "popular:non-popular 5:5" {
    value     = 1
    tolerance = 0.01
  }
  row "popular:non-popular 3:7" {
    value     = 1
    tolerance = 0.01
  }
}

item "Figure 26" "gains by mini-batch" {
  class = "trend"
  unit  = "x"
  by    = "hotline trends"
  rests = "as Figure 21"
  row "up to 16K inputs" {
    says = "grow with batch"
    low  = 1
  }
}

item "Figure 27" "hits of an EAL over those of one twice as large" {
  class = "functional"
  unit  = "%"
  by    = "hotline EAL sizes"
  rests = "tables and EAL 16 times smaller, with as large a share of the rows as in the paper; enough is 98 % of the hits of twice as much"
  row "2 MB, Criteo" {
    says = "enough"
    low  = 98
    high = 100
  }
  row "2 MB, Avazu" {
    says = "enough"
    low  = 98
    high = 100
  }
}

item "Figure 27" "hits that doubling an EAL gains, over those of doubling it before" {
  class = "functional"
  unit  = "x"
  by    = "hotline EAL sizes"
  rests = "tables and EAL 16 times smaller"
  row "from 4 MB, Taobao" {
    says = "diminishing above 4 MB"
    low  = 0
    high = 1
  }
}

item "Figure 28" "Hotline over Intel DLRM, 4 GPUs" {
  class = "timing"
  unit  = "x"
  by    = "Hotline Figure 28"
  rests = "1,024 inputs a GPU; the paper has the fall from 64 lookup engines, which take some 20 us longer"
  row "SYN-M1, 102 features" { value = 2.5 }
  row "SYN-M2, 204 features" { value = 2.2 }
}

item "Table IV" "clock" {
  class = "timing"
  unit  = "MHz"
  by    = "hotline area"
  rests = "the slowest of the blocks that docs/evidence/synthesis.md has, Nangate's typical cells of 45 nm, without wires; a path between blocks has 457 MHz there; the paper does not say for which corner its clock is"
  row "45 nm" {
    says = "350"
    low  = 350
  }
}

item "Figure 29" "performance a watt" {
  class   = "timing"
  unit    = "x"
  not_run = "nothing here models the power of a GPU"
  row "Hotline" { value = 3.9 }
}

item "Figure 29" "area" {
  class = "timing"
  unit  = "mm2"
  by    = "hotline area"
  rests = "the sum of the blocks that docs/evidence/synthesis.md has, without wires and with SRAM in place of eDRAM; what is between the blocks is not among them"
  row "all, of which the EAL is most" { value = 7.01 }
}

item "Figure 30" "Hotline over HugeCTR on 4 servers" {
  class = "timing"
  unit  = "x"
  by    = "Hotline Figure 30"
  rests = "mini-batches of 16k inputs, of 4k and 8k on 1 and 2 servers; all cold rows are in one memory"
  row "SYN-M1" { value = 1.89 }
}

item "Figure 30" "embeddings" {
  class  = "exact"
  unit   = "GiB"
  by     = "hotline sizes"
  within = 1
  role   = "calibration"
  rests  = "rows of 64 values, as many as are chosen to make it; more than the 192 GB of a server that the paper states"
  row "SYN-M1" { value = 196 }
  row "SYN-M2" { value = 390 }
}

item "Figure 30" "memory that HugeCTR needs for SYN-M2 on 16 V100" {
  class = "exact"
  unit  = "GiB"
  by    = "hotline sizes"
  row "16 GPUs of 16 GiB" {
    says = "OOM"
    low  = 256
  }
}

item "Section III" "roofline" {
  class   = "timing"
  unit    = "x"
  not_run = "the paper does not say what the roofline has; its 3.1 of Figure 19 is above it"
  row "theoretical" { value = 3 }
  row "practical" { value = 2.2 }
}

item "Section VII" "profiling, share of the time" {
  class = "timing"
  unit  = "%"
  row "Hotline" {
    says  = "at most 5"
    low   = 0
    high  = 5
    by    = "Hotline learning"
    rests = "a short training of rm2 on one GPU: two learnings in 40 mini-batches, where nothing hides them"
  }
  row "offline profilers" {
    value   = 15
    not_run = "FAE's own paper has 25 s a threshold and at most 110 s; nothing here takes the time of profiling"
  }
}
