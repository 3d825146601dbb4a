# Software that someone would write today who doubts a speed-up: a process per
# GPU, operators launched as graphs, all tables together in one operator on GPUs
# and CPU, one pinned copy, hidden loading, only the hot rows that changed
# exchanged.

title        = "A sceptic's software: graphs, fused pinned copies, all tables together, hidden loader"
processes    = "per-gpu"
launch       = "graph"
loader       = "hidden"
tables       = "together"
cpu          = "fused"
copies       = "pinned"
hot_exchange = "sparse"
replicate    = false
pipelined    = false
