import Glibc

/// A file that a run writes for its user: there whole or not at all, and the old one until then.
///
/// A file, or a name that is free, gets its bytes by a new file beside it and a rename. Standard output, devices, FIFOs
/// and what links lead to are written to directly, as nothing may take their place. The one door to the system for
/// writing in this target.
public nonisolated final class OutputFile {
  private let path: String
  /// The file that is to be renamed; nothing where the bytes go straight to their place.
  private let temporary: String?
  private var descriptor: Int32

  /// The path of another file beside one, such as `trace-step-1.json` beside `trace.json`.
  ///
  /// - Parameters:
  ///   - path: that file's path; `-` stays what it is.
  ///   - addition: what is put before the ending.
  public static func path(beside path: String, named addition: String) -> String {
    guard path != "-" else { return path }
    let name = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
    // A name that begins with a dot has no ending by that.
    let dot = path[name...].lastIndex(of: ".").flatMap { $0 > name ? $0 : nil } ?? path.endIndex
    return "\(path[..<dot])-\(addition)\(path[dot...])"
  }

  /// Opens a file for writing; what it replaces stands until ``close()``.
  ///
  /// The C functions are `lstat` and `open`.
  ///
  /// - Parameter destination: a path; `-` for standard output.
  /// - Throws: ``OutputError`` where nothing can be written there.
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
      let made = try OutputFile.makeFile(beside: destination)
      temporary = made.path
      descriptor = made.descriptor
    }
  }

  /// Finds out before a run whether a file can be written at its end; leaves everything as it was.
  ///
  /// In the way of the writer itself: a new file is made in the folder, and taken away again. A device, a FIFO or what a
  /// link leads to is asked about alone, as opening it may empty it or wait for a reader. The C functions are `lstat`,
  /// `open`, `unlink`, `stat`, `faccessat` and `readlink`.
  ///
  /// - Parameter destination: a path; `-` for standard output.
  /// - Throws: ``OutputError`` where nothing can be written there.
  public static func checkWritable(_ destination: String) throws(OutputError) {
    guard destination != "-" else { return }
    var status = stat()
    let isTaken = lstat(destination, &status) == 0
    let kind = status.st_mode & S_IFMT
    guard !isTaken || kind != S_IFDIR else { throw OutputError(code: EISDIR) }
    guard isTaken, kind != S_IFREG else {
      let made = try makeFile(beside: destination)
      Glibc.close(made.descriptor)
      unlink(made.path)
      return
    }
    if kind == S_IFLNK, stat(destination, &status) != 0 {
      guard errno == ENOENT else { throw OutputError(code: errno) }
      // The file is made where the link leads. A chain of links has an end, or it would be another error.
      if let target = target(ofLink: destination) { try checkWritable(target) }
      return
    }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw OutputError(code: EISDIR) }
    guard faccessat(AT_FDCWD, destination, W_OK, AT_EACCESS) == 0 else { throw OutputError(code: errno) }
  }

  /// Writes bytes behind what a file holds, in one piece; makes the file where there is none.
  ///
  /// For logs, which others may write to at the same time. The C functions are `open` with `O_APPEND`, `write` and `close`.
  ///
  /// - Throws: ``OutputError``; a part of the bytes may then be there.
  static func append(_ bytes: some Collection<UInt8>, to path: String) throws(OutputError) {
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

  /// Where a link leads, as a path like the link's own; nothing where that is no text.
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

  /// Writes bytes behind those before.
  ///
  /// The C function is `write`.
  ///
  /// - Throws: ``OutputError``, such as for a full disk.
  public func write(_ bytes: some Collection<UInt8>) throws(OutputError) {
    let bytes = Array(bytes)
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { throw OutputError(code: errno) }
      done += max(0, count)
    }
  }

  /// Puts the file in its place; without this there will be none.
  ///
  /// The C functions are `close` and `rename`.
  ///
  /// - Throws: ``OutputError``; the old file then stands, and nothing is left behind.
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

  /// Makes a file under a fresh name in the same folder, which rename(2) cannot leave.
  private static func makeFile(beside path: String) throws(OutputError) -> (path: String, descriptor: Int32) {
    for attempt in 0..<64 {
      let temporary = "\(path).\(getpid())-\(attempt).part"
      let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if descriptor >= 0 { return (temporary, descriptor) }
      if errno != EEXIST { throw OutputError(code: errno) }
    }
    throw OutputError(code: EEXIST)
  }
}
