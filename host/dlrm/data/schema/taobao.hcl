# UserBehavior.csv of Taobao, for models with time steps.
format  = "csv"
columns = ["user", "item", "category", "behaviour", "time"]

check {
  columns = ["behaviour"]
  values  = ["pv", "buy", "cart", "fav"]
}

history {
  user     = "user"
  item     = "item"
  category = "category"
  time     = "time"
}
