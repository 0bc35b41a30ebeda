import Glibc

/// The memory of this process and of its children, as the kernel tells it.
enum DecoderMemory {
  /// The bytes that this process has in memory.
  static var own: Int { bytes(of: "/proc/self/status", "VmRSS:") ?? 0 }

  /// The most bytes that one of this process's children has had in memory, of those that live.
  ///
  /// A child belongs to the thread that started it.
  static var largestOfChildren: Int {
    children.compactMap { bytes(of: "/proc/\($0)/status", "VmHWM:") }.max() ?? 0
  }

  /// The C functions are `opendir`, `readdir` and `closedir`.
  private static var children: [Substring] {
    guard let stream = opendir("/proc/self/task") else { return [] }
    defer { closedir(stream) }
    var found: [Substring] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard !name.hasPrefix("."), let text = contents("/proc/self/task/\(name)/children") else { continue }
      found += text.split(separator: " ")
    }
    return found
  }

  private static func bytes(of path: String, _ name: String) -> Int? {
    let line = contents(path)?.split(separator: "\n").first { $0.hasPrefix(name) }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map { $0 << 10 }
  }

  /// The beginning of a file whose length nobody knows.
  ///
  /// The C functions are `open`, `read` and `close`.
  private static func contents(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 8192)
    let count = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
    return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}
