# Faults for a driver in a virtual machine: every fault that needs no bus reset, at every place that a
# guest has. The faults are apart, because the training repeats a mini-batch four times at most.
fault "timeout" {
  place    = "command"
  nth      = 90
  required = true
}
fault "late" {
  place    = "command"
  nth      = 96
  required = true
}
fault "ur" {
  place    = "command"
  nth      = 102
  required = true
}
fault "ca" {
  place    = "command"
  nth      = 108
  required = true
}
fault "poison" {
  place    = "command"
  nth      = 114
  required = true
}
fault "ecrc" {
  place    = "command"
  nth      = 120
  required = true
}
fault "malformed" {
  place    = "command"
  nth      = 126
  required = true
}
fault "unexpected" {
  place    = "command"
  nth      = 132
  required = true
}
fault "byte_count" {
  place    = "command"
  nth      = 138
  required = true
}
fault "flr" {
  place    = "command"
  nth      = 144
  required = true
}
fault "corrupt" {
  place    = "command"
  nth      = 150
  required = true
}
fault "timeout" {
  place    = "dma_rd"
  nth      = 5000
  required = true
}
fault "late" {
  place    = "dma_rd"
  nth      = 9000
  required = true
}
fault "ur" {
  place    = "dma_rd"
  nth      = 13000
  required = true
}
fault "ca" {
  place    = "dma_rd"
  nth      = 17000
  required = true
}
fault "poison" {
  place    = "dma_rd"
  nth      = 21000
  required = true
}
fault "ecrc" {
  place    = "dma_rd"
  nth      = 25000
  required = true
}
fault "malformed" {
  place    = "dma_rd"
  nth      = 29000
  required = true
}
fault "unexpected" {
  place    = "dma_rd"
  nth      = 33000
  required = true
}
fault "byte_count" {
  place    = "dma_rd"
  nth      = 37000
  required = true
}
fault "flr" {
  place    = "dma_rd"
  nth      = 41000
  required = true
}
fault "drop" {
  place    = "dma_wr"
  nth      = 4000
  required = true
}
fault "duplicate" {
  place    = "dma_wr"
  nth      = 9000
  required = true
}
fault "poison" {
  place    = "dma_wr"
  nth      = 14000
  required = true
}
fault "ecrc" {
  place    = "dma_wr"
  nth      = 19000
  required = true
}
fault "malformed" {
  place    = "dma_wr"
  nth      = 24000
  required = true
}
fault "flr" {
  place    = "dma_wr"
  nth      = 29000
  required = true
}
fault "drop" {
  place    = "completion"
  nth      = 93
  required = true
}
fault "duplicate" {
  place    = "completion"
  nth      = 101
  required = true
}
fault "poison" {
  place    = "completion"
  nth      = 109
  required = true
}
fault "ecrc" {
  place    = "completion"
  nth      = 117
  required = true
}
fault "malformed" {
  place    = "completion"
  nth      = 125
  required = true
}
fault "flr" {
  place    = "completion"
  nth      = 133
  required = true
}
fault "corrupt" {
  place    = "completion"
  nth      = 141
  required = true
}
fault "drop" {
  place    = "interrupt"
  nth      = 95
  required = true
}
fault "duplicate" {
  place    = "interrupt"
  nth      = 115
  required = true
}
fault "drop" {
  place    = "doorbell"
  nth      = 100
  required = true
}
fault "duplicate" {
  place    = "doorbell"
  nth      = 130
  required = true
}
fault "lost_tlp" {
  place    = "wire_down"
  nth      = 9000
  required = true
}
fault "repeated_tlp" {
  place    = "wire_down"
  nth      = 16000
  required = true
}
fault "lost_ack" {
  place    = "wire_down"
  nth      = 500
  required = true
}
fault "replay_timeout" {
  place    = "wire_down"
  nth      = 1500
  required = true
}
fault "replay_rollover" {
  place    = "wire_down"
  nth      = 37000
  required = true
}
fault "bit_error" {
  place    = "wire_down"
  nth      = 44000
  required = true
}
fault "lost_tlp" {
  place    = "wire_up"
  nth      = 12000
  required = true
}
fault "repeated_tlp" {
  place    = "wire_up"
  nth      = 19000
  required = true
}
fault "lost_ack" {
  place    = "wire_up"
  nth      = 500
  required = true
}
fault "replay_timeout" {
  place    = "wire_up"
  nth      = 1500
  required = true
}
fault "replay_rollover" {
  place    = "wire_up"
  nth      = 40000
  required = true
}
fault "bit_error" {
  place    = "wire_up"
  nth      = 47000
  required = true
}
