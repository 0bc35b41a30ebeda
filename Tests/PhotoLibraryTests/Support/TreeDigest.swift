import Glibc

@testable import PhotoLibrary

/// All that a scan must leave as it is: each entry's name, type, mode, size, time of change and contents.
enum TreeDigest {
  /// One line for each entry, in order.
  static func lines(of root: PhotoPath) throws -> [String] {
    var lines: [String] = []
    try add(SystemCalls.openFolder(root), root, &lines)
    return lines.sorted()
  }

  private static func add(_ folder: borrowing FileDescriptor, _ path: PhotoPath, _ lines: inout [String]) throws {
    var names: [[UInt8]] = []
    try SystemCalls.forEachEntry(in: folder) { name, _ in names.append(Array(name)) }
    for name in names {
      let text = name.asCString
      var status = stat()
      let whole = path.appending(name)
      guard fstatat(folder.number, text, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
        lines.append("\(whole.escaped) says nothing: \(errno)")
        continue
      }
      var line = "\(whole.escaped) \(status.st_mode) \(status.st_size) \(status.st_nlink)"
      line += " \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec) \(status.st_ctim.tv_sec).\(status.st_ctim.tv_nsec)"
      // The first megabyte of contents: one of the hostile files claims eight gigabytes.
      if status.st_mode & S_IFMT == S_IFREG, let file = try? SystemCalls.openFile(named: text, in: folder) {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in try SystemCalls.read(file, from: 0, count: min(1 << 20, Int(status.st_size))) {
          hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        line += " \(hash)"
      }
      lines.append(line)
      if status.st_mode & S_IFMT == S_IFDIR,
        let inner = try? SystemCalls.openFolder(named: text, in: folder, followingLink: false)
      {
        try add(inner, whole, &lines)
      }
    }
  }
}
