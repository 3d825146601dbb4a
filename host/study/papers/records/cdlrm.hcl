title   = "cDLRM (RecSys 2021)"
profile = "fae-2022"

workload "rm3" {
  model = "rm3"
  batch = 1024
}

# The paper's single-GPU training, on fewer mini-batches and with smaller caches: Figure 3 has two
# epochs and up to 50,000 sets of 16 ways.
workload "50 sets, window of 1" {
  model   = "rm2"
  dim     = 64
  bottom  = [13, 512, 256, 64]
  top     = [512, 512, 256, 1]
  clicks  = "kaggle"
  batch   = 2048
  batches = 16
  sets    = 50
  window  = 1
}
workload "50 sets, window of 4" {
  like   = "50 sets, window of 1"
  window = 4
}
workload "50 sets, window of 8" {
  like   = "50 sets, window of 1"
  window = 8
}
workload "5000 sets, window of 1" {
  like = "50 sets, window of 1"
  sets = 5000
}
workload "5000 sets, window of 4" {
  like   = "5000 sets, window of 1"
  window = 4
}
workload "5000 sets, window of 8" {
  like   = "5000 sets, window of 1"
  window = 8
}
workload "5000 sets, 512 samples a GPU" {
  like    = "5000 sets, window of 4"
  batch   = 512
  batches = 8
}
workload "50 sets, windows of 10" {
  like    = "50 sets, window of 1"
  batch   = 512
  batches = 40
  window  = 10
}
workload "5000 sets, windows of 10" {
  like = "50 sets, windows of 10"
  sets = 5000
}

item "Figure 1b" "GPUs only over naive CPU + GPU training" {
  class = "timing"
  unit  = "x"
  rule  = "the paper does not say of which model: rm3, 1,024 samples a GPU; a model-parallel system for GPUs only"
  row "2 GPUs" {
    value     = 3
    measure   = "speed-up"
    of        = "hugectr"
    over      = "hybrid"
    gpus      = [2]
    workloads = ["rm3"]
  }
  row "CPU only" {
    value   = 3
    not_run = "there is no constant with a source for MLPs on a CPU"
  }
}

item "Table 1a" "samples" {
  class = "arithmetic"
  row "Kaggle, training" {
    value = 39291958
    rule  = "six of the seven days of the log"
  }
  row "Kaggle, test" {
    value = 3274330
    rule  = "the later half of the seventh day"
  }
}

item "Table 1a" "samples of Terabyte" {
  class   = "exact"
  not_run = "follows from the labels of the real log, of which most samples without a click are dropped"
  row "training" { value = 645753353 }
  row "test" { value = 13760492 }
}

item "Table 1a" "features" {
  class = "set-up"
  row "dense" { value = 13 }
  row "sparse" { value = 26 }
}

item "Table 1b" "accuracy" {
  class   = "functional"
  unit    = "%"
  rule    = "within .01 from run to run, and within 0.02 of DLRM's"
  not_run = "a level of accuracy needs the whole real log"
  row "cDLRM, Kaggle" { value = 78.967 }
  row "DLRM, Kaggle" { value = 78.971 }
  row "cDLRM, Terabyte" { value = 81.07 }
  row "DLRM, Terabyte" { value = 81.06 }
}

item "Single GPU" "set-up" {
  class = "set-up"
  row "mini-batch" { value = 2048 }
  row "epochs" { value = 2 }
  row "MLPs" { says = "13-512-256-64, 512-512-256-1, rows of 64 values, 16 ways" }
}

item "Figure 3" "rows cached by window" {
  class   = "trend"
  unit    = "x"
  measure = "rows cached"
  of      = "cdlrm"
  rule    = "the least factor from one window to the next, of windows of 1, 4 and 8 mini-batches; the axis goes up to 50,000 sets"
  row "50 sets" {
    says      = "falls"
    low       = 1
    workloads = ["50 sets, window of 1", "50 sets, window of 4", "50 sets, window of 8"]
  }
  row "5000 sets" {
    says      = "falls"
    low       = 1
    workloads = ["5000 sets, window of 1", "5000 sets, window of 4", "5000 sets, window of 8"]
  }
}

item "Figure 3" "time by window" {
  class   = "trend"
  unit    = "x"
  measure = "time"
  of      = "cdlrm"
  reduce  = "least step"
  without = ["waiting for look-ahead"]
  rule    = "the least factor from one window to the next, of windows of 1, 4 and 8 mini-batches; without waiting for the look-ahead"
  row "large caches" {
    says      = "falls"
    low       = 1
    falls     = true
    workloads = ["5000 sets, window of 1", "5000 sets, window of 4", "5000 sets, window of 8"]
  }
  row "small caches" {
    says      = "rises"
    low       = 1
    workloads = ["50 sets, window of 1", "50 sets, window of 4", "50 sets, window of 8"]
  }
}

item "Figure 4a" "set-up" {
  class = "set-up"
  row "sets" { value = 150000 }
  row "ways" { value = 16 }
  row "windows, mini-batches of up to 8192" { value = 3000 }
  row "windows, mini-batches of 16384" { value = 1500 }
  row "windows, mini-batches of 32768" { value = 500 }
  row "bottom MLP, rows of 128 values" { says = "13-512-256-128" }
}

item "Figure 4b" "caching and the broadcast of caches, share of the time" {
  class     = "timing"
  unit      = "%"
  measure   = "share"
  of        = "cdlrm"
  phases    = ["caching", "cache broadcast"]
  without   = ["waiting for look-ahead"]
  rule      = "mini-batches of 4,096 samples in place of 32,768 (32K), and smaller windows, caches and rows"
  row "8 GPUs" {
    says      = "more than 25"
    low       = 25
    high      = 100
    gpus      = [8]
    workloads = ["5000 sets, 512 samples a GPU"]
  }
}

item "Figure 4c" "accuracy lost where caches are averaged more rarely" {
  class   = "functional"
  not_run = "a level of accuracy needs the whole real log"
  row "larger lambda" { says = "better borne by small mini-batches" }
}

item "Section 5" "old rows that the authors' program reads" {
  class   = "functional"
  unit    = "%"
  measure = "old rows"
  of      = "cdlrm-paper"
  rule    = "rare is at most 5 % of the rows; mini-batches of 512 samples, windows of 10"
  row "50 sets" {
    says      = "rare"
    low       = 0
    high      = 5
    workloads = ["50 sets, windows of 10"]
  }
  row "5000 sets" {
    says      = "rare"
    low       = 0
    high      = 5
    workloads = ["5000 sets, windows of 10"]
  }
}

item "Section 5" "updates of victims that the authors' program loses" {
  class   = "functional"
  within  = 0
  measure = "lost updates"
  of      = "cdlrm-paper"
  rule    = "the paper sends victims back; the released program never does"
  row "50 sets" {
    value     = 0
    workloads = ["50 sets, windows of 10"]
  }
  row "5000 sets" {
    value     = 0
    workloads = ["5000 sets, windows of 10"]
  }
}
