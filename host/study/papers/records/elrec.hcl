title   = "EL-Rec (SC 2022)"
profile = "fae-2022"
loader  = "hidden"

cause "slices of tensor-train tables stay in a cache of the GPU" {
  software = "slices"
  to       = "cache"
}

workload "rm2" {
  model   = "rm2"
  clicks  = "kaggle"
  batch   = 4096
  batches = 8
}
workload "rm3" {
  like   = "rm2"
  model  = "rm3"
  clicks = "terabyte"
}
workload "rm4" {
  like   = "rm2"
  model  = "rm4"
  clicks = "avazu"
}

# A table of 40M rows of 128 values, which are read alike often: the paper does not say which.
workload "40M rows" {
  dim     = 128
  bottom  = [1, 128]
  top     = [1]
  rows    = 40000000
  clicks  = "uniform"
  batch   = 4096
  batches = 8
}

# Tables of Figures 14, 17 and 18, with the popularity of one of Kaggle's large tables.
workload "2.5M rows" {
  dim     = 64
  bottom  = [13, 512, 256, 64]
  top     = [512, 512, 256, 1]
  rows    = 2500000
  clicks  = "kaggle"
  batch   = 8192
  batches = 8
}
workload "5M rows" {
  like = "2.5M rows"
  rows = 5000000
}
workload "10M rows" {
  like = "2.5M rows"
  rows = 10000000
}
workload "2.5M rows, hardly an MLP" {
  like   = "2.5M rows"
  bottom = [13, 64]
  top    = [1]
}
workload "5M rows, hardly an MLP" {
  like = "2.5M rows, hardly an MLP"
  rows = 5000000
}
workload "10M rows, hardly an MLP" {
  like = "2.5M rows, hardly an MLP"
  rows = 10000000
}

# Rows of the tables, from the released program.
workload "Avazu" {
  dim   = 16
  sizes = [8, 4680, 7567, 27, 8380, 550, 36, 2512738, 6385037, 8165, 6, 5, 2621, 9, 10, 434, 5, 69, 173, 61]
}
workload "Terabyte" {
  dim = 64
  sizes = [49999999, 38372, 17051, 7425, 20266, 4, 7040, 1522, 64, 49999999, 2953986, 397019, 11, 2209, 11797, 128, 4, 977, 15,
  49999999, 38415840, 49999999, 578540, 12787, 109, 37]
}
workload "Kaggle" {
  dim = 16
  sizes = [1461, 581, 9214729, 2031648, 306, 24, 12471, 634, 4, 90948, 5633, 7607629, 3183, 28, 14825, 4995567, 11, 5606, 2172, 4,
  6431684, 18, 16, 272266, 105, 138045]
}

group "models" {
  workloads = ["rm2", "rm3", "rm4"]
}
group "tables" {
  workloads = ["2.5M rows", "5M rows", "10M rows"]
}
group "tables, hardly an MLP" {
  workloads = ["2.5M rows, hardly an MLP", "5M rows, hardly an MLP", "10M rows, hardly an MLP"]
}

item "Table II" "dense features" {
  class = "set-up"
  rule  = "the released program has 2 for Avazu"
  row "Avazu" { value = 1 }
  row "Terabyte" { value = 13 }
  row "Kaggle" { value = 13 }
}

item "Table II" "tables" {
  class = "set-up"
  row "Avazu" { value = 20 }
  row "Terabyte" { value = 26 }
  row "Kaggle" { value = 26 }
}

item "Table II" "rows" {
  class = "set-up"
  unit  = "M"
  rule  = "the released program reads three days of Terabyte, 130.6M rows"
  row "Avazu" { value = 8.9 }
  row "Terabyte" { value = 242.5 }
  row "Kaggle" { value = 30.8 }
}

item "Table II" "values of a row" {
  class = "set-up"
  row "Avazu, Kaggle" { value = 16 }
  row "Terabyte" { value = 64 }
}

item "Table II" "embeddings" {
  class = "arithmetic"
  unit  = "GB"
  rule  = "rows of 4 bytes a value; the paper's GB is 1,000 MiB"
  row "Avazu" { value = 0.55 }
  row "Terabyte" { value = 59.2 }
  row "Kaggle" { value = 1.9 }
}

item "Table III" "embeddings in tensor-train form" {
  class   = "exact"
  unit    = "MiB"
  within  = 0.05
  measure = "tensor train"
  rule    = "rank 128, tables of more than a million rows, factors 4, 4, 4 of 64 values, and 2, 4, 2 of 16, which is one of two orders in the released program"
  row "Avazu" {
    value     = 87.6
    workloads = ["Avazu"]
  }
  row "Terabyte" {
    value     = 797.9
    workloads = ["Terabyte"]
  }
  row "Kaggle" {
    value     = 258.2
    workloads = ["Kaggle"]
  }
}

item "Table III" "plain over tensor-train form" {
  class   = "exact"
  unit    = "x"
  within  = 0.005
  measure = "tensor train"
  part    = "ratio"
  row "Avazu" {
    value     = 6.22
    workloads = ["Avazu"]
  }
  row "Terabyte" {
    value     = 74.19
    workloads = ["Terabyte"]
  }
  row "Kaggle" {
    value     = 7.29
    workloads = ["Kaggle"]
  }
}

item "Section VI" "rm3 on a GPU of 16 GiB" {
  class     = "exact"
  unit      = "GiB"
  measure   = "GPU memory"
  workloads = ["rm3"]
  rule      = "mini-batches of 4,096 samples"
  row "all tables plain" {
    says = "out of memory"
    low  = 16
    part = "plain"
  }
  row "in tensor-train form" {
    says = "fits"
    low  = 0
    high = 16
  }
}

item "Figure 4b" "distinct rows, share of the lookups" {
  class   = "functional"
  unit    = "%"
  measure = "distinct rows"
  of      = "elrec"
  rule    = "far fewer is at most half"
  row "rm2, 4096 samples" {
    says      = "far fewer"
    low       = 0
    high      = 50
    workloads = ["rm2"]
  }
  row "rm3, 4096 samples" {
    says      = "far fewer"
    low       = 0
    high      = 50
    workloads = ["rm3"]
  }
  row "rm4, 4096 samples" {
    says      = "far fewer"
    low       = 0
    high      = 50
    workloads = ["rm4"]
  }
}

item "Figure 11" "EL-Rec over other systems" {
  class     = "timing"
  unit      = "x"
  measure   = "speed-up"
  of        = "elrec"
  workloads = ["models"]
  rule      = "one GPU, mini-batches of 4K samples, means of rm2, rm3 and rm4"
  row "DLRM" {
    value = 3
    over  = "hybrid"
  }
  row "FAE" {
    value = 1.5
    over  = "fae"
  }
  row "TT-Rec" {
    value = 1.4
    over  = "tt-rec"
  }
}

item "Figure 12" "EL-Rec over DLRM with tables on the GPUs" {
  class   = "selection"
  unit    = "x"
  long    = true
  measure = "speed-up"
  of      = "elrec, rank 64, own processes"
  over    = "dlrm-gpus"
  rule    = "means of rm2, rm3 and rm4; rank 64 and a process for each GPU, a reading of the released program that was chosen after the rows had failed"
  row "4 GPUs" {
    value     = 1.4
    gpus      = [4]
    workloads = ["models"]
  }
  row "1 GPU" {
    says      = "slightly slower"
    low       = 0.75
    high      = 1
    rule      = "rm2 and rm4, whose tables fit on a GPU"
    workloads = ["rm2", "rm4"]
  }
}

item "Figure 13" "a table of 40M rows of 128 values" {
  class = "arithmetic"
  unit  = "GiB"
  row "plain" { value = 19 }
}

item "Figure 13" "mini-batches per second of EL-Rec, times GPUs" {
  class     = "selection"
  unit      = "1/s"
  measure   = "time"
  of        = "elrec, rank 64, own processes"
  workloads = ["40M rows"]
  rule      = "rank 64, 4,096 samples a GPU and a process for each, a reading of the released program that was chosen after the rows had failed"
  row "1 GPU" { value = 489.76 }
  row "2 GPUs" {
    value = 938.86
    gpus  = [2]
  }
  row "4 GPUs" {
    value = 1779.44
    gpus  = [4]
  }
}

item "Figure 13" "mini-batches per second of other systems, times GPUs" {
  class     = "selection"
  unit      = "1/s"
  measure   = "time"
  of        = "hugectr"
  workloads = ["40M rows"]
  rule      = "4,096 samples in all, as in the released program"
  row "HugeCTR, 2 GPUs" {
    value   = 896.64
    gpus    = [2]
    batches = [2048]
  }
  row "HugeCTR, 4 GPUs" {
    value   = 1658.92
    gpus    = [4]
    batches = [1024]
  }
  row "TorchRec, 2 GPUs" {
    value   = 706.32
    not_run = "no constant tells TorchRec's software from HugeCTR's"
  }
  row "TorchRec, 4 GPUs" {
    value   = 1316.80
    not_run = "no constant tells TorchRec's software from HugeCTR's"
  }
}

item "Figure 13" "memory of HugeCTR and TorchRec on 1 GPU of 16 GiB" {
  class = "arithmetic"
  row "1 GPU" { says = "OOM" }
}

item "Figure 13" "EL-Rec over other systems, from the paper's rates" {
  class = "arithmetic"
  unit  = "x"
  rule  = "at 4 GPUs; at 2 the paper's rates make 1.33 and 1.05"
  row "over TorchRec" { value = 1.35 }
  row "over HugeCTR" { value = 1.07 }
}

item "Figure 14" "rate lost without" {
  class     = "timing"
  unit      = "%"
  measure   = "loss"
  of        = "elrec"
  workloads = ["tables"]
  rule      = "tables of 2.5M, 5M and 10M rows of 64 values, rank 128, mini-batches of 8192; the paper does not say the popularity"
  row "aggregated gradients" {
    value = 52
    over  = "elrec without aggregated gradients"
  }
  row "reordering" {
    value = 13
    over  = "elrec without reordering"
  }
  row "reuse" {
    value = 10
    over  = "elrec without reuse"
  }
}

item "Table IV" "accuracy of EL-Rec below DLRM" {
  class   = "functional"
  unit    = "points"
  rule    = "5 epochs of Kaggle and Avazu, 100K mini-batches of Terabyte"
  not_run = "a level of accuracy needs the whole real log"
  row "all data sets" { says = "less than 0.1" }
}

item "Figure 16" "EL-Rec over other systems, plain tables in host memory" {
  class     = "timing"
  unit      = "x"
  measure   = "speed-up"
  of        = "elrec, queues of 2"
  workloads = ["models"]
  rule      = "the largest table in tensor-train form, queues of 2; means of rm2, rm3 and rm4"
  row "DLRM" {
    value = 2.44
    over  = "hybrid"
  }
  row "without a pipeline" {
    value = 1.30
    over  = "elrec, queues of 1"
  }
}

item "Figure 17" "products of two slices, share of the distinct rows" {
  class   = "functional"
  unit    = "%"
  measure = "shared products"
  of      = "elrec without reordering"
  row "rm2, 4096 samples" {
    says      = "fewer than rows"
    low       = 0
    high      = 99
    workloads = ["rm2"]
  }
  row "rm3, 4096 samples" {
    says      = "fewer than rows"
    low       = 0
    high      = 99
    workloads = ["rm3"]
  }
  row "rm4, 4096 samples" {
    says      = "fewer than rows"
    low       = 0
    high      = 99
    workloads = ["rm4"]
  }
}

item "Figure 17" "products of two slices, reordered over table order" {
  class   = "functional"
  unit    = "%"
  measure = "reordered products"
  of      = "elrec"
  over    = "elrec without reordering"
  rule    = "the graph that numbers rows has 33,554 of the samples that are trained on at most"
  row "rm2, 4096 samples" {
    says      = "fewer still"
    low       = 0
    high      = 99
    workloads = ["rm2"]
  }
  row "rm3, 4096 samples" {
    says      = "fewer still"
    low       = 0
    high      = 99
    workloads = ["rm3"]
  }
  row "rm4, 4096 samples" {
    says      = "fewer still"
    low       = 0
    high      = 99
    workloads = ["rm4"]
  }
}

item "Figure 17" "time of lookups over EL-Rec" {
  class     = "timing"
  unit      = "x"
  measure   = "speed-up"
  of        = "elrec"
  phases    = ["GPU"]
  batches   = [1024, 2048, 4096]
  workloads = ["5M rows, hardly an MLP"]
  rule      = "mean of three mini-batch sizes, on a table of 5M rows; the operators of a model with hardly an MLP are part of it"
  row "without reuse and reordering" {
    value = 1.83
    over  = "elrec without reuse and reordering"
  }
  row "without reuse" {
    value = 1.75
    over  = "elrec without reuse"
  }
  row "without reordering" {
    value = 1.05
    over  = "elrec without reordering"
  }
}

item "Figure 18" "time of the backward pass over EL-Rec" {
  class     = "timing"
  unit      = "x"
  measure   = "speed-up"
  of        = "elrec"
  phases    = ["TT backward"]
  workloads = ["tables, hardly an MLP"]
  rule      = "mean of the tables of Figure 14"
  row "of TT-Rec" {
    value = 1.70
    says  = "1.70 (1.47 to 2.10)"
    over  = "tt-rec"
  }
  row "without aggregated gradients" {
    value = 1.40
    over  = "elrec without aggregated gradients"
  }
  row "without a fused update" {
    value   = 1.15
    not_run = "there is no order of operators with aggregated gradients and an update of its own"
  }
  row "without reordering" {
    value   = 1.06
    not_run = "by hits in caches, of which there are none in the model of a kernel"
  }
  row "hits in L1" {
    value   = 1.27
    not_run = "by hits in caches, of which there are none in the model of a kernel"
  }
  row "hits in L2" {
    value   = 1.32
    not_run = "by hits in caches, of which there are none in the model of a kernel"
  }
}

item "Introduction" "lookups of TT-Rec over plain ones" {
  class   = "timing"
  unit    = "x"
  not_run = "the paper does not say of which tables and mini-batches"
  row "time" { value = 2.3 }
}

item "Introduction" "mini-batches of FAE that are not hot" {
  class = "arithmetic"
  unit  = "%"
  rule  = "the mean share that FAE's own Table 7 implies is 25.1"
  row "mean" { value = 25 }
}
