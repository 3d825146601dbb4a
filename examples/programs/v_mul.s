; v_mul: a row times a scalar, and a row plus a multiple of another one.

.const ROW, 64

x:   .float 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
y:   .float 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100
out: .zero ROW

    s_wr   row_log2, 6
    dma_rd x, ROW
    dma_rd y, ROW
    v_mul  -0.5             ; buffer := -0.5 x
    v_add                   ; buffer := y - 0.5 x, as a step of training does
    dma_wr out, ROW
.expect status, ok

.show out, 16
.expect float, out, 99.5, 99, 98.5, 98, 97.5, 97, 96.5, 96, 95.5, 95, 94.5, 94, 93.5, 93, 92.5, 92
