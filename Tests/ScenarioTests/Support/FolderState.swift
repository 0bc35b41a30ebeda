import Glibc
import Rendering

/// All that can be seen of a folder and what lies in it: kinds, modes, owners, times of change, contents, targets.
struct FolderState: Equatable {
  /// What is kept of one entry.
  struct Entry: Equatable {
    var mode: UInt32
    var owner: UInt32
    var inode: UInt64
    var byteCount: Int64
    var seconds: Int
    var nanoseconds: Int
    /// A digest of a file's bytes, or of a link's target.
    var content: UInt64
  }

  private(set) var entries: [[UInt8]: Entry] = [:]

  /// Looks at a folder; files are read, FIFOs and the like are not opened.
  init(_ folder: TemporaryFolder) throws {
    let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw TemporaryFolder.SystemError(call: "open", code: errno) }
    try visit(descriptor, [])
  }

  /// The paths that one has and the other has not, or that differ.
  func differences(from other: FolderState) -> [String] {
    Set(entries.keys).union(other.entries.keys).filter { entries[$0] != other.entries[$0] }
      .map { String(decoding: $0, as: UTF8.self) }.sorted()
  }

  /// Goes through a folder by descriptors, however deep it is; closes the one that it is given.
  private mutating func visit(_ descriptor: Int32, _ path: [UInt8]) throws {
    guard let stream = fdopendir(descriptor) else { throw TemporaryFolder.SystemError(call: "fdopendir", code: errno) }
    defer { closedir(stream) }
    var own = stat()
    fstat(descriptor, &own)
    entries[path] = Entry(own, content: 0)
    while let entry = readdir(stream) {
      let start = UnsafeRawPointer(entry) + (MemoryLayout<dirent>.offset(of: \.d_name) ?? 0)
      let name = Array(UnsafeRawBufferPointer(start: start, count: strlen(start.assumingMemoryBound(to: CChar.self))))
      guard name != Array(".".utf8), name != Array("..".utf8) else { continue }
      try look(at: name.map { CChar(bitPattern: $0) } + [0], in: descriptor, path + [UInt8(ascii: "/")] + name)
    }
  }

  private mutating func look(at name: [CChar], in folder: Int32, _ path: [UInt8]) throws {
    var status = stat()
    guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      throw TemporaryFolder.SystemError(call: "fstatat", code: errno)
    }
    var digest = ContentDigest()
    switch status.st_mode & S_IFMT {
    case S_IFDIR:
      let inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
      if inner >= 0 { return try visit(inner, path) }
    case S_IFREG:
      let file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
      if file >= 0 { FolderState.digest(file, into: &digest) }
    case S_IFLNK:
      var target = [CChar](repeating: 0, count: 4_096)
      let count = readlinkat(folder, name, &target, target.count)
      target[..<max(0, count)].withUnsafeBytes { digest.combine(bytes: $0) }
    default: break
    }
    entries[path] = Entry(status, content: digest.value)
  }

  private static func digest(_ file: Int32, into digest: inout ContentDigest) {
    defer { close(file) }
    var portion = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(file, &portion, portion.count)
      guard count > 0 else { return }
      portion[..<count].withUnsafeBytes { digest.combine(bytes: $0) }
    }
  }
}

extension FolderState.Entry {
  fileprivate init(_ status: stat, content: UInt64) {
    self.init(
      mode: status.st_mode, owner: status.st_uid, inode: UInt64(status.st_ino), byteCount: Int64(status.st_size),
      seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec, content: content)
  }
}
