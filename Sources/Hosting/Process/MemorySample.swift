import Glibc

/// The total and available memory of the machine or of a control group.
nonisolated struct MemorySample: Hashable, Sendable {
  /// The total memory in kibibytes.
  let total: Int
  /// The memory in kibibytes that is free or can be reclaimed without swapping.
  let available: Int

  /// Creates a sample.
  init(total: Int, available: Int) {
    self.total = total
    self.available = available
  }

  /// Parses the text of `/proc/meminfo`.
  ///
  /// Returns nil if a field is missing.
  init?(_ text: String) {
    var figures: [Substring: Int] = [:]
    for line in text.split(separator: "\n") {
      let words = line.split(whereSeparator: \.isWhitespace)
      if words.count > 1, let number = Int(words[1]) { figures[words[0]] = number }
    }
    guard let total = figures["MemTotal:"], let available = figures["MemAvailable:"], total > 0 else { return nil }
    self.init(total: total, available: available)
  }

  /// The available share of the total memory, 0 to 1.
  var availableShare: Double { Double(available) / Double(total) }

  /// Reads the memory of the machine, or of the program's control group if less of that is available.
  ///
  /// Returns nil if the kernel provides no figures.
  static func current() -> MemorySample? {
    guard let machine = machineSample else { return nil }
    let group = ControlGroupMemory(root: "/sys/fs/cgroup", groups: PressureFiles.processControlGroups).sample(
      within: machine.total)
    guard let group, group.availableShare < machine.availableShare else { return machine }
    return group
  }

  /// The memory of the machine.
  ///
  /// The C functions are `fopen` and `fread`, on `/proc/meminfo`.
  static var machineSample: MemorySample? {
    guard let file = fopen("/proc/meminfo", "re") else { return nil }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = fread(&buffer, 1, buffer.count, file)
    return MemorySample(String(decoding: buffer[..<count], as: UTF8.self))
  }
}

/// The memory limit and usage of the program's control group.
///
/// A container may use less memory than its machine has, and is killed if it exceeds its limit. Versions 1 and 2 of
/// control groups are supported.
nonisolated struct ControlGroupMemory {
  /// The folder of the control group hierarchy.
  let root: String
  /// The text of `/proc/self/cgroup`, which lists the program's groups.
  let groups: String

  /// Returns a sample of the group with the smallest available share, or nil if no group is limited.
  ///
  /// - Parameter machine: The machine's memory in kibibytes. Limits above it are ignored.
  func sample(within machine: Int) -> MemorySample? {
    let samples = controlGroups.compactMap { sample(in: $0, within: machine) }
    return samples.min { $0.availableShare < $1.availableShare }
  }

  /// Returns the smallest limit of all groups in kibibytes, or nil if no group is limited.
  ///
  /// - Parameter machine: The machine's memory in kibibytes. Limits above it are ignored.
  func limit(within machine: Int) -> Int? {
    controlGroups.compactMap { limit(in: $0, within: machine) }.min().map { $0 / 1_024 }
  }

  /// The program's groups and their ancestors, of both versions.
  private var controlGroups: [ControlGroup] {
    var controlGroups: [ControlGroup] = []
    for line in groups.split(separator: "\n") {
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { continue }
      if fields[0] == "0", fields[1].isEmpty {
        controlGroups += ControlGroup.groupAndAncestors(fields[2], in: root, .version2)
      } else if fields[1].split(separator: ",").contains("memory") {
        controlGroups += ControlGroup.groupAndAncestors(fields[2], in: root + "/memory", .version1)
      }
    }
    return controlGroups
  }

  private func sample(in group: ControlGroup, within machine: Int) -> MemorySample? {
    let names = group.version.fileNames
    guard let limit = limit(in: group, within: machine),
      let used = ControlGroupMemory.readNumber(in: "\(group.folder)/\(names.used)")
    else { return nil }
    // The kernel reclaims inactive file pages first, before any program stalls.
    let idle =
      ControlGroupMemory.value(named: names.idle, in: ControlGroupMemory.readText(of: "\(group.folder)/memory.stat"))
      ?? 0
    let left = limit - max(0, used - idle)
    return MemorySample(total: limit / 1_024, available: max(0, left) / 1_024)
  }

  /// Returns the limit of a group in bytes, or nil if it is not limited.
  private func limit(in group: ControlGroup, within machine: Int) -> Int? {
    let limits = group.version.fileNames.limits.compactMap {
      ControlGroupMemory.readNumber(in: "\(group.folder)/\($0)")
    }
    guard let limit = limits.min(), limit > 0, limit / 1_024 < machine else { return nil }
    return limit
  }

  private static func readNumber(in path: String) -> Int? {
    readText(of: path).split(whereSeparator: \.isWhitespace).first.flatMap { Int($0) }
  }

  private static func value(named name: String, in text: String) -> Int? {
    let line = text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
    return line.flatMap { Int($0.dropFirst(name.count + 1)) }
  }

  /// Returns the start of a file's text.
  ///
  /// The C functions are `fopen` and `fread`.
  private static func readText(of path: String) -> String {
    guard let file = fopen(path, "re") else { return "" }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 8_192)
    let count = fread(&buffer, 1, buffer.count, file)
    return String(decoding: buffer[..<count], as: UTF8.self)
  }
}

nonisolated extension ControlGroupMemory {
  /// A control group's folder and file names.
  private struct ControlGroup {
    /// The version of a hierarchy, which determines the names of its files.
    enum HierarchyVersion {
      case version2
      case version1

      var fileNames: (limits: [String], used: String, idle: String) {
        switch self {
        case .version2: (["memory.max", "memory.high"], "memory.current", "inactive_file")
        case .version1: (["memory.limit_in_bytes"], "memory.usage_in_bytes", "total_inactive_file")
        }
      }
    }

    let folder: String
    let version: HierarchyVersion

    /// Returns a group and its ancestors up to the root.
    ///
    /// In a container, the group itself may appear as the root.
    static func groupAndAncestors(_ path: Substring, in root: String, _ version: HierarchyVersion) -> [ControlGroup] {
      let steps = path.split(separator: "/")
      // The kernel never reports such a path.
      guard !steps.contains("..") else { return [] }
      return (0...steps.count).reversed().map { count in
        ControlGroup(folder: ([Substring(root)] + steps.prefix(count)).joined(separator: "/"), version: version)
      }
    }
  }
}
