; gpu_rd: hot rows lie in every GPU at their block number; cold ones in host memory.

.const ROW, 64

.gpu 0
hot: .float 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0      ; block 0
     .float 1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0      ; block 1
     .float 10, 20, 30, 40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0  ; block 2
out: .zero ROW
.host
cold: .float 100, 200, 300, 400, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0

    s_wr   row_log2, 6
    s_wr   hot[0], hot
    gpu_rd 0, 1
    gpu_rd 0, 2
    dma_rd cold, ROW
    v_add  load
    v_add
    v_add
    dma_wr out, ROW
.expect status, ok
    gpu_rd 200, 0           ; refused: there is no such GPU
.expect status, range

.show out, 4
.expect float, out, 111, 222, 333, 444
