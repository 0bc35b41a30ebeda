import Glibc

/// An output file that replaces its destination only when it is complete.
///
/// A regular file, or a path that does not exist, is written to a temporary file in the same folder and then renamed.
/// Standard output, devices, FIFOs and the targets of symbolic links are written to directly, because they must not be
/// replaced. This class contains all calls into the system that write files in this target.
public nonisolated final class OutputFile {
  private let path: String
  /// The temporary file to rename, or nil if the destination is written to directly.
  private let temporary: String?
  private var descriptor: Int32

  /// Returns the path of a sibling file, such as `trace-step-1.json` for `trace.json`.
  ///
  /// - Parameters:
  ///   - path: The path of the file. `-` is returned unchanged.
  ///   - addition: The text to insert before the file extension.
  public static func siblingPath(of path: String, suffix addition: String) -> String {
    guard path != "-" else { return path }
    let name = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
    // A leading dot does not begin an extension.
    let dot = path[name...].lastIndex(of: ".").flatMap { $0 > name ? $0 : nil } ?? path.endIndex
    return "\(path[..<dot])-\(addition)\(path[dot...])"
  }

  /// Opens a file for writing.
  ///
  /// An existing file remains until ``close()``.
  ///
  /// The C functions are `lstat` and `open`.
  ///
  /// - Parameter destination: The path, or `-` for standard output.
  /// - Throws: ``OutputError`` if the destination cannot be written.
  public init(_ destination: String) throws(OutputError) {
    path = destination
    if destination == "-" {
      temporary = nil
      descriptor = STDOUT_FILENO
      return
    }
    var status = stat()
    let isTaken = lstat(destination, &status) == 0
    let kind = status.st_mode & S_IFMT
    guard !isTaken || kind != S_IFDIR else { throw OutputError(code: EISDIR) }
    if isTaken, kind != S_IFREG {
      temporary = nil
      descriptor = open(destination, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0o666)
      guard descriptor >= 0 else { throw OutputError(code: errno) }
    } else {
      let made = try OutputFile.makeTemporaryFile(nextTo: destination)
      temporary = made.path
      descriptor = made.descriptor
    }
  }

  /// Checks before a run that a file can be written at its end, without changing anything.
  ///
  /// Creates and removes a temporary file in the folder, as writing the file does. A device, a FIFO or the target of a
  /// symbolic link is only checked for permission, because opening it may truncate it or wait for a reader. The C
  /// functions are `lstat`, `open`, `unlink`, `stat`, `faccessat` and `readlink`.
  ///
  /// - Parameter destination: The path, or `-` for standard output.
  /// - Throws: ``OutputError`` if the destination cannot be written.
  public static func checkWritable(_ destination: String) throws(OutputError) {
    guard destination != "-" else { return }
    var status = stat()
    let isTaken = lstat(destination, &status) == 0
    let kind = status.st_mode & S_IFMT
    guard !isTaken || kind != S_IFDIR else { throw OutputError(code: EISDIR) }
    guard isTaken, kind != S_IFREG else {
      let made = try makeTemporaryFile(nextTo: destination)
      Glibc.close(made.descriptor)
      unlink(made.path)
      return
    }
    if kind == S_IFLNK, stat(destination, &status) != 0 {
      guard errno == ENOENT else { throw OutputError(code: errno) }
      // The file is created at the link's target. The recursion ends, because `stat` reports a cycle as another error.
      if let target = target(ofLink: destination) { try checkWritable(target) }
      return
    }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw OutputError(code: EISDIR) }
    guard faccessat(AT_FDCWD, destination, W_OK, AT_EACCESS) == 0 else { throw OutputError(code: errno) }
  }

  /// Appends bytes to a file with a single write, and creates the file if it does not exist.
  ///
  /// For log files, to which other processes may write at the same time. The C functions are `open` with `O_APPEND`,
  /// `write` and `close`.
  ///
  /// - Throws: ``OutputError``. A part of the bytes may have been written.
  package static func append(_ bytes: some Collection<UInt8>, to path: String) throws(OutputError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0o666)
    guard descriptor >= 0 else { throw OutputError(code: errno) }
    let bytes = Array(bytes)
    var (count, code) = (0, Int32(0))
    repeat {
      count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      code = errno
    } while count < 0 && code == EINTR
    guard Glibc.close(descriptor) == 0 else { throw OutputError(code: errno) }
    guard count == bytes.count else { throw OutputError(code: count < 0 ? code : ENOSPC) }
  }

  /// Returns the target of a symbolic link, relative to the same folder as the link, or nil if it is not UTF-8.
  private static func target(ofLink path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &buffer, buffer.count)
    let bytes = buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
    guard !bytes.isEmpty, let target = String(validating: bytes, as: UTF8.self) else { return nil }
    guard !target.hasPrefix("/"), let slash = path.lastIndex(of: "/") else { return target }
    return path[...slash] + target
  }

  deinit {
    guard descriptor > STDERR_FILENO else { return }
    Glibc.close(descriptor)
    if let temporary { unlink(temporary) }
  }

  /// Writes bytes after those already written.
  ///
  /// The C function is `write`.
  ///
  /// - Throws: ``OutputError``, for example if the disk is full.
  public func write(_ bytes: some Collection<UInt8>) throws(OutputError) {
    let bytes = Array(bytes)
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { throw OutputError(code: errno) }
      done += max(0, count)
    }
  }

  /// Closes the file and moves it to its destination.
  ///
  /// Without this call, the file is discarded.
  ///
  /// The C functions are `close` and `rename`.
  ///
  /// - Throws: ``OutputError``. The existing file then remains, and the temporary file is removed.
  public func close() throws(OutputError) {
    guard descriptor > STDERR_FILENO else { return }
    let isClosed = Glibc.close(descriptor) == 0
    let code = errno
    descriptor = -1
    guard let temporary else { return }
    guard isClosed else {
      unlink(temporary)
      throw OutputError(code: code)
    }
    guard rename(temporary, path) == 0 else {
      let error = OutputError(code: errno)
      unlink(temporary)
      throw error
    }
  }

  /// Creates a file with a unique name in the same folder, because rename(2) does not work across file systems.
  private static func makeTemporaryFile(nextTo path: String) throws(OutputError) -> (path: String, descriptor: Int32) {
    for attempt in 0..<64 {
      let temporary = "\(path).\(getpid())-\(attempt).part"
      let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if descriptor >= 0 { return (temporary, descriptor) }
      if errno != EEXIST { throw OutputError(code: errno) }
    }
    throw OutputError(code: EEXIST)
  }
}

/// An error that occurs when an output file cannot be written.
public struct OutputError: Error, Hashable, CustomStringConvertible {
  /// The value of `errno`.
  public let code: Int32

  package nonisolated init(code: Int32) { self.code = code }

  /// The system's reason, without the path.
  ///
  /// The C function is `strerror`.
  public nonisolated var description: String { "cannot be written: " + String(cString: strerror(code)) }
}
