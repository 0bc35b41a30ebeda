import Foundation
import Glibc

/// A temporary folder for one test, which is removed with its contents at deinitialization.
public final class TemporaryFolder {
  /// The folder's path.
  public let path: String

  /// Creates an empty folder.
  public init() throws {
    path = NSTemporaryDirectory() + "vitrine-tests-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The folder's path, as bytes.
  public var pathBytes: [UInt8] { Array(path.utf8) }

  /// Returns the path of a file in the folder.
  public func path(of name: String) -> String { path + "/" + name }

  /// Returns the path of a file in the folder, as bytes.
  public func pathBytes(of name: String) -> [UInt8] { Array(path(of: name).utf8) }

  /// Returns whether a file with this name exists in the folder.
  public func contains(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(of: name)) }

  /// Returns the sorted names of the files in a subfolder.
  public func fileNames(in name: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path(of: name))) ?? []).sorted()
  }

  /// Returns the length of a file, in bytes.
  public func byteCount(of name: String) throws -> Int {
    try Data(contentsOf: URL(fileURLWithPath: path(of: name))).count
  }

  /// Writes a file.
  ///
  /// - Returns: The bytes of its path.
  @discardableResult
  public func write(_ content: some Sequence<UInt8>, to name: String, permissions: Int = 0o644) throws -> [UInt8] {
    try Data(content).write(to: URL(fileURLWithPath: path(of: name)))
    try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path(of: name))
    return pathBytes(of: name)
  }

  /// Writes an executable file.
  ///
  /// A file that is open for writing cannot be executed (ETXTBSY), and a process that another test is starting holds a
  /// copy of our descriptor until its exec. A read lease is granted only when no descriptor is open for writing.
  ///
  /// - Returns: The file's path.
  public func writeExecutable(_ content: String, to name: String) throws -> String {
    try write(content.utf8, to: name, permissions: 0o755)
    let file = open(path(of: name), O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    let setLease: Int32 = 1_024
    try Deadline().wait(for: "the last writer of \(name) to close it") {
      fcntl(file, setLease, F_RDLCK) == 0 || errno != EAGAIN ? () : nil
    }
    _ = fcntl(file, setLease, F_UNLCK)
    return path(of: name)
  }
}
