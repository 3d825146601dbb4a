# An embedding trace, such as those of Meta's dlrm_datasets: an array for each table, with the lengths of its bags.
format     = "npz"
unlabelled = true

categorical {
  kind = "decimal"
  most = 8
}
