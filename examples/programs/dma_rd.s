; dma_rd: a row of host memory is read ahead, until an operation takes it.

.const ROW, 64

row: .float 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
.align 64
out: .zero ROW

    s_wr   row_log2, 6
    dma_rd row, ROW         ; requested: the row is ahead
    dma_rd row+4, ROW       ; any multiple of 4 will do
    v_add  load             ; takes the first row
    v_add  load             ; takes the second
    v_add  load             ; refused: no row is ahead
.expect status, no_row
    dma_wr out, ROW
.expect status, ok
    dma_rd row, 32          ; refused: not the bytes of a row
.expect status, range

.show out, 16
.expect float, out, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 0
