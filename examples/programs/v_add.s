; v_add: three rows are summed, as the lookups of a table are pooled.

.const ROW, 64

a:   .float 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1
b:   .float 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
c:   .float 0.5, 0.25, 0.125, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -15
sum: .zero ROW

    s_wr   row_log2, 6
    dma_rd a, ROW           ; all three reads are under way at once
    dma_rd b, ROW
    dma_rd c, ROW
    v_add  load             ; buffer := a
    v_add                   ; buffer := a + b
    v_add                   ; buffer := a + b + c
    dma_wr sum, ROW
.expect status, ok

.show sum, 16
.expect float, sum, 1.5, 2.25, 3.125, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 1
