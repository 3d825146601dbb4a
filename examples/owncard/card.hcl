# A copy engine with a checksum, as a PCIe card.
title     = "copy engine"
clock_mhz = 250
vendor    = "1234" # of no manufacturer
device    = "c0de"
class     = "ff0000" # fits no defined class
revision  = "01"
bar_kib   = 64
