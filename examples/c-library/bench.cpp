// Reads a register of the accelerator over AXI4-Lite, as a bench for Verilator would.
#include <cstdio>

#include "hotline.hpp"

// read_register is an AXI4-Lite read.
static uint32_t read_register(Hotline &top, uint16_t address) {
  top.s_axil_araddr = address;
  top.s_axil_arvalid = 1;
  top.s_axil_rready = 1;
  for (top.eval(); !top.s_axil_rvalid; top.eval()) {
    bool taken = top.s_axil_arready;
    top.step();
    if (taken)
      top.s_axil_arvalid = 0;
  }
  uint32_t value = top.s_axil_rdata;
  top.step();
  top.s_axil_rready = 0;
  return value;
}

int main() {
  Hotline top;
  top.rst = 1;
  top.run(4);
  top.rst = 0;
  uint32_t identity = read_register(top, 0x000);
  std::printf("register 0x000 is 0x%08x after %llu cycles\n", identity, (unsigned long long)top.cycle());
}
