import Foundation
import Testing

@testable import Hosting

@Suite("A group of processes has as much memory as it is given, and its program lets go in time")
struct GroupMemoryTests {
  /// A folder as the kernel shows groups in.
  private final class Groups {
    let root = NSTemporaryDirectory() + "vitrine-groups-" + UUID().uuidString

    func write(_ text: String, to name: String) throws {
      let path = root + "/" + name
      try FileManager.default.createDirectory(
        atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }
  }

  private static let machine = 8 << 20

  @Test("The bound, less what is used, and what was read from files counts as free")
  func unified() throws {
    let groups = Groups()
    try groups.write("1073741824\n", to: "app.slice/one.scope/memory.max")
    try groups.write("max\n", to: "app.slice/one.scope/memory.high")
    try groups.write("1000000000\n", to: "app.slice/one.scope/memory.current")
    try groups.write("anon 5\ninactive_file 200000000\n", to: "app.slice/one.scope/memory.stat")
    let memory = ControlGroupMemory(root: groups.root, groups: "0::/app.slice/one.scope\n")
    let sample = try #require(memory.sample(within: Self.machine))
    #expect(sample.total == 1 << 20)
    #expect(sample.available == (1_073_741_824 - 800_000_000) / 1_024)
    // A lower bound at which the kernel begins to hold the group up counts as the bound.
    try groups.write("850000000\n", to: "app.slice/one.scope/memory.high")
    let high = try #require(memory.sample(within: Self.machine))
    #expect(high.available == 50_000_000 / 1_024)
  }

  @Test("Of a group and those around it the one with the least left counts")
  func around() throws {
    let groups = Groups()
    try groups.write("4000000000\n", to: "outer/inner/memory.max")
    try groups.write("100\n", to: "outer/inner/memory.current")
    try groups.write("2000000000\n", to: "outer/memory.max")
    try groups.write("1990000000\n", to: "outer/memory.current")
    let sample = try #require(
      ControlGroupMemory(root: groups.root, groups: "0::/outer/inner\n").sample(within: Self.machine))
    #expect(sample.available == 10_000_000 / 1_024)
  }

  @Test("What may be taken at all is the least that any of these groups may take; without a bound there is none")
  func limit() throws {
    let groups = Groups()
    try groups.write("4000000000\n", to: "outer/inner/memory.max")
    try groups.write("2000000000\n", to: "outer/memory.max")
    try groups.write("max\n", to: "free/memory.max")
    #expect(
      ControlGroupMemory(root: groups.root, groups: "0::/outer/inner\n").limit(within: Self.machine) == 2_000_000_000
        / 1_024)
    #expect(ControlGroupMemory(root: groups.root, groups: "0::/free\n").limit(within: Self.machine) == nil)
    #expect(ControlGroupMemory(root: groups.root, groups: "0::/outer/inner\n").limit(within: 1 << 20) == nil)
  }

  @Test("Groups of the older kind, also where a container sees its own as the root")
  func older() throws {
    let groups = Groups()
    try groups.write("500000000\n", to: "memory/memory.limit_in_bytes")
    try groups.write("480000000\n", to: "memory/memory.usage_in_bytes")
    try groups.write("total_inactive_file 30000000\n", to: "memory/memory.stat")
    let memory = ControlGroupMemory(root: groups.root, groups: "5:cpu:/a\n4:memory:/seen/from/outside\n")
    #expect(try #require(memory.sample(within: Self.machine)).available == 50_000_000 / 1_024)
  }

  @Test(
    "Without a bound, or with one above the machine's memory, or in texts that make no sense, there is none",
    arguments: ["max", "9223372036854771712", "0", "-5", "", "many"])
  func unbounded(limit: String) throws {
    let groups = Groups()
    try groups.write(limit, to: "one/memory.max")
    try groups.write("100", to: "one/memory.current")
    for text in ["0::/one", "0::/one/../one", "", "nonsense", "0:", ":::::"] {
      #expect(ControlGroupMemory(root: groups.root, groups: text).sample(within: Self.machine) == nil)
    }
  }

  @Test("What is asked on this machine is a share of something")
  func here() throws {
    let sample = try #require(MemorySample.current())
    #expect(sample.total > 0 && (0...1).contains(sample.availableShare))
  }
}
