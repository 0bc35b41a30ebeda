import Foundation
import Glibc

/// A folder of one test, removed with all it holds; names in it are bytes, as they need not be text.
final class TemporaryFolder {
  /// What the system would not do.
  struct SystemError: Error, CustomStringConvertible {
    var call: String
    var code: Int32
    var description: String { "\(call): \(String(cString: strerror(code)))" }
  }

  /// Where it is.
  let path: String

  /// Makes a folder.
  ///
  /// - Parameter name: its own name, in a folder made for it; any unless told.
  init(named name: String? = nil) throws {
    let outer = NSTemporaryDirectory() + "vitrine-scenario-" + UUID().uuidString
    path = name.map { outer + "/" + $0 } ?? outer
    root = outer
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  private let root: String

  deinit {
    // Not by a library: some of these trees are deeper than any path, and some folders forbid to be listed.
    _ = try? ChildProcess(
      ["chmod", "-R", "u+rwX", root].map { Array($0.utf8) }, environment: BuiltProgram.environment(home: "/")
    ).waitForEnd()
    _ = try? ChildProcess(
      ["rm", "-rf", root].map { Array($0.utf8) }, environment: BuiltProgram.environment(home: "/")
    ).waitForEnd()
  }

  /// The path in bytes.
  var pathBytes: [UInt8] { Array(path.utf8) }

  /// The path of something in it.
  func path(of name: String) -> String { path + "/" + name }

  /// The path of something in it, in bytes.
  func bytes(of name: [UInt8]) -> [UInt8] { pathBytes + [UInt8(ascii: "/")] + name }

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

  /// Makes a folder in it, and those on the way.
  func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(atPath: path(of: name), withIntermediateDirectories: true)
  }

  /// Makes a folder in it.
  func makeFolder(_ name: [UInt8]) throws { try check("mkdir", mkdir(cString(name), 0o755)) }

  /// Makes a symbolic link.
  func link(_ name: String, to target: String) throws { try check("symlink", symlink(target, path(of: name))) }

  /// Gives a file another name beside its own.
  func hardLink(_ name: String, to other: String) throws {
    try check("link", Glibc.link(path(of: other), path(of: name)))
  }

  /// Writes a file under so many folders that its path may be longer than the kernel takes.
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

  /// Makes a FIFO.
  func makeFIFO(_ name: String) throws { try check("mkfifo", mkfifo(path(of: name), 0o644)) }

  /// Makes a FIFO into which nothing more goes until somebody reads.
  ///
  /// - Returns: its descriptor, to be closed.
  func makeFullFIFO(_ name: String) throws -> Int32 {
    try makeFIFO(name)
    let descriptor = open(path(of: name), O_RDWR | O_NONBLOCK | O_CLOEXEC)
    try check("open", descriptor)
    let portion = [UInt8](repeating: 0, count: 4_096)
    while Glibc.write(descriptor, portion, portion.count) > 0 {}
    guard errno == EAGAIN else { throw SystemError(call: "write", code: errno) }
    return descriptor
  }

  /// Makes a socket that nobody listens on.
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
    withUnsafeMutableBytes(of: &address.sun_path) { place in path.withUnsafeBytes { place.copyMemory(from: $0) } }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try check("bind", result)
  }

  /// Changes what may be done with a file or folder.
  func setMode(_ mode: mode_t, of name: String) throws { try check("chmod", chmod(path(of: name), mode)) }

  private func cString(_ name: [UInt8]) -> [CChar] { bytes(of: name).map { CChar(bitPattern: $0) } + [0] }

  private func check(_ call: String, _ result: Int32) throws {
    if result < 0 { throw SystemError(call: call, code: errno) }
  }
}
