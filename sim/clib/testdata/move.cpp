// Moves models, and fails unless each keeps its state and its ports.
#include <vector>

#include "hotline.hpp"

static Hotline stepped(uint64_t cycles) {
  Hotline top;
  top.rst = 1;
  top.run(cycles);
  top.eval();
  return top;
}

int main() {
  Hotline a = stepped(3);
  if (a.cycle() != 3 || a.rst != 1) return 1;
  Hotline b(std::move(a));
  if (b.cycle() != 3 || b.rst != 1 || a.handle() != 0) return 2;
  Hotline c;
  c = std::move(b);
  if (c.cycle() != 3) return 3;
  std::vector<Hotline> all;
  for (uint64_t n = 1; n < 9; n++) all.push_back(stepped(n));
  for (uint64_t n = 1; n < 9; n++) {
    all[n - 1].step();
    if (all[n - 1].cycle() != n + 1) return 4;
  }
  return 0;
}
