import Glibc

/// The files of pressure stall information that may concern this program, the closest first.
nonisolated enum PressureFiles {
  /// The file of this program's own group of processes, and that of the whole machine.
  static var all: [String] {
    [controlGroupFile(groups: processControlGroups)].compactMap(\.self) + ["/proc/pressure/memory"]
  }

  /// Which groups of processes this program is in, as the kernel says.
  static var processControlGroups: String { readText(of: "/proc/self/cgroup") }

  /// The file of the group that a text such as `/proc/self/cgroup` names; nothing for the root of all groups.
  static func controlGroupFile(groups: String) -> String? {
    let unified = groups.split(separator: "\n").first { $0.hasPrefix("0::/") }
    guard let path = unified?.dropFirst("0::/".count), !path.isEmpty else { return nil }
    return "/sys/fs/cgroup/\(path)/memory.pressure"
  }

  private static func readText(of path: String) -> String {
    guard let file = fopen(path, "re") else { return "" }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 8_192)
    let count = fread(&buffer, 1, buffer.count, file)
    return String(decoding: buffer[..<count], as: UTF8.self)
  }
}
