; dma_wr: the vector buffer goes to host memory or to a GPU, and is empty then.

.const ROW, 64

row:  .float 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
host: .zero ROW
.gpu 1
far:  .zero ROW

    s_wr   row_log2, 6
    dma_wr host, ROW        ; refused: the vector buffer is empty
.expect status, no_vector
    dma_rd row, ROW
    v_add  load
    dma_wr host, ROW
    dma_rd row, ROW
    v_mul  -1
    dma_wr far, ROW         ; the address alone decides where it goes
.expect status, ok

.show host, 4
.show far, 4
.expect float, host, 1, 2, 3, 4
.expect float, far, -1, -2, -3, -4
