import Glibc

/// How much memory there is, for the machine or for a group of processes, and how much of it is free or could be made so
/// without swapping.
nonisolated struct MemorySample: Hashable, Sendable {
  /// All of it, in kibibytes.
  let total: Int
  /// What new programs could have, in kibibytes.
  let available: Int

  /// Takes figures.
  init(total: Int, available: Int) {
    self.total = total
    self.available = available
  }

  /// Reads the text of `/proc/meminfo`; nothing where that says neither.
  init?(_ text: String) {
    var figures: [Substring: Int] = [:]
    for line in text.split(separator: "\n") {
      let words = line.split(whereSeparator: \.isWhitespace)
      if words.count > 1, let number = Int(words[1]) { figures[words[0]] = number }
    }
    guard let total = figures["MemTotal:"], let available = figures["MemAvailable:"], total > 0 else { return nil }
    self.init(total: total, available: available)
  }

  /// The part of all memory that is available, 0 to 1.
  var availableShare: Double { Double(available) / Double(total) }

  /// Asks the kernel: of the machine, or of the program's group where that has less left; nothing where it does not say.
  static func current() -> MemorySample? {
    guard let machine = machineSample else { return nil }
    let group = ControlGroupMemory(root: "/sys/fs/cgroup", groups: PressureFiles.processControlGroups).sample(
      within: machine.total)
    guard let group, group.availableShare < machine.availableShare else { return machine }
    return group
  }

  /// The C functions are `fopen` and `fread`, of `/proc/meminfo`.
  static var machineSample: MemorySample? {
    guard let file = fopen("/proc/meminfo", "re") else { return nil }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = fread(&buffer, 1, buffer.count, file)
    return MemorySample(String(decoding: buffer[..<count], as: UTF8.self))
  }
}
