title   = "FAE (VLDB 2022)"
profile = "fae-2022"

item "Figure 1" "hot rows, share of the memory" {
  class  = "exact"
  unit   = "%"
  by     = "fae arithmetic"
  within = 0.05
  rests  = "the paper's own 400 MB of 61 GB"
  row "Terabyte" { value = 0.7 }
}

item "Figure 1" "inputs that hot rows serve" {
  class  = "functional"
  unit   = "%"
  within = 2
  rests  = "clicks are generated to it on the whole log; here the first inputs are counted"
  row "Terabyte" {
    value = 81.6
    by    = "fae hot Terabyte"
  }
}

item "Figure 1" "thresholds" {
  class   = "functional"
  unit    = "%"
  not_run = "thresholds belong to the real logs, whose counts of accesses are not published"
  row "Kaggle" { says = "1e-5" }
  row "Taobao" { says = "1e-6" }
  row "Terabyte" { says = "1e-5" }
  row "Avazu" { says = "1e-5" }
}

item "Section 2" "accesses to the hottest 6.8 % of the rows" {
  class = "functional"
  role  = "calibration"
  unit  = "%"
  by    = "fae generated"
  rests = "clicks are generated to it"
  row "Kaggle" {
    says = "at least 76"
    low  = 76
    high = 100
  }
}

item "Section 2" "inputs that hot rows serve" {
  class = "functional"
  unit  = "%"
  rests = "clicks are generated to it on the whole log; here the first inputs are counted"
  row "Kaggle" {
    says = "75 to 92"
    low  = 75
    high = 92
    by   = "fae hot Kaggle"
  }
}

item "Figure 3" "mini-batches with popular inputs only, off p^B" {
  class  = "exact"
  unit   = "points"
  by     = "fae all popular"
  rests  = "inputs are popular independently, with p = 0.99"
  within = 0.3
  row "B = 16" { value = 0 }
  row "B = 256" { value = 0 }
  row "B = 1,024" { value = 0 }
}

item "Figure 8" "latency of sampling over that of all inputs" {
  class = "trend"
  unit  = "x"
  by    = "fae arithmetic"
  rests = "inputs that are read, not seconds: 5 % are sampled"
  row "all data sets" {
    says = "19 to 55"
    low  = 19
    high = 55
  }
}

item "Figure 9" "entries over entries scanned for a threshold" {
  class = "functional"
  unit  = "x"
  rests = "35 chunks of 1,024 rows of each large table: the larger the tables, the more"
  row "Taobao" {
    says = "14"
    low  = 14
    by   = "fae hot Taobao"
  }
  row "Kaggle" {
    says = "14"
    low  = 14
    by   = "fae hot Kaggle"
  }
  row "Terabyte" {
    says = "14"
    low  = 14
    by   = "fae hot Terabyte"
  }
  row "Avazu" {
    says = "14"
    low  = 14
    by   = "fae hot Avazu"
  }
}

item "Figure 9" "profiling latency" {
  class   = "trend"
  not_run = "seconds of the authors' program on their CPU; nothing here takes the time of profiling"
  row "lower by" {
    says = "14.5 to 61"
    unit = "x"
  }
  row "for a threshold" {
    says = "less than 25"
    unit = "s"
  }
}

item "Figure 10" "estimate of hot rows off the count" {
  class = "functional"
  unit  = "%"
  rests = "a confidence of 99.9 %"
  row "Taobao" {
    says = "at most 10"
    low  = 0
    high = 10
    by   = "fae hot Taobao"
  }
  row "Kaggle" {
    says = "at most 10"
    low  = 0
    high = 10
    by   = "fae hot Kaggle"
  }
  row "Terabyte" {
    says = "at most 10"
    low  = 0
    high = 10
    by   = "fae hot Terabyte"
  }
  row "Avazu" {
    says = "at most 10"
    low  = 0
    high = 10
    by   = "fae hot Avazu"
  }
}

item "Figure 11" "classifying all inputs" {
  class   = "trend"
  unit    = "s"
  not_run = "seconds of the authors' program on 16 cores with 32 threads; nothing here takes the time of preparing data"
  row "at most" { says = "at most 110" }
}

item "Table 2" "inputs" {
  class     = "exact"
  unit      = "M"
  tolerance = 0.02
  by        = "fae sizes"
  rests     = "of the generator's log, which but for Kaggle's is as long as the paper says"
  row "Taobao" {
    value = 10
    role  = "calibration"
  }
  row "Kaggle" { value = 45 }
  row "Terabyte" {
    value = 80
    role  = "calibration"
  }
  row "Avazu" {
    value = 32.3
    role  = "calibration"
  }
}

item "Table 2" "embeddings" {
  class     = "exact"
  unit      = "GiB"
  tolerance = 0.03
  by        = "fae sizes"
  rests     = "the paper's GB is GiB; Terabyte's list of tables is not published"
  row "Taobao" { value = 0.3 }
  row "Kaggle" { value = 2 }
  row "Terabyte" { value = 63 }
  row "Avazu" { value = 0.55 }
}

item "Table 4" "accuracy" {
  class   = "trend"
  unit    = "%"
  not_run = "a level of accuracy needs the whole real log"
  row "XDL, Kaggle" { value = 78.86 }
  row "FAE, Kaggle" { value = 78.86 }
  row "XDL, Taobao" { value = 89.21 }
  row "FAE, Taobao" { value = 89.03 }
  row "XDL, Terabyte" { value = 81.07 }
  row "FAE, Terabyte" { value = 81.06 }
  row "XDL, Avazu" { value = 83.61 }
  row "FAE, Avazu" { value = 83.60 }
}

item "Table 4" "AUC" {
  class   = "trend"
  not_run = "a level of accuracy needs the whole real log"
  row "XDL and FAE, Kaggle" { value = 0.802 }
  row "XDL and FAE, Terabyte" { value = 0.802 }
  row "XDL and FAE, Avazu" { value = 0.758 }
}

item "Table 4" "log-loss" {
  class   = "trend"
  not_run = "a level of accuracy needs the whole real log"
  row "XDL and FAE, Kaggle" { value = 0.452 }
  row "XDL, Taobao" { value = 0.269 }
  row "FAE, Taobao" { value = 0.271 }
  row "XDL and FAE, Terabyte" { value = 0.424 }
  row "XDL, Avazu" { value = 0.390 }
  row "FAE, Avazu" { value = 0.391 }
}

item "Table 4" "accuracy of FAE off that of XDL" {
  class  = "trend"
  unit   = "points"
  within = 0.2
  by     = "fae parity"
  rests  = "a short training on generated clicks"
  row "Kaggle" { value = 0 }
}

item "Table 4" "log-loss of FAE off that of XDL" {
  class  = "trend"
  within = 0.002
  by     = "fae parity"
  rests  = "a short training on generated clicks"
  row "Kaggle" { value = 0 }
}

item "Table 5" "minutes of a training on the CPU" {
  class   = "timing"
  unit    = "min"
  not_run = "there is no constant with a source for MLPs on a CPU"
  row "Taobao" { value = 1108.84 }
  row "Kaggle" { value = 197.56 }
  row "Terabyte" { value = 404.25 }
  row "Avazu" { value = 134.28 }
}

item "Table 5" "minutes of XDL" {
  class = "timing"
  unit  = "min"
  by    = "FAE Table 5, XDL"
  rests = "ten epochs, which the captions of Tables 6 and 7 say and this one does not; rows as in Hotline's counts; the paper's XDL computes on the CPU"
  row "Taobao, 1 GPU" { value = 813.10 }
  row "Taobao, 2 GPUs" { value = 677.00 }
  row "Taobao, 4 GPUs" { value = 621.96 }
  row "Kaggle, 1 GPU" { value = 196.97 }
  row "Kaggle, 2 GPUs" { value = 179.16 }
  row "Kaggle, 4 GPUs" { value = 160.65 }
  row "Terabyte, 1 GPU" { value = 380.88 }
  row "Terabyte, 2 GPUs" { value = 330.06 }
  row "Terabyte, 4 GPUs" { value = 309.51 }
  row "Avazu, 1 GPU" { value = 108.24 }
  row "Avazu, 2 GPUs" { value = 84.04 }
  row "Avazu, 4 GPUs" { value = 74.20 }
}

item "Table 5" "minutes of FAE" {
  class = "timing"
  unit  = "min"
  by    = "FAE Table 5"
  rests = "ten epochs, which the captions of Tables 6 and 7 say and this one does not; the share of cold inputs that Table 7 implies"
  row "Taobao, 1 GPU" { value = 436.58 }
  row "Taobao, 2 GPUs" { value = 387.79 }
  row "Taobao, 4 GPUs" { value = 428.55 }
  row "Kaggle, 1 GPU" { value = 122.71 }
  row "Kaggle, 2 GPUs" { value = 116.27 }
  row "Kaggle, 4 GPUs" { value = 104.69 }
  row "Terabyte, 1 GPU" { value = 189.73 }
  row "Terabyte, 2 GPUs" { value = 201.61 }
  row "Terabyte, 4 GPUs" { value = 156.45 }
  row "Avazu, 1 GPU" { value = 72.07 }
  row "Avazu, 2 GPUs" { value = 62.73 }
  row "Avazu, 4 GPUs" { value = 61.15 }
}

item "Table 5" "geometric mean of XDL over FAE, from the paper's minutes" {
  class  = "exact"
  unit   = "x"
  within = 0.005
  by     = "fae sizes"
  row "1 GPU" { value = 1.733 }
  row "2 GPUs" { value = 1.559 }
  row "4 GPUs" { value = 1.521 }
}

item "Table 5" "time that FAE saves over XDL, from the paper's minutes" {
  class  = "exact"
  unit   = "%"
  within = 0.5
  by     = "fae sizes"
  row "1 GPU" { value = 42 }
  row "2 GPUs" { value = 36 }
  row "4 GPUs" { value = 34 }
}

item "Table 5" "geometric mean of the CPU over FAE on 4 GPUs, from the paper's minutes" {
  class  = "exact"
  unit   = "x"
  within = 0.005
  by     = "fae sizes"
  row "4 GPUs" { value = 2.29 }
}

item "Figure 13" "FAE over XDL, mean of the data sets" {
  class = "timing"
  unit  = "x"
  by    = "FAE Figure 13"
  rests = "the paper's are the geometric means of its Table 5"
  row "1 GPU" { value = 1.733 }
  row "2 GPUs" { value = 1.559 }
  row "4 GPUs" { value = 1.521 }
}

item "Table 6" "minutes of DLRM's copies" {
  class = "timing"
  unit  = "min"
  by    = "FAE Table 6"
  rests = "ten epochs; copies both ways for each table"
  row "Taobao, 1 GPU" {
    value = 37.93
    role  = "calibration"
  }
  row "Taobao, 2 GPUs" { value = 38.27 }
  row "Taobao, 4 GPUs" { value = 25.04 }
  row "Kaggle, 1 GPU" {
    value = 22.09
    role  = "calibration"
  }
  row "Kaggle, 2 GPUs" { value = 23.12 }
  row "Kaggle, 4 GPUs" { value = 18.00 }
  row "Terabyte, 1 GPU" {
    value = 76.01
    role  = "calibration"
  }
  row "Terabyte, 2 GPUs" {
    value   = 92.98
    missing = "no smooth model gives 76.0, 93.0 and 48.4 minutes for bytes that double"
  }
  row "Terabyte, 4 GPUs" { value = 48.43 }
  row "Avazu, 1 GPU" {
    value = 13.94
    role  = "calibration"
  }
  row "Avazu, 2 GPUs" { value = 12.68 }
  row "Avazu, 4 GPUs" { value = 11.94 }
}

item "Table 6" "minutes of FAE's copies" {
  class = "timing"
  unit  = "min"
  by    = "FAE Table 6, FAE"
  rests = "ten epochs; the share of cold inputs that Table 7 implies; what swaps copy is left out"
  row "Taobao, 1 GPU" {
    value   = 3.24
    missing = "the paper's is 9 % of its DLRM column, where its own Table 7 has 31 % cold"
  }
  row "Taobao, 2 GPUs" { value = 11.11 }
  row "Taobao, 4 GPUs" { value = 6.04 }
  row "Kaggle, 1 GPU" { value = 4.99 }
  row "Kaggle, 2 GPUs" { value = 4.35 }
  row "Kaggle, 4 GPUs" { value = 4.29 }
  row "Terabyte, 1 GPU" { value = 13.27 }
  row "Terabyte, 2 GPUs" { value = 12.41 }
  row "Terabyte, 4 GPUs" {
    value   = 15.24
    missing = "the paper's is 31 % of its DLRM column, where its own Table 7 has 18.5 % cold"
  }
  row "Avazu, 1 GPU" { value = 2.97 }
  row "Avazu, 2 GPUs" { value = 3.17 }
  row "Avazu, 4 GPUs" { value = 2.79 }
}

item "Table 6" "minutes of XDL's copies" {
  class   = "timing"
  unit    = "min"
  not_run = "what a worker of XDL copies to its GPU the paper does not say; Table 7 has fewer bytes than its dense parameters"
  row "Taobao, 1 GPU" { value = 24.97 }
  row "Taobao, 2 GPUs" { value = 12.89 }
  row "Taobao, 4 GPUs" { value = 6.24 }
  row "Kaggle, 1 GPU" { value = 5.39 }
  row "Kaggle, 2 GPUs" { value = 5.61 }
  row "Kaggle, 4 GPUs" { value = 3.05 }
  row "Terabyte, 1 GPU" { value = 13.46 }
  row "Terabyte, 2 GPUs" { value = 18.94 }
  row "Terabyte, 4 GPUs" { value = 17.49 }
  row "Avazu, 1 GPU" { value = 6.23 }
  row "Avazu, 2 GPUs" { value = 3.19 }
  row "Avazu, 4 GPUs" { value = 2.36 }
}

item "Table 7" "copied by DLRM" {
  class     = "exact"
  unit      = "GiB"
  tolerance = 0.001
  by        = "fae sizes"
  rests     = "one epoch, one way, where the caption has ten epochs; the numbers of inputs are stated with three digits"
  row "Taobao" {
    value = 1.95
    role  = "calibration"
    rests = "its number of inputs, of one time step, is chosen to make it: Table 2 has 10M"
  }
  row "Kaggle" { value = 60.89 }
  row "Terabyte" { value = 375.06 }
  row "Avazu" { value = 40.45 }
}

item "Table 7" "copied by XDL" {
  class     = "trend"
  unit      = "GiB"
  tolerance = 0.5
  by        = "fae sizes"
  rests     = "dense parameters both ways in each mini-batch of 4 GPUs, and ids of 8 bytes: exact for Terabyte, perhaps by chance"
  row "Taobao" { value = 0.51 }
  row "Kaggle" { value = 23.16 }
  row "Terabyte" { value = 95.60 }
  row "Avazu" { value = 30.27 }
}

item "Table 7" "copied by FAE" {
  class     = "functional"
  unit      = "GiB"
  tolerance = 0.2
  rests     = "the cold inputs' share of DLRM's, and three swaps; the paper does not say how many"
  row "Taobao" {
    value = 0.61
    by    = "fae hot Taobao"
  }
  row "Kaggle" {
    value = 14.99
    by    = "fae hot Kaggle"
  }
  row "Terabyte" {
    value = 69.58
    by    = "fae hot Terabyte"
  }
  row "Avazu" {
    value = 10.45
    by    = "fae hot Avazu"
  }
}

item "Table 7" "copied by FAE, from the paper's Figure 1" {
  class     = "exact"
  unit      = "GiB"
  tolerance = 0.03
  by        = "fae sizes"
  rests     = "81.6 % of the inputs are hot by 400 MB of rows; three swaps"
  row "Terabyte" { value = 69.58 }
}

item "Table 8" "synthetic models, MLPs" {
  class = "exact"
  by    = "fae sizes"
  row "SYN-M1" { says = "13-64, 512-1" }
  row "SYN-M2" { says = "13-512-64, 512-256-1" }
  row "SYN-M3" { says = "13-1024-512-64, 512-1024-256-1" }
  row "SYN-M4" { says = "13-1024-512-256-64, 512-1024-512-256-1" }
}

item "Table 8" "FAE over XDL, synthetic models" {
  class = "timing"
  unit  = "x"
  by    = "FAE Figure 16"
  rests = "tables, hot rows and cold inputs of Terabyte, as rows of 64 values say; the paper states none of them"
  row "mean" { value = 2.94 }
}

item "Figure 15" "FAE over XDL by mini-batch" {
  class = "trend"
  by    = "FAE Figure 15"
  rests = "Kaggle on one GPU; the least step from one to the next"
  unit  = "x"
  row "256 to 16,384 inputs" {
    says = "grows"
    low  = 1
  }
}

item "Figure 16" "FAE over XDL, synthetic models" {
  class = "timing"
  unit  = "x"
  by    = "FAE Figure 16"
  rests = "as Table 8"
  row "mean" { value = 2.94 }
}

item "Table 9" "power" {
  class   = "trend"
  unit    = "W"
  not_run = "nothing here models the power of a GPU"
  row "XDL, Kaggle" { value = 61.83 }
  row "DLRM, Kaggle" { value = 58.91 }
  row "FAE, Kaggle" { value = 55.81 }
  row "XDL, Taobao" { value = 56.39 }
  row "DLRM, Taobao" { value = 60.21 }
  row "FAE, Taobao" { value = 56.62 }
  row "XDL, Terabyte" { value = 59.71 }
  row "DLRM, Terabyte" { value = 62.47 }
  row "FAE, Terabyte" { value = 57.03 }
  row "XDL, Avazu" { value = 60.2 }
  row "DLRM, Avazu" { value = 58.03 }
  row "FAE, Avazu" { value = 56.4 }
}

item "Table 9" "power that FAE saves, from the paper's watts" {
  class  = "exact"
  unit   = "%"
  by     = "fae sizes"
  within = 0.05
  rests  = "the largest saving of one data set over XDL"
  row "most" { value = 9.7 }
}

item "Abstract" "FAE over DLRM" {
  class = "timing"
  unit  = "x"
  row "4 GPUs" {
    value = 1.80
    by    = "FAE Figure 13"
  }
  row "over DLRM on the CPU" {
    value   = 4.76
    not_run = "there is no constant with a source for MLPs on a CPU"
  }
}

item "Abstract" "FAE over XDL" {
  class = "timing"
  unit  = "x"
  row "over XDL on CPU and 4 GPUs" {
    value = 1.52
    by    = "FAE Figure 13"
  }
  row "over XDL on the CPU" {
    value   = 2.3
    not_run = "there is no constant with a source for MLPs on a CPU"
  }
}

item "Abstract" "data copied, XDL over FAE, from the paper's Table 7" {
  class  = "exact"
  unit   = "x"
  by     = "fae sizes"
  within = 0.01
  rests  = "of Kaggle: no mean of the four data sets makes it"
  row "less" { value = 1.54 }
}

item "Figures 13, 14" "order of the systems" {
  class = "trend"
  row "Kaggle, 1 GPU" {
    says = "fae, xdl"
    by   = "FAE Figures 13, 14, 1 GPU"
  }
  row "Kaggle, 4 GPUs" {
    says = "fae, xdl, hybrid"
    by   = "FAE Figures 13, 14, 4 GPUs"
  }
}
