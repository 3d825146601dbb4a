// Runs the Verilated module hotline_cosim for a parent process. A request on
// stdin is a cycle count (32 bits) and an input frame per cycle, or a count of
// 0 and one input frame; the answer on stdout is an output frame per input
// frame, settled with these inputs. Only requests with a count clock the design.
// Numbers and frames are little-endian 64-bit words in host order.

#include <cstdint>
#include <cstdio>
#include <vector>

#include "Vhotline_cosim.h"
#include "verilated.h"

namespace {

template <class T> void load(T &port, const uint64_t *words) { port = static_cast<T>(words[0]); }

template <std::size_t N> void load(VlWide<N> &port, const uint64_t *words) {
    for (std::size_t i = 0; i < N; i++) port[i] = static_cast<uint32_t>(words[i / 2] >> (i % 2 * 32));
}

template <class T> void store(const T &port, uint64_t *words) { words[0] = port; }

template <std::size_t N> void store(const VlWide<N> &port, uint64_t *words) {
    for (std::size_t i = 0; i < N; i += 2)
        words[i / 2] = port[i] | (i + 1 < N ? static_cast<uint64_t>(port[i + 1]) << 32 : 0);
}

bool readAll(void *to, std::size_t bytes) { return std::fread(to, 1, bytes, stdin) == bytes; }

#include "ports.inc" // IN_WORDS, OUT_WORDS, loadInputs, storeOutputs

} // namespace

int main() {
    VerilatedContext context;
    Vhotline_cosim top{&context};
    std::vector<uint64_t> in, out;
    for (uint32_t cycles; readAll(&cycles, sizeof cycles);) {
        const std::size_t frames = cycles ? cycles : 1;
        in.resize(frames * IN_WORDS);
        out.resize(frames * OUT_WORDS);
        if (!readAll(in.data(), in.size() * sizeof in[0])) return 1;
        for (std::size_t i = 0; i < frames; i++) {
            loadInputs(top, &in[i * IN_WORDS]);
            top.clk = 0;
            top.eval();
            storeOutputs(top, out.data() + i * OUT_WORDS);
            if (cycles) {
                top.clk = 1;
                top.eval();
            }
        }
        if (std::fwrite(out.data(), sizeof(uint64_t), out.size(), stdout) != out.size() || std::fflush(stdout)) return 1;
    }
    top.final();
}
