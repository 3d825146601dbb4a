"""Reads a register of the accelerator over AXI4-Lite."""

import sys

sys.path.insert(0, sys.argv[1])  # the folder of the library
from hotline import Hotline


def read_register(top, address):
    top.s_axil_araddr, top.s_axil_arvalid, top.s_axil_rready = address, 1, 1
    while not top.s_axil_rvalid:
        taken = top.s_axil_arready
        top.step()
        if taken:
            top.s_axil_arvalid = 0
    value = top.s_axil_rdata
    top.step()
    top.s_axil_rready = 0
    return value


top = Hotline()
top.rst = 1
top.step(4)
top.rst = 0
identity = read_register(top, 0x000)
print("register 0x000 is 0x%08x after %d cycles" % (identity, top.cycle()))
