import Glibc

/// The one door to the system: our own folder and the files in it, by the numbers that the system gives.
enum FolderCalls {
  /// What the system said to a call that failed.
  struct Refusal: Error {
    /// The C library's `errno`.
    let code: Int32
  }

  /// Makes a folder that the user alone may enter, and those on the way to it.
  ///
  /// The C functions are `mkdir` and `stat`.
  static func makeFolder(_ path: [UInt8]) throws(Refusal) {
    if mkdir(path.cString, 0o700) == 0 { return }
    let code = errno
    if code == ENOENT, let slash = path.lastIndex(of: UInt8(ascii: "/")), slash > 0 {
      try makeFolder(Array(path[..<slash]))
      guard mkdir(path.cString, 0o700) != 0, errno != EEXIST else { return }
      throw Refusal(code: errno)
    }
    var status = stat()
    guard code == EEXIST, stat(path.cString, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw Refusal(code: code == EEXIST ? ENOTDIR : code)
    }
  }

  /// Makes a folder of a new name that the user alone may enter.
  ///
  /// The C function is `mkdtemp`.
  ///
  /// - Parameter pattern: a path that ends with six letters X, which the name replaces.
  /// - Returns: the folder's path.
  static func makeTemporaryFolder(_ pattern: [UInt8]) throws(Refusal) -> [UInt8] {
    var path = pattern.cString
    guard mkdtemp(&path) != nil else { throw Refusal(code: errno) }
    return path.dropLast().map { UInt8(bitPattern: $0) }
  }

  /// Writes a new file under one name and gives it another when it is whole, so that nobody sees a part.
  ///
  /// The C functions are `open`, `write` and `rename`. Where one fails, the new file is removed.
  static func write(_ bytes: [UInt8], to path: [UInt8], by temporary: [UInt8]) throws(Refusal) {
    let file = open(temporary.cString, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw Refusal(code: errno) }
    var done = 0
    var failure: Int32 = 0
    while done < bytes.count, failure == 0 {
      let count = bytes[done...].withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { failure = errno }
      done += max(0, count)
    }
    // Some file systems say only here that the disk is full.
    if close(file) != 0, failure == 0 { failure = errno }
    if failure == 0, rename(temporary.cString, path.cString) != 0 { failure = errno }
    guard failure == 0 else {
      unlink(temporary.cString)
      throw Refusal(code: failure)
    }
  }

  /// Whether a regular file stands at a path and begins and ends as a whole JPEG file does.
  ///
  /// The C functions are `open`, `fstat` and `pread`.
  static func holdsWholeJPEG(_ path: [UInt8]) -> Bool {
    let file = open(path.cString, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return false }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 4 else { return false }
    var ends = [UInt8](repeating: 0, count: 4)
    let count = ends.withUnsafeMutableBytes { bytes in
      pread(file, bytes.baseAddress, 2, 0) + pread(file, bytes.baseAddress.map { $0 + 2 }, 2, status.st_size - 2)
    }
    return count == 4 && ends == [0xFF, 0xD8, 0xFF, 0xD9]
  }

  /// Removes one of our own files, if it is there.
  ///
  /// The C function is `unlink`.
  static func removeFile(_ path: [UInt8]) { unlink(path.cString) }

  /// Removes a folder, if it is empty.
  ///
  /// The C function is `rmdir`.
  static func removeFolder(_ path: [UInt8]) { rmdir(path.cString) }

  /// What the system calls an error.
  ///
  /// The C function is `strerror_r`.
  static func description(of code: Int32) -> String {
    var text = [CChar](repeating: 0, count: 128)
    guard strerror_r(code, &text, text.count) == 0 else { return "error \(code)" }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The number of this process, for names that no other process takes.
  ///
  /// The C function is `getpid`.
  static var processNumber: Int { Int(getpid()) }
}

extension [UInt8] {
  /// The bytes as C wants a path: with a zero behind them.
  fileprivate var cString: [CChar] { map { CChar(bitPattern: $0) } + [0] }
}
