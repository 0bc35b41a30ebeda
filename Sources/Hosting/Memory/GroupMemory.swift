import Glibc

/// How much memory the program's own group of processes may have, and how much of that is left, where it is bounded.
///
/// A container has less than its machine, and is ended when it takes more. Both kinds of groups that Linux has are known.
nonisolated struct ControlGroupMemory {
  /// The folder that groups are in.
  let root: String
  /// The text of `/proc/self/cgroup`: which groups the program is in.
  let groups: String

  /// What is known of the group that bounds the program most; nothing where none does.
  ///
  /// - Parameter machine: the machine's memory in kibibytes: a bound above it is none.
  func sample(within machine: Int) -> MemorySample? {
    let samples = controlGroups.compactMap { sample(in: $0, within: machine) }
    return samples.min { $0.availableShare < $1.availableShare }
  }

  /// What the group that is bounded most may take, in kibibytes; nothing where none is bounded.
  ///
  /// - Parameter machine: the machine's memory in kibibytes: a bound above it is none.
  func limit(within machine: Int) -> Int? {
    controlGroups.compactMap { limit(in: $0, within: machine) }.min().map { $0 / 1_024 }
  }

  /// The folders of the group and of those around it, by either kind of groups.
  private var controlGroups: [ControlGroup] {
    var places: [ControlGroup] = []
    for line in groups.split(separator: "\n") {
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { continue }
      if fields[0] == "0", fields[1].isEmpty {
        places += ControlGroup.groupAndAncestors(fields[2], in: root, .version2)
      } else if fields[1].split(separator: ",").contains("memory") {
        places += ControlGroup.groupAndAncestors(fields[2], in: root + "/memory", .version1)
      }
    }
    return places
  }

  private func sample(in place: ControlGroup, within machine: Int) -> MemorySample? {
    let names = place.version.fileNames
    guard let limit = limit(in: place, within: machine),
      let used = ControlGroupMemory.readNumber(in: "\(place.folder)/\(names.used)")
    else { return nil }
    // What was read from files and is not in use is let go of first, before anybody has to wait.
    let idle =
      ControlGroupMemory.value(named: names.idle, in: ControlGroupMemory.readText(of: "\(place.folder)/memory.stat"))
      ?? 0
    let left = limit - max(0, used - idle)
    return MemorySample(total: limit / 1_024, available: max(0, left) / 1_024)
  }

  /// The bytes that a group may take; nothing where it is not bounded.
  private func limit(in place: ControlGroup, within machine: Int) -> Int? {
    let limits = place.version.fileNames.limits.compactMap {
      ControlGroupMemory.readNumber(in: "\(place.folder)/\($0)")
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
  /// The folder of a group, and how its files are called.
  private struct ControlGroup {
    /// How a kind of groups calls its files.
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

    /// A group and all around it, up to the root; a container may see its own group as the root.
    static func groupAndAncestors(_ path: Substring, in root: String, _ kind: HierarchyVersion) -> [ControlGroup] {
      let steps = path.split(separator: "/")
      // A path that leads out of the folder is none of the kernel's.
      guard !steps.contains("..") else { return [] }
      return (0...steps.count).reversed().map { count in
        ControlGroup(folder: ([Substring(root)] + steps.prefix(count)).joined(separator: "/"), version: kind)
      }
    }
  }
}
