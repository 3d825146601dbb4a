// Runs models on separate threads, and again sequentially; the outputs must be
// the same.
#include <cstdio>
#include <thread>
#include <vector>

#include "hotline.hpp"

// run returns a checksum of the outputs for pseudo-random inputs.
static uint64_t run(uint64_t seed) {
  Hotline top;
  uint64_t in[HOTLINE_IN_WORDS], out[HOTLINE_OUT_WORDS], sum = 0, x = seed;
  for (int cycle = 0; cycle < 5000; cycle++) {
    for (uint64_t &word : in) {
      x = x * 6364136223846793005u + 1442695040888963407u;
      word = x >> 20 & x >> 7;
    }
    in[HOTLINE_AT_RST] = cycle < 3;
    if (hotline_run(top.handle(), 1, in, out) == HOTLINE_NO_MODEL)
      return 0;
    for (uint64_t word : out)
      sum = sum * 31 + word;
  }
  return sum;
}

int main() {
  std::vector<uint64_t> together(4);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < together.size(); i++)
    threads.emplace_back([&together, i] { together[i] = run(i + 1); });
  for (std::thread &t : threads)
    t.join();
  for (size_t i = 0; i < together.size(); i++)
    if (together[i] == 0 || together[i] != run(i + 1))
      std::printf("model %zu differs\n", i);
  std::printf("%zu models\n", together.size());
}
