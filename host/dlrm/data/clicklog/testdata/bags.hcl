# Invented samples with bags of 0 to 5 tags, of which 3 are read.
format = "jsonl"

label "clicked" {}

dense {
  columns   = ["price", "age"]
  transform = "log"
  missing   = 0.5
}

categorical {
  columns = ["user"]
}

categorical {
  columns = ["tags"]
  most    = 3
  rows    = 7
}

categorical {
  columns    = ["device"]
  vocabulary = ["phone", "tablet"]
}
