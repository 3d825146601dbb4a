; Eight rows are learned. Then a mini-batch of these rows and of eight others is classified.
.const INPUTS, 16
rows:   .word 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8
        .word 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8
next:   .word 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 15, 1, 2, 3, 4
        .word 10, 12, 14, 16, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8
hot:    .zero 4096
bitmap: .zero 16
        s_wr  slots, 2
        s_wr  slot[0], 0
        s_wr  slot[1], 0
        learn 0, rows, INPUTS
        hotset hot
        classify 1, next, INPUTS, bitmap
.expect status, ok
