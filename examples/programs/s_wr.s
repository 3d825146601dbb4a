; s_wr: the registers that the other commands use, and what they refuse.

    s_wr   row_log2, 6      ; rows of 64 bytes
    s_wr   table[3], 0x100000000
    s_wr   hot[0], 0x40000000000
    s_wr   scale, -0.01     ; FP32
    s_wr   scale, 0xbc23d70a ; the same, by its bits
.expect status, ok
    s_wr   row_log2, 2      ; refused: a row has at least a beat of the stream
.expect status, range
    s_wr   gpus, 9          ; refused: there are no more than 8
.expect status, range
    gpu_rd 1, 0             ; refused: hot[1] was not written since the reset
.expect status, no_address
    s_wr   table[3], 2      ; refused: addresses are multiples of 4
.expect status, range
    s_wr   0x300, 1         ; refused: there is no such register
.expect status, range
