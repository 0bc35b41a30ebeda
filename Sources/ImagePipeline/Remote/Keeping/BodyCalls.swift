import CPlatform
import Glibc

/// The one door to the system for what is downloaded: files of our own in our own cache folder, and memory without a name.
///
/// Names within the folder are ours: letters and digits. What is thrown says nothing else than that something cannot be kept.
enum DownloadFileSystem {
  /// What a file is, as far as a cache cares.
  struct Status: Hashable, Sendable {
    var node: UInt64
    var byteCount: Int
    var modifiedSeconds: Int
    var modifiedNanoseconds: Int

    /// How long ago it was changed, in seconds; negative for what is changed later, and never so much that it cannot be told.
    func age(_ now: Int) -> Int {
      let (age, isTooMuch) = now.subtractingReportingOverflow(modifiedSeconds)
      return isTooMuch ? (modifiedSeconds < now ? .max : -.max) : age
    }
  }

  /// Opens a folder, which it makes, for the user alone, where it and the one around it are not there.
  ///
  /// The C functions are `mkdir` and `open`.
  static func openFolder(_ path: [UInt8]) throws(RemoteFailure) -> OwnedDescriptor {
    guard !path.contains(0) else { throw .cannotStore(EINVAL) }
    if let slash = path.lastIndex(of: UInt8(ascii: "/")), slash > 0 { mkdir(cString(path[..<slash]), 0o700) }
    mkdir(cString(path[...]), 0o700)
    return try adopt(open(cString(path[...]), O_RDONLY | O_DIRECTORY | O_CLOEXEC))
  }

  /// What is thrown where a file of a name is to be made and there is one.
  static let nameIsTaken = RemoteFailure.cannotStore(EEXIST)

  /// Makes a new file that the user alone may read.
  ///
  /// The C function is `openat` with O_EXCL.
  static func createFile(_ name: String, in folder: borrowing OwnedDescriptor) throws(RemoteFailure) -> OwnedDescriptor
  {
    try adopt(openat(folder.number, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600))
  }

  /// Opens one of our files for reading.
  ///
  /// The C function is `openat`.
  static func openFile(_ name: String, in folder: borrowing OwnedDescriptor) throws(RemoteFailure) -> OwnedDescriptor {
    try adopt(openat(folder.number, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC))
  }

  /// Takes memory without a name.
  ///
  /// The C function is `memfd_create`.
  static func createMemory() throws(RemoteFailure) -> OwnedDescriptor {
    try adopt(platform_open_memory("vitrine download"))
  }

  /// Makes memory stay as it is.
  ///
  /// The C function is `fcntl` with F_ADD_SEALS.
  static func seal(_ memory: borrowing OwnedDescriptor) throws(RemoteFailure) {
    guard platform_seal_memory(memory.number) == 0 else { throw .cannotStore(errno) }
  }

  /// Writes all bytes.
  ///
  /// The C function is `write`.
  static func write(_ bytes: UnsafeRawBufferPointer, to file: borrowing OwnedDescriptor) throws(RemoteFailure) {
    var rest = bytes
    while !rest.isEmpty {
      let count = Glibc.write(file.number, rest.baseAddress, rest.count)
      if count < 0, errno != EINTR { throw .cannotStore(errno) }
      rest = UnsafeRawBufferPointer(rebasing: rest[max(0, count)...])
    }
  }

  /// Writes all bytes.
  ///
  /// The C function is `write`.
  static func write(_ bytes: RawSpan, to file: borrowing OwnedDescriptor) throws(RemoteFailure) {
    let result = bytes.withUnsafeBytes { bytes -> Result<Void, RemoteFailure> in
      do throws(RemoteFailure) {
        return .success(try write(bytes, to: file))
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }

  /// Reads the first bytes of an open file, as many as asked for.
  ///
  /// The C function is `pread`.
  static func read(_ number: Int32, count: Int) throws(RemoteFailure) -> [UInt8] {
    var failure: RemoteFailure?
    let bytes = [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, filled in
      while filled < buffer.count {
        let got = pread(number, buffer.baseAddress.map { $0 + filled }, buffer.count - filled, filled)
        if got > 0 {
          filled += got
        } else if got == 0 || errno != EINTR {
          failure = .cannotStore(got == 0 ? EIO : errno)
          return
        }
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// What an open file is; nothing where it is no regular one.
  ///
  /// The C function is `fstat`.
  static func status(of file: borrowing OwnedDescriptor) -> Status? {
    var status = stat()
    return fstat(file.number, &status) == 0 ? Status(status) : nil
  }

  /// What one of our files is; nothing where there is no regular one.
  ///
  /// The C function is `fstatat`.
  static func status(of name: String, in folder: borrowing OwnedDescriptor) -> Status? {
    var status = stat()
    return fstatat(folder.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? Status(status) : nil
  }

  /// Gives a file another name, at one stroke.
  ///
  /// The C function is `renameat`.
  static func rename(_ name: String, to other: String, in folder: borrowing OwnedDescriptor) throws(RemoteFailure) {
    guard renameat(folder.number, name, folder.number, other) == 0 else { throw .cannotStore(errno) }
  }

  /// Removes one of our files, if it is there.
  ///
  /// The C function is `unlinkat`.
  static func remove(_ name: String, in folder: borrowing OwnedDescriptor) { unlinkat(folder.number, name, 0) }

  /// Notes that one of our files was used now.
  ///
  /// The C function is `utimensat`.
  static func touch(_ name: String, in folder: borrowing OwnedDescriptor) {
    utimensat(folder.number, name, nil, AT_SYMLINK_NOFOLLOW)
  }

  /// The names in the folder, in no order.
  ///
  /// The C functions are `fdopendir` and `readdir`.
  static func names(in folder: borrowing OwnedDescriptor) -> [String] {
    let copy = openat(folder.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0 else { return [] }
    guard let stream = fdopendir(copy) else {
      close(copy)
      return []
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let start = UnsafeRawPointer(entry) + (MemoryLayout<dirent>.offset(of: \.d_name) ?? 0)
      names.append(String(cString: start.assumingMemoryBound(to: CChar.self)))
    }
    return names
  }

  /// Another descriptor of the same file, its owner's.
  ///
  /// The C function is `fcntl` with F_DUPFD_CLOEXEC.
  static func duplicate(_ file: borrowing OwnedDescriptor) -> Int32 { fcntl(file.number, F_DUPFD_CLOEXEC, 0) }

  /// Seconds since 1970.
  ///
  /// The C function is `time`.
  static func wallSeconds() -> Int { time(nil) }

  private static func adopt(_ number: Int32) throws(RemoteFailure) -> OwnedDescriptor {
    guard number >= 0 else { throw .cannotStore(errno) }
    return OwnedDescriptor(adopting: number)
  }

  private static func cString(_ bytes: ArraySlice<UInt8>) -> [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }
}

extension DownloadFileSystem.Status {
  /// Takes the kernel's answer, where it tells of a regular file.
  fileprivate init?(_ status: stat) {
    guard status.st_mode & S_IFMT == S_IFREG else { return nil }
    self.init(
      node: UInt64(status.st_ino), byteCount: Int(status.st_size), modifiedSeconds: status.st_mtim.tv_sec,
      modifiedNanoseconds: status.st_mtim.tv_nsec)
  }
}
