title   = "cDLRM (RecSys 2021)"
profile = "fae-2022"

item "Figure 1b" "naive CPU + GPU training over GPUs only" {
  class = "timing"
  unit  = "x"
  rests = "the paper does not say of which model: rm3, 1,024 inputs a GPU"
  row "2 GPUs" {
    value = 3
    by    = "cDLRM Figure 1b, times"
  }
  row "CPU only" {
    value   = 3
    not_run = "there is no constant with a source for MLPs on a CPU"
  }
}

item "Figure 1b" "order of the systems" {
  class = "trend"
  by    = "cDLRM Figure 1b"
  row "rm3, 2 GPUs" { says = "hugectr, hybrid" }
}

item "Table 1a" "inputs" {
  class = "exact"
  row "Kaggle, training" {
    value  = 39291958
    within = 0
    by     = "cdlrm sizes"
    rests  = "six of the seven days of the log"
  }
  row "Kaggle, test" {
    value  = 3274330
    within = 0
    by     = "cdlrm sizes"
    rests  = "the later half of the seventh day"
  }
  row "Terabyte, training" {
    value   = 645753353
    not_run = "follows from the labels of the real log, of which most inputs without a click are dropped"
  }
  row "Terabyte, test" {
    value   = 13760492
    not_run = "follows from the labels of the real log, of which most inputs without a click are dropped"
  }
}

item "Table 1a" "features" {
  class  = "exact"
  by     = "cdlrm sizes"
  within = 0
  row "dense" { value = 13 }
  row "sparse" { value = 26 }
}

item "Table 1b" "accuracy" {
  class   = "trend"
  unit    = "%"
  not_run = "a level of accuracy needs the whole real log"
  row "cDLRM, Kaggle" { value = 78.967 }
  row "DLRM, Kaggle" { value = 78.971 }
  row "cDLRM, Terabyte" { value = 81.07 }
  row "DLRM, Terabyte" { value = 81.06 }
}

item "Table 1b" "accuracy of cDLRM off that of DLRM" {
  class = "trend"
  unit  = "points"
  by    = "cdlrm parity"
  rests = "a short training on generated clicks; the paper has 0.02 on the whole log and 0.01 from run to run"
  row "Kaggle" {
    value  = 0
    within = 0.02
  }
}

item "Single GPU" "set-up" {
  class = "exact"
  by    = "cdlrm sizes"
  row "mini-batch" { value = 2048 }
  row "epochs" {
    value   = 2
    not_run = "Figure 3 is run with fewer mini-batches"
  }
  row "MLPs" { says = "13-512-256-64, 512-512-256-1, rows of 64 values, 16 ways" }
}

item "Figure 3" "rows cached, falls with the window" {
  class = "functional"
  unit  = "%"
  by    = "cdlrm hits"
  rests = "the axis goes up to 50,000 sets; here 50 and 5,000"
  row "50 sets, windows of 4" { says = "less than of 1" }
  row "50 sets, windows of 8" { says = "less than of 4" }
  row "5000 sets, windows of 4" { says = "less than of 1" }
  row "5000 sets, windows of 8" { says = "less than of 4" }
}

item "Figure 3" "time by window" {
  class = "trend"
  by    = "cDLRM Figure 3, trends"
  unit  = "x"
  rests = "without waiting for the look-ahead; the least step from a window to the next one, in times"
  row "large caches" {
    says = "falls"
    low  = 1
  }
  row "small caches" {
    says    = "rises"
    low     = 1
    missing = "victims take about as much more as caching takes less"
  }
}

item "Figure 4a" "set-up" {
  class   = "exact"
  not_run = "is a set-up: caches of 150,000 sets and 16 ways do not fit in the memory that this program asks for"
  row "sets" { value = 150000 }
  row "ways" { value = 16 }
  row "windows, mini-batches of up to 8192" { value = 3000 }
  row "windows, mini-batches of 16384" { value = 1500 }
  row "windows, mini-batches of 32768" { value = 500 }
  row "bottom MLP, rows of 128 values" { says = "13-512-256-128" }
}

item "Figure 4b" "caching and the broadcast of caches, share of the time" {
  class = "timing"
  unit  = "%"
  by    = "cDLRM Figure 4b"
  rests = "mini-batches of 4,096 inputs instead of 32,768 (32K), and smaller windows, caches and rows"
  row "8 GPUs" {
    says = "more than 25"
    low  = 25
    high = 100
  }
}

item "Figure 4c" "accuracy lost where caches are averaged more rarely" {
  class = "trend"
  unit  = "points"
  by    = "cdlrm lambda"
  rests = "a short training on generated clicks, 4 GPUs: accuracy with lambda 1 less that with lambda 8, mini-batches of 1,024 inputs less those of 128; learning rates in proportion to 0.8 with 8,192 inputs, those of the authors' program"
  row "larger lambda is better borne by small mini-batches" {
    says = "more with large ones"
    low  = 0
  }
}

item "Section 5" "old rows that the authors' program reads" {
  class = "functional"
  unit  = "%"
  by    = "cdlrm staleness"
  rests = "mini-batches of 512 inputs, windows of 10"
  row "50 sets" {
    says = "rare"
    low  = 0
    high = 5
  }
  row "5000 sets" {
    says = "rare"
    low  = 0
    high = 5
  }
}

item "Section 5" "updates of victims that the authors' program loses" {
  class  = "functional"
  by     = "cdlrm staleness"
  within = 0
  rests  = "the paper sends victims back; the released program never does"
  row "50 sets" { value = 0 }
  row "5000 sets" { value = 0 }
}
