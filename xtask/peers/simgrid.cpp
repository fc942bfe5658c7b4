// The worlds of `cargo xtask peers` on SimGrid, for `cargo xtask peers --simgrid`; needs SimGrid 3.32 or a
// later 3.x. Asked on stdin like the example `peers` of the flow level, with the folder of the flows:
// `poisson 1 FOLDER`. With 0 in place of 1 the world is only read and built. Exit code 1 where the last
// transfer ends otherwise than is known.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

#include <simgrid/s4u.hpp>
#include <xbt/log.h>

namespace s4u = simgrid::s4u;

namespace {

struct Flow {
  unsigned src, dst;
  std::uint64_t bytes;
  double start, finish;
};

/// The flows of a file of lines `src,dst,bytes,start_ns,finish_ps`, in the order of their starts.
std::vector<Flow> read(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  std::vector<Flow> flows;
  while (std::getline(file, line)) {
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream words(line);
    Flow flow{};
    double start = 0, finish = 0;
    words >> flow.src >> flow.dst >> flow.bytes >> start >> finish;
    flow.start = start * 1e-9;
    flow.finish = finish * 1e-12;
    flows.push_back(flow);
  }
  const auto earlier = [](const Flow& left, const Flow& right) { return left.start < right.start; };
  std::stable_sort(flows.begin(), flows.end(), earlier);
  return flows;
}

/// Hosts h0, h1, … under a fat-tree of three tiers of 50 GB/s links without latency.
void build(s4u::Engine& engine, unsigned hosts, const std::string& tree) {
  const std::string path = "/tmp/superclos-platform-" + std::to_string(getpid()) + ".xml";
  std::ofstream(path) << "<?xml version='1.0'?><!DOCTYPE platform SYSTEM "
                         "\"https://simgrid.org/simgrid.dtd\"><platform version=\"4.1\">"
                         "<cluster id=\"cluster\" prefix=\"h\" suffix=\"\" radical=\"0-"
                      << hosts - 1 << "\" speed=\"1Gf\" bw=\"50GBps\" lat=\"0us\" topology=\"FAT_TREE\" "
                      << "topo_parameters=\"" << tree << "\" sharing_policy=\"SPLITDUPLEX\"/></platform>";
  engine.load_platform(path);
  unlink(path.c_str());
}

s4u::Host* host(unsigned number) { return s4u::Host::by_name("h" + std::to_string(number)); }

/// One actor starts every flow by the clock and waits for all.
void start_all(const std::vector<Flow>& flows) {
  std::vector<s4u::CommPtr> under_way;
  for (const Flow& flow : flows) {
    if (flow.start > s4u::Engine::get_clock())
      s4u::this_actor::sleep_until(flow.start);
    under_way.push_back(s4u::Comm::sendto_async(host(flow.src), host(flow.dst), flow.bytes));
  }
  for (const auto& one : under_way)
    one->wait();
}

/// A rank of a ring: sends to the next and receives from the one before, step by step.
void walk(unsigned rank, unsigned ranks, unsigned steps, std::uint64_t bytes) {
  s4u::Mailbox* own = s4u::Mailbox::by_name(std::to_string(rank));
  s4u::Mailbox* next = s4u::Mailbox::by_name(std::to_string((rank + 1) % ranks));
  static char payload;
  for (unsigned step = 0; step < steps; ++step) {
    char* received = nullptr;
    const auto sent = next->put_async(&payload, bytes);
    own->get_async<char>(&received)->wait();
    sent->wait();
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::string kind, folder;
  int runs = 0;
  std::cin >> kind >> runs >> folder;
  xbt_log_control_set("root.thres:error");
  s4u::Engine engine(&argc, argv);
  for (const char* option : {"network/model:CM02", "network/TCP-gamma:0", "network/crosstraffic:0",
                             "contexts/stack-size:64", "network/loopback-lat:0"})
    s4u::Engine::set_config(option);
  double last = 0;
  std::vector<Flow> flows;
  if (kind == "ring") {
    const unsigned ranks = 10240, steps = 16;
    const std::uint64_t bytes = 1 << 20;
    build(engine, ranks, "3;16,16,40;1,16,16;1,1,1");
    last = steps * (static_cast<double>(bytes) / 50e9);
    for (unsigned rank = 0; rank < ranks; ++rank)
      s4u::Actor::create("rank", host(rank), walk, rank, ranks, steps, bytes);
  } else {
    const bool is_small = kind == "poisson";
    flows = read(folder + (is_small ? "/poisson10k_1024.csv" : "/perm_10240.csv"));
    if (is_small)
      build(engine, 1024, "3;8,8,16;1,8,8;1,1,1");
    else
      build(engine, 10240, "3;16,16,40;1,16,16;1,1,1");
    for (const Flow& flow : flows)
      last = std::max(last, flow.finish);
    s4u::Actor::create("all", host(0), start_all, flows);
  }
  if (runs == 0)
    _exit(0);
  engine.run();
  const double clock = s4u::Engine::get_clock();
  if (last <= 0 || std::abs(clock - last) > 1e-5 * last) {
    std::cerr << kind << ": ends at " << clock << " s, not at " << last << " s\n";
    _exit(1);
  }
  // Ten thousand hosts take as long to tidy up as some of the worlds.
  _exit(0);
}
