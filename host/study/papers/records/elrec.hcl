title   = "EL-Rec (SC 2022)"
profile = "fae-2022, loader hidden"

item "Table II" "dense features" {
  class  = "exact"
  within = 0
  by     = "elrec tables"
  rests  = "the released program has 2 for Avazu"
  row "Avazu" { value = 1 }
  row "Terabyte" { value = 13 }
  row "Kaggle" { value = 13 }
}

item "Table II" "tables" {
  class  = "exact"
  within = 0
  by     = "elrec tables"
  row "Avazu" { value = 20 }
  row "Terabyte" { value = 26 }
  row "Kaggle" { value = 26 }
}

item "Table II" "rows" {
  class  = "exact"
  unit   = "M"
  within = 0.05
  by     = "elrec tables"
  rests  = "the released program reads three days of Terabyte, 130.6M rows"
  row "Avazu" { value = 8.9 }
  row "Terabyte" { value = 242.5 }
  row "Kaggle" { value = 30.8 }
}

item "Table II" "values of a row" {
  class = "exact"
  by    = "elrec tables"
  row "Avazu, Kaggle" { value = 16 }
  row "Terabyte" { value = 64 }
}

item "Table II" "embeddings" {
  class     = "exact"
  unit      = "GB"
  tolerance = 0.02
  by        = "elrec tables"
  rests     = "the paper's GB is 1,000 MiB"
  row "Avazu" { value = 0.55 }
  row "Terabyte" { value = 59.2 }
  row "Kaggle" { value = 1.9 }
}

item "Table III" "embeddings in tensor-train form" {
  class  = "exact"
  unit   = "MiB"
  within = 0.05
  by     = "elrec tables"
  rests  = "rank 128, tables of more than a million rows, factors 4, 4, 4 of 64 values, and 2, 4, 2 of 16, which is one of two orders in the released program"
  row "Avazu" { value = 87.6 }
  row "Terabyte" { value = 797.9 }
  row "Kaggle" { value = 258.2 }
}

item "Table III" "plain over tensor-train form" {
  class  = "exact"
  unit   = "x"
  within = 0.005
  by     = "elrec tables"
  row "Avazu" { value = 6.22 }
  row "Terabyte" { value = 74.19 }
  row "Kaggle" { value = 7.29 }
}

item "Section VI" "rm3 on a GPU of 16 GiB" {
  class = "exact"
  unit  = "GiB"
  by    = "elrec memory"
  rests = "mini-batches of 4,096 inputs"
  row "all tables plain" {
    says = "out of memory"
    low  = 16
  }
  row "in tensor-train form" {
    says = "fits"
    low  = 0
    high = 16
  }
}

item "Figure 4b" "distinct rows, share of the lookups" {
  class = "functional"
  unit  = "%"
  row "rm2, 4096 inputs" {
    says = "far fewer"
    low  = 0
    high = 99
    by   = "elrec products rm2"
  }
  row "rm3, 4096 inputs" {
    says = "far fewer"
    low  = 0
    high = 99
    by   = "elrec products rm3"
  }
  row "rm4, 4096 inputs" {
    says = "far fewer"
    low  = 0
    high = 99
    by   = "elrec products rm4"
  }
}

item "Figure 11" "EL-Rec over other systems" {
  class = "timing"
  unit  = "x"
  by    = "EL-Rec Figure 11"
  rests = "one GPU, mini-batches of 4K inputs, means of rm2, rm3 and rm4"
  row "DLRM" { value = 3 }
  row "FAE" { value = 1.5 }
  row "TT-Rec" { value = 1.4 }
}

item "Figure 11" "order of the systems" {
  class = "trend"
  by    = "EL-Rec Figure 11, order"
  row "Kaggle, 1 GPU" {
    says = "elrec, tt-rec, fae, hybrid"
  }
}

item "Figure 12" "EL-Rec over DLRM with tables on the GPUs" {
  class = "timing"
  unit  = "x"
  rests = "means of rm2, rm3 and rm4; rank 64 and a process for each GPU, as the released program has them, DLRM one for all"
  row "4 GPUs" {
    value = 1.4
    by    = "EL-Rec Figure 12"
  }
  row "1 GPU" {
    says  = "slightly slower"
    by    = "EL-Rec Figure 12, 1 GPU"
    low   = 0.75
    high  = 1
    rests = "rm2 and rm4, whose tables fit on a GPU; slightly is at most a quarter"
  }
}

item "Figure 12" "order of the systems" {
  class = "trend"
  by    = "EL-Rec Figure 12, order"
  row "Kaggle, 4 GPUs" {
    says = "elrec, dlrm-gpus"
  }
}

item "Figure 13" "a table of 40M rows of 128 values" {
  class = "exact"
  unit  = "GiB"
  by    = "elrec tables"
  row "plain" {
    says = "19"
    low  = 19
    high = 19.1
  }
}

item "Figure 13" "mini-batches a second, times GPUs" {
  class = "timing"
  unit  = "1/s"
  rests = "rank 64 and 4,096 inputs a GPU, but of HugeCTR in all, as the released programs have them; rows are read alike often"
  row "EL-Rec, 1 GPU" {
    value = 489.76
    by    = "EL-Rec Figure 13"
  }
  row "EL-Rec, 2 GPUs" {
    value = 938.86
    by    = "EL-Rec Figure 13"
  }
  row "EL-Rec, 4 GPUs" {
    value = 1779.44
    by    = "EL-Rec Figure 13"
  }
  row "HugeCTR, 2 GPUs" {
    value = 896.64
    by    = "EL-Rec Figure 13, HugeCTR"
  }
  row "HugeCTR, 4 GPUs" {
    value = 1658.92
    by    = "EL-Rec Figure 13, HugeCTR"
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
  class = "exact"
  unit  = "GiB"
  by    = "elrec tables"
  row "1 GPU" {
    says = "OOM"
    low  = 16
  }
}

item "Figure 13" "EL-Rec over other systems, from the paper's rates" {
  class  = "exact"
  unit   = "x"
  within = 0.005
  by     = "elrec tables"
  rests  = "at 4 GPUs; at 2 the paper's rates make 1.33 and 1.05"
  row "over TorchRec" { value = 1.35 }
  row "over HugeCTR" { value = 1.07 }
}

item "Figure 13" "order of the systems" {
  class = "trend"
  by    = "EL-Rec Figure 13, order"
  row "4 GPUs" {
    says = "elrec, hugectr"
  }
}

item "Figure 14" "rate lost without" {
  class = "timing"
  unit  = "%"
  by    = "EL-Rec Figure 14"
  rests = "tables of 2.5M, 5M and 10M rows of 64 values, rank 128, mini-batches of 8192; clicks with the popularity of Kaggle's large tables, which the paper does not say"
  row "aggregated gradients" { value = 52 }
  row "reordering" { value = 13 }
  row "reuse" { value = 10 }
}

item "Table IV" "accuracy of EL-Rec below that of DLRM" {
  class = "trend"
  unit  = "points"
  by    = "elrec parity"
  rests = "a short training on generated clicks, in place of 5 epochs of Kaggle and Avazu and 100K mini-batches of Terabyte; the paper has less than 0.1"
  row "Kaggle" {
    says = "less than 0.1"
    high = 0.1
    low  = -100
  }
}

item "Figure 16" "EL-Rec over other systems, plain tables in host memory" {
  class = "timing"
  unit  = "x"
  by    = "EL-Rec Figure 16"
  rests = "the largest table in tensor-train form, queues of 2; means of rm2, rm3 and rm4"
  row "DLRM" { value = 2.44 }
  row "without a pipeline" { value = 1.30 }
}

item "Figure 16" "order of the systems" {
  class = "trend"
  by    = "EL-Rec Figure 16, order"
  row "Kaggle, 1 GPU" { says = "queues of 2, queues of 1, hybrid" }
}

item "Figure 17" "products of two slices, share of the lookups" {
  class = "functional"
  unit  = "%"
  rests = "fewer than distinct rows"
  row "rm2, 4096 inputs" {
    says = "fewer than rows"
    by   = "elrec products rm2"
  }
  row "rm3, 4096 inputs" {
    says = "fewer than rows"
    by   = "elrec products rm3"
  }
  row "rm4, 4096 inputs" {
    says = "fewer than rows"
    by   = "elrec products rm4"
  }
}

item "Figure 17" "products of two slices, reordered" {
  class = "functional"
  unit  = "%"
  rests = "the graph that numbers rows anew has 33,554 inputs of those that are trained on at most"
  row "rm2, 1024 inputs" {
    says = "fewer still"
    by   = "elrec products rm2"
  }
  row "rm2, 4096 inputs" {
    says = "fewer still"
    by   = "elrec products rm2"
  }
  row "rm3, 1024 inputs" {
    says = "fewer still"
    by   = "elrec products rm3"
  }
  row "rm3, 4096 inputs" {
    says = "fewer still"
    by   = "elrec products rm3"
  }
  row "rm4, 1024 inputs" {
    says = "fewer still"
    by   = "elrec products rm4"
  }
  row "rm4, 4096 inputs" {
    says = "fewer still"
    by   = "elrec products rm4"
  }
}

item "Figure 17" "lookups, time over that of EL-Rec" {
  class = "timing"
  unit  = "x"
  by    = "EL-Rec Figure 17"
  rests = "mini-batches of 1024, 2048 and 4096 inputs, mean; a table of 5M rows as in Figure 14; a model with hardly an MLP, whose operators are part of it"
  row "without reuse and reordering" { value = 1.83 }
  row "without reuse" { value = 1.75 }
  row "without reordering" { value = 1.05 }
}

item "Figure 18" "backward, time over that of EL-Rec" {
  class = "timing"
  unit  = "x"
  rests = "mean of the tables of Figure 14"
  row "of TT-Rec" {
    value = 1.70
    says  = "1.70 (1.47 to 2.10)"
    by    = "EL-Rec Figure 18"
  }
  row "without aggregated gradients" {
    value = 1.40
    by    = "EL-Rec Figure 18"
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
  class     = "functional"
  unit      = "%"
  by        = "elrec tables"
  tolerance = 0.25
  rests     = "the mean share that FAE's own Table 7 implies"
  row "mean" { value = 25 }
}
