// Runs the Verilated module hotline_cosim for a parent process.
//
// A request on stdin is a 32-bit cycle count followed by an input frame per cycle. The
// response on stdout is an output frame per input frame, evaluated with these inputs
// before the clock edge. A request with a count of 0 has one input frame and no clock
// edge.
//
// Messages that set registers and memory words may precede the first request and have no
// response. Such a message is a count of all ones, three 32-bit numbers (length of the
// path below the top module, index in the memory, words of the value), the path, and the
// value.
//
// Frames and values are 64-bit words, the least significant first, in host byte order.

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "Vhotline_cosim.h"
#include "verilated.h"
#include "verilated_syms.h"

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

constexpr uint32_t WRITE_STATE = ~uint32_t{0};

// readState reads and sets a register or memory word. The first evaluation updates the
// logic that depends on it.
bool readState(VerilatedContext &context, bool evaluated) {
    uint32_t size[3];
    if (!readAll(size, sizeof size)) return false;
    std::string path(size[0], ' ');
    std::vector<uint64_t> value(size[2]);
    if (!readAll(&path[0], path.size()) || !readAll(value.data(), value.size() * sizeof value[0])) return false;
    if (evaluated) {
        std::fprintf(stderr, "%s is written after the first look at the outputs\n", path.c_str());
        return false;
    }
    const std::size_t dot = path.rfind('.');
    std::string scope = "TOP.hotline_cosim.dut";
    if (dot != std::string::npos) scope += "." + path.substr(0, dot);
    const VerilatedScope *in = context.scopeFind(scope.c_str());
    const VerilatedVar *variable = in ? in->varFind(path.substr(dot + 1).c_str()) : nullptr;
    if (!variable) return true; // omitted from the Verilog, because nothing depends on it
    char *to = static_cast<char *>(variable->datap()) + size[1] * variable->entSize();
    std::memcpy(to, value.data(), variable->entSize());
    return true;
}

#include "ports.inc" // IN_WORDS, OUT_WORDS, loadInputs, release, storeOutputs

} // namespace

int main() {
    VerilatedContext context;
    Vhotline_cosim top{&context};
    std::vector<uint64_t> in, out;
    bool evaluated = false;
    for (uint32_t cycles; readAll(&cycles, sizeof cycles);) {
        if (cycles == WRITE_STATE) {
            if (!readState(context, evaluated)) return 1;
            continue;
        }
        if (!evaluated) release(top);
        evaluated = true;
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
