import Glibc

/// An output file that replaces its destination only when it is complete.
///
/// A regular file, or a path that does not exist, is written to a temporary file in the same folder and then renamed. The
/// temporary file has no name until it is complete, where the file system supports that, so that nothing is left of a process
/// that is killed. Standard output, devices, FIFOs and the targets of symbolic links are written to directly, because they must not be
/// replaced. This class contains all calls into the system that write files in this target.
public nonisolated final class OutputFile {
  private let path: String
  /// What becomes the destination, or nil if it is written to directly.
  private let temporary: TemporaryFile?
  private var descriptor: Int32

  /// A file that becomes the destination when it is complete.
  private enum TemporaryFile {
    /// A file without a name.
    case unnamed
    /// A file with a name in the same folder.
    case named(String)
  }

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
      if let unnamed = OutputFile.makeUnnamedFile(nextTo: destination) {
        temporary = .unnamed
        descriptor = unnamed
      } else {
        let made = try OutputFile.makeTemporaryFile(nextTo: destination)
        temporary = .named(made.path)
        descriptor = made.descriptor
      }
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
      if let unnamed = makeUnnamedFile(nextTo: destination) {
        Glibc.close(unnamed)
        return
      }
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
    if case .named(let name)? = temporary { unlink(name) }
  }

  /// Whether there is a file at the destination that ``close()`` replaces.
  ///
  /// The C function is `lstat`.
  public var replacesFile: Bool {
    var status = stat()
    return temporary != nil && lstat(path, &status) == 0
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
  /// The C functions are `linkat`, `close` and `rename`.
  ///
  /// - Throws: ``OutputError``. The existing file then remains, and the temporary file is removed.
  public func close() throws(OutputError) {
    guard descriptor > STDERR_FILENO else { return }
    let name: String?
    do throws(OutputError) {
      name = try nameOfCompleteFile()
    } catch {
      Glibc.close(descriptor)
      descriptor = -1
      throw error
    }
    let isClosed = Glibc.close(descriptor) == 0
    let code = errno
    descriptor = -1
    guard let name else { return }
    guard isClosed else {
      unlink(name)
      throw OutputError(code: code)
    }
    guard name == path || rename(name, path) == 0 else {
      let error = OutputError(code: errno)
      unlink(name)
      throw error
    }
  }

  // MARK: - Temporary files

  /// Returns the name of the temporary file, or nil if there is none.
  ///
  /// A file without a name gets that of the destination, or a temporary one if that is taken.
  private func nameOfCompleteFile() throws(OutputError) -> String? {
    switch temporary {
    case nil: return nil
    case .named(let name): return name
    case .unnamed:
      var name = path
      for attempt in 0..<OutputFile.maximumAttempts {
        let source = OutputFile.systemPath(of: descriptor)
        if linkat(AT_FDCWD, source, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 { return name }
        guard errno == EEXIST else { throw OutputError(code: errno) }
        if attempt == 0 { OutputFile.removeAbandonedFiles(nextTo: path) }
        name = OutputFile.temporaryName(nextTo: path, attempt)
      }
      throw OutputError(code: EEXIST)
    }
  }

  /// The number of names that are tried for a temporary file.
  private static let maximumAttempts = 64

  private static func temporaryName(nextTo path: String, _ attempt: Int) -> String {
    "\(path)\(temporaryPart)\(getpid())-\(attempt).part"
  }

  /// What follows the name of the destination in that of a temporary file, before the number of the process.
  private static let temporaryPart = ".vitrine-"

  /// The path of an open file in the system's own file system, by which it gets a name.
  private static func systemPath(of descriptor: Int32) -> String { "/proc/self/fd/\(descriptor)" }

  /// Creates a file without a name in the same folder, or returns nil if the file system does not support that.
  ///
  /// The C functions are `open` with O_TMPFILE, and `access`.
  private static func makeUnnamedFile(nextTo path: String) -> Int32? {
    // A name that is too long for a temporary one is reported before something is written.
    let name = temporaryName(nextTo: path, maximumAttempts).utf8
    guard (name.lastIndex(of: UInt8(ascii: "/")).map { name[$0...].count - 1 } ?? name.count) <= Int(NAME_MAX) else {
      return nil
    }
    // The macro O_TMPFILE is not imported. The folder's flag, which it contains, differs between processors.
    let descriptor = open(folder(of: path), O_WRONLY | O_DIRECTORY | 0o20_000_000 | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { return nil }
    // Without this file system, the file could not get a name.
    if access(systemPath(of: descriptor), F_OK) == 0 { return descriptor }
    Glibc.close(descriptor)
    return nil
  }

  /// Creates a file with a unique name in the same folder, because rename(2) does not work across file systems.
  ///
  /// It is locked, so that other processes know that it is being written.
  private static func makeTemporaryFile(nextTo path: String) throws(OutputError) -> (path: String, descriptor: Int32) {
    removeAbandonedFiles(nextTo: path)
    for attempt in 0..<maximumAttempts {
      let temporary = temporaryName(nextTo: path, attempt)
      let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if descriptor >= 0 {
        flock(descriptor, LOCK_EX | LOCK_NB)
        return (temporary, descriptor)
      }
      if errno != EEXIST { throw OutputError(code: errno) }
    }
    throw OutputError(code: EEXIST)
  }

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  }

  /// Removes temporary files for a destination whose process was killed.
  ///
  /// Such a file has the name that this program gives, belongs to the user, is not locked, and its process has ended. The C
  /// functions are `readdir`, `kill`, `open`, `fstat`, `flock` and `unlink`.
  private static func removeAbandonedFiles(nextTo path: String) {
    let folder = folder(of: path)
    let start = Array((path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path).utf8)
    guard let stream = opendir(folder) else { return }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = UnsafeRawPointer(entry) + (MemoryLayout<dirent>.offset(of: \.d_name) ?? 0)
      let text = name.assumingMemoryBound(to: CChar.self)
      let bytes = UnsafeRawBufferPointer(start: name, count: strlen(text))
      guard bytes.starts(with: start), let process = process(ofTemporaryName: bytes.dropFirst(start.count)),
        kill(process, 0) != 0, errno == ESRCH
      else { continue }
      removeIfUnused("\(folder)/\(String(cString: text))")
    }
  }

  /// Returns the number of the process that gave a temporary file its name, or nil if the name is another one.
  ///
  /// - Parameter ending: The name without that of the destination.
  private static func process(ofTemporaryName ending: Slice<UnsafeRawBufferPointer>) -> pid_t? {
    let ending = String(decoding: ending, as: UTF8.self)
    guard ending.hasPrefix(temporaryPart), ending.hasSuffix(".part") else { return nil }
    let numbers = ending.dropFirst(temporaryPart.count).dropLast(5).split(
      separator: "-", omittingEmptySubsequences: false)
    guard numbers.count == 2, let process = pid_t(numbers[0]), process > 0, let attempt = Int(numbers[1]), attempt >= 0
    else { return nil }
    return process
  }

  private static func removeIfUnused(_ path: String) {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return }
    defer { Glibc.close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
      flock(descriptor, LOCK_EX | LOCK_NB) == 0
    else { return }
    unlink(path)
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
