# train.csv of the Avazu challenge.
format = "csv"
header = true
columns = [
  "id", "click", "hour", "C1", "banner_pos", "site_id", "site_domain", "site_category", "app_id", "app_domain", "app_category",
  "device_id", "device_ip", "device_model", "device_type", "device_conn_type", "C14", "C15", "C16", "C17", "C18", "C19", "C20", "C21",
]

check {
  columns = ["id"]
  kind    = "number"
}

label "click" {}

dense {
  columns  = ["hour"]
  kind     = "hour"
  required = true
}

# The order of the blocks is the order of the tables. -1, which marks a missing C20, has a row.
categorical {
  columns  = ["C1", "banner_pos"]
  kind     = "signed"
  required = true
}

categorical {
  columns = [
    "site_id", "site_domain", "site_category", "app_id", "app_domain", "app_category", "device_id", "device_ip", "device_model",
  ]
  kind     = "hexadecimal"
  required = true
}

categorical {
  columns  = ["device_type", "device_conn_type", "C14", "C15", "C16", "C17", "C18", "C19", "C20", "C21"]
  kind     = "signed"
  required = true
}
