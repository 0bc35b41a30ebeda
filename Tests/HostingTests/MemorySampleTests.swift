import Foundation
import Testing

@testable import VitrineHosting

@Suite("The memory that is available within a control group")
struct ControlGroupMemoryTests {
  /// A temporary folder with the layout of the kernel's control group file system.
  private final class ControlGroupFolder {
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

  @Test("Available memory is the limit less the usage, and inactive file pages count as available")
  func unified() throws {
    let folder = ControlGroupFolder()
    try folder.write("1073741824\n", to: "app.slice/one.scope/memory.max")
    try folder.write("max\n", to: "app.slice/one.scope/memory.high")
    try folder.write("1000000000\n", to: "app.slice/one.scope/memory.current")
    try folder.write("anon 5\ninactive_file 200000000\n", to: "app.slice/one.scope/memory.stat")
    let memory = ControlGroupMemory(root: folder.root, groups: "0::/app.slice/one.scope\n")
    let sample = try #require(memory.sample(within: Self.machine))
    #expect(sample.total == 1 << 20)
    #expect(sample.available == (1_073_741_824 - 800_000_000) / 1_024)
    // A lower limit, at which the kernel starts to throttle the group, counts as the limit.
    try folder.write("850000000\n", to: "app.slice/one.scope/memory.high")
    let high = try #require(memory.sample(within: Self.machine))
    #expect(high.available == 50_000_000 / 1_024)
  }

  @Test("Of a group and its ancestors, the one with the least available memory counts")
  func ancestors() throws {
    let folder = ControlGroupFolder()
    try folder.write("4000000000\n", to: "outer/inner/memory.max")
    try folder.write("100\n", to: "outer/inner/memory.current")
    try folder.write("2000000000\n", to: "outer/memory.max")
    try folder.write("1990000000\n", to: "outer/memory.current")
    let sample = try #require(
      ControlGroupMemory(root: folder.root, groups: "0::/outer/inner\n").sample(within: Self.machine))
    #expect(sample.available == 10_000_000 / 1_024)
  }

  @Test("The limit is the lowest of a group and its ancestors, or nil if there is none")
  func limit() throws {
    let folder = ControlGroupFolder()
    try folder.write("4000000000\n", to: "outer/inner/memory.max")
    try folder.write("2000000000\n", to: "outer/memory.max")
    try folder.write("max\n", to: "free/memory.max")
    #expect(
      ControlGroupMemory(root: folder.root, groups: "0::/outer/inner\n").limit(within: Self.machine) == 2_000_000_000
        / 1_024)
    #expect(ControlGroupMemory(root: folder.root, groups: "0::/free\n").limit(within: Self.machine) == nil)
    #expect(ControlGroupMemory(root: folder.root, groups: "0::/outer/inner\n").limit(within: 1 << 20) == nil)
  }

  @Test("Version 1 control groups are supported, also if a container shows its own group as the root")
  func version1() throws {
    let folder = ControlGroupFolder()
    try folder.write("500000000\n", to: "memory/memory.limit_in_bytes")
    try folder.write("480000000\n", to: "memory/memory.usage_in_bytes")
    try folder.write("total_inactive_file 30000000\n", to: "memory/memory.stat")
    let memory = ControlGroupMemory(root: folder.root, groups: "5:cpu:/a\n4:memory:/seen/from/outside\n")
    #expect(try #require(memory.sample(within: Self.machine)).available == 50_000_000 / 1_024)
  }

  @Test(
    "A missing, invalid or too high limit gives no sample",
    arguments: ["max", "9223372036854771712", "0", "-5", "", "many"])
  func unbounded(limit: String) throws {
    let folder = ControlGroupFolder()
    try folder.write(limit, to: "one/memory.max")
    try folder.write("100", to: "one/memory.current")
    for text in ["0::/one", "0::/one/../one", "", "nonsense", "0:", ":::::"] {
      #expect(ControlGroupMemory(root: folder.root, groups: text).sample(within: Self.machine) == nil)
    }
  }

  @Test("A sample of this machine has a valid share")
  func currentMachine() throws {
    let sample = try #require(MemorySample.current())
    #expect(sample.total > 0 && (0...1).contains(sample.availableShare))
  }
}
