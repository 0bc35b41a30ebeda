import Foundation
import Glibc
import VitrineRendering

/// A temporary folder that is removed, with its contents, when the object is deallocated.
///
/// Names in it are bytes, because they need not be UTF-8.
final class TemporaryFolder {
  /// An error of a system call.
  struct SystemError: Error, CustomStringConvertible {
    var call: String
    var code: Int32
    var description: String { "\(call): \(String(cString: strerror(code)))" }
  }

  /// The path of the folder.
  let path: String

  /// Creates a folder.
  ///
  /// - Parameter name: The name of the folder, in a new parent folder. Default: a unique name.
  init(named name: String? = nil) throws {
    let outer = NSTemporaryDirectory() + "vitrine-scenario-" + UUID().uuidString
    path = name.map { outer + "/" + $0 } ?? outer
    root = outer
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  private let root: String

  deinit {
    // Not by Foundation: some trees are deeper than the longest path, and some folders are not readable.
    _ = try? ChildProcess(
      ["chmod", "-R", "u+rwX", root].map { Array($0.utf8) }, environment: BuiltProgram.environment(home: "/")
    ).waitForExit()
    _ = try? ChildProcess(
      ["rm", "-rf", root].map { Array($0.utf8) }, environment: BuiltProgram.environment(home: "/")
    ).waitForExit()
  }

  /// The path as bytes.
  var pathBytes: [UInt8] { Array(path.utf8) }

  /// Returns the path of an item in the folder.
  func path(of name: String) -> String { path + "/" + name }

  /// Returns the path of an item in the folder, as bytes.
  func bytes(of name: [UInt8]) -> [UInt8] { pathBytes + [UInt8(ascii: "/")] + name }

  // MARK: Creating items

  /// Writes a file.
  func write(_ content: [UInt8], to name: String, mode: mode_t = 0o644) throws {
    try write(content, to: Array(name.utf8), mode: mode)
  }

  /// Writes a file.
  func write(_ content: [UInt8], to name: [UInt8], mode: mode_t = 0o644) throws {
    let file = open(cString(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    try check("open", file)
    defer { close(file) }
    var done = 0
    while done < content.count {
      let count = content[done...].withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      try check("write", Int32(clamping: count))
      done += count
    }
    try check("fchmod", fchmod(file, mode))
  }

  /// Creates a folder, with intermediate folders.
  func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(atPath: path(of: name), withIntermediateDirectories: true)
  }

  /// Creates a folder.
  func makeFolder(_ name: [UInt8]) throws { try check("mkdir", mkdir(cString(name), 0o755)) }

  /// Creates a symbolic link.
  func link(_ name: String, to target: String) throws { try check("symlink", symlink(target, path(of: name))) }

  /// Creates a hard link to a file.
  func hardLink(_ name: String, to other: String) throws {
    try check("link", Glibc.link(path(of: other), path(of: name)))
  }

  /// Writes a file in nested folders, whose path may be longer than the kernel accepts.
  func write(_ content: [UInt8], to name: String, under folders: [String]) throws {
    var folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    try check("open", folder)
    for inner in folders {
      try check("mkdirat", mkdirat(folder, inner, 0o755))
      let next = openat(folder, inner, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      close(folder)
      folder = next
      try check("openat", folder)
    }
    let file = openat(folder, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    close(folder)
    try check("openat", file)
    defer { close(file) }
    let count = content.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
    try check("write", count == content.count ? 0 : -1)
  }

  /// Creates a FIFO.
  func makeFIFO(_ name: String) throws { try check("mkfifo", mkfifo(path(of: name), 0o644)) }

  /// Creates a FIFO whose buffer is full, so that a writer blocks until the FIFO is read.
  ///
  /// - Returns: The FIFO's descriptor. The caller must close it.
  func makeFullFIFO(_ name: String) throws -> Int32 {
    try makeFIFO(name)
    let descriptor = open(path(of: name), O_RDWR | O_NONBLOCK | O_CLOEXEC)
    try check("open", descriptor)
    let buffer = [UInt8](repeating: 0, count: 4_096)
    while Glibc.write(descriptor, buffer, buffer.count) > 0 {}
    guard errno == EAGAIN else { throw SystemError(call: "write", code: errno) }
    return descriptor
  }

  /// Creates a socket without a listener.
  func makeSocket(_ name: String) throws {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    try check("socket", descriptor)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = Array(path(of: name).utf8CString)
    guard path.count <= MemoryLayout.size(ofValue: address.sun_path) else {
      throw SystemError(call: "bind", code: ENAMETOOLONG)
    }
    withUnsafeMutableBytes(of: &address.sun_path) { destination in
      path.withUnsafeBytes { destination.copyMemory(from: $0) }
    }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try check("bind", result)
  }

  /// Sets the permissions of a file or folder.
  func setMode(_ mode: mode_t, of name: String) throws { try check("chmod", chmod(path(of: name), mode)) }

  private func cString(_ name: [UInt8]) -> [CChar] { bytes(of: name).map { CChar(bitPattern: $0) } + [0] }

  private func check(_ call: String, _ result: Int32) throws {
    if result < 0 { throw SystemError(call: call, code: errno) }
  }
}

// MARK: - State of a folder

/// The observable state of a folder and its contents: types, permissions, owners, modification times and contents.
struct FolderState: Equatable {
  /// The state of an item.
  struct Entry: Equatable {
    var mode: UInt32
    var owner: UInt32
    var inode: UInt64
    var byteCount: Int64
    var seconds: Int
    var nanoseconds: Int
    /// A digest of the bytes of a file, or of the target of a symbolic link.
    var content: UInt64
  }

  private(set) var entries: [[UInt8]: Entry] = [:]

  /// Records the state of a folder.
  ///
  /// Files are read, but FIFOs and other special files are not opened.
  init(_ folder: TemporaryFolder) throws {
    let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw TemporaryFolder.SystemError(call: "open", code: errno) }
    try addFolder(descriptor, path: [])
  }

  /// Returns the paths whose entries are missing in one of the states or differ.
  func differences(from other: FolderState) -> [String] {
    Set(entries.keys).union(other.entries.keys).filter { entries[$0] != other.entries[$0] }
      .map { String(decoding: $0, as: UTF8.self) }.sorted()
  }

  /// Adds a folder and its contents by descriptors, however deep the tree is.
  ///
  /// Closes the given descriptor.
  private mutating func addFolder(_ descriptor: Int32, path: [UInt8]) throws {
    guard let stream = fdopendir(descriptor) else { throw TemporaryFolder.SystemError(call: "fdopendir", code: errno) }
    defer { closedir(stream) }
    var own = stat()
    fstat(descriptor, &own)
    entries[path] = Entry(own, content: 0)
    while let entry = readdir(stream) {
      let start = UnsafeRawPointer(entry) + (MemoryLayout<dirent>.offset(of: \.d_name) ?? 0)
      let name = Array(UnsafeRawBufferPointer(start: start, count: strlen(start.assumingMemoryBound(to: CChar.self))))
      guard name != Array(".".utf8), name != Array("..".utf8) else { continue }
      try addEntry(
        named: name.map { CChar(bitPattern: $0) } + [0], in: descriptor, path: path + [UInt8(ascii: "/")] + name)
    }
  }

  private mutating func addEntry(named name: [CChar], in folder: Int32, path: [UInt8]) throws {
    var status = stat()
    guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      throw TemporaryFolder.SystemError(call: "fstatat", code: errno)
    }
    var digest = ContentDigest()
    switch status.st_mode & S_IFMT {
    case S_IFDIR:
      let inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
      if inner >= 0 { return try addFolder(inner, path: path) }
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
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(file, &buffer, buffer.count)
      guard count > 0 else { return }
      buffer[..<count].withUnsafeBytes { digest.combine(bytes: $0) }
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
