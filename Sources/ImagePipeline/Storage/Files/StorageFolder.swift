import Glibc

/// A folder of our own, in the cache folder: the only place that anything is written to from here.
///
/// Held open, so that it stays the same folder whatever becomes of its name. The door to the system for folders.
final class StorageFolder: Sendable {
  /// The folder's name, for people to read.
  let name: String
  private let descriptor: OwnedDescriptor

  /// Opens a folder; makes it and those on the way to it, for the user alone, where they are missing.
  ///
  /// The C functions are `mkdir` and `open`.
  ///
  /// - Parameter path: the path's bytes, without a zero byte.
  convenience init(_ path: [UInt8]) throws(StorageError) {
    let name = String(decoding: path, as: UTF8.self)
    guard !path.isEmpty, !path.contains(0) else { throw StorageError(.open, name, code: EINVAL) }
    try StorageFolder.makeFolders(path[...], name)
    try self.init(existing: path)
  }

  /// Opens a folder; makes it where it is missing, for the user alone, and none of those on the way to it: where these have
  /// gone, as a home that is not mounted has, nothing is to be made in their place.
  ///
  /// The C functions are `mkdir` and `open`.
  convenience init(inExistingFolder path: [UInt8]) throws(StorageError) {
    let name = String(decoding: path, as: UTF8.self)
    guard !path.isEmpty, !path.contains(0) else { throw StorageError(.open, name, code: EINVAL) }
    guard mkdir(path.asCString, 0o700) == 0 || errno == EEXIST || errno == EROFS else {
      throw StorageError(.makeFolder, name, code: errno)
    }
    try self.init(existing: path)
  }

  /// Opens a folder that stands there.
  ///
  /// The C function is `open`.
  init(existing path: [UInt8]) throws(StorageError) {
    name = String(decoding: path, as: UTF8.self)
    guard !path.isEmpty, !path.contains(0) else { throw StorageError(.open, name, code: EINVAL) }
    let number = Glibc.open(path.asCString, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { throw StorageError(.open, name, code: errno) }
    descriptor = OwnedDescriptor(adopting: number)
  }

  /// Opens a folder within this one; makes it, for the user alone, where it is missing.
  ///
  /// The C functions are `mkdirat`, and `openat` with O_NOFOLLOW.
  ///
  /// - Throws: ``StorageError`` also for a link, and for a folder of another user's.
  func openSubfolder(_ name: String) throws(StorageError) -> StorageFolder {
    guard mkdirat(descriptor.number, name, 0o700) == 0 || errno == EEXIST || errno == EROFS else {
      throw StorageError(.makeFolder, name, code: errno)
    }
    let number = openat(descriptor.number, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard number >= 0 else { throw StorageError(.open, name, code: errno) }
    let folder = StorageFolder(adopting: number, name: name)
    guard try folder.isOwn() else { throw StorageError(.open, name, code: EPERM) }
    return folder
  }

  private init(adopting number: Int32, name: String) {
    self.name = name
    descriptor = OwnedDescriptor(adopting: number)
  }

  /// How well what is in the folder is kept from others; nothing where the system does not tell.
  var protection: StorageProtection? { withExtendedLifetime(self) { StorageProtection(of: descriptor.number) } }

  /// Whether the folder is this user's.
  ///
  /// The C functions are `fstat` and `geteuid`.
  func isOwn() throws(StorageError) -> Bool {
    var status = stat()
    guard fstat(descriptor.number, &status) == 0 else { throw StorageError(.open, name, code: errno) }
    return status.st_uid == geteuid()
  }

  /// What a name in the folder stands for, a link for itself; nothing where it stands for nothing.
  ///
  /// The C function is `fstatat` with AT_SYMLINK_NOFOLLOW.
  func inode(of file: [UInt8]) -> InodeIdentity? {
    var status = stat()
    guard !file.contains(0), fstatat(descriptor.number, file.asCString, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      return nil
    }
    return InodeIdentity(status)
  }

  /// This folder and those that it is in, up to the root.
  ///
  /// The C function is `fstatat`.
  /// - Throws: ``StorageError`` where the way up is barred.
  func ancestors() throws(StorageError) -> [InodeIdentity] {
    var lineage: [InodeIdentity] = []
    var path = "."
    while path.utf8.count < Int(PATH_MAX) {
      var status = stat()
      guard fstatat(descriptor.number, path, &status, 0) == 0 else { throw StorageError(.open, name, code: errno) }
      let inode = InodeIdentity(status)
      // The root is within itself.
      if inode == lineage.last { return lineage }
      lineage.append(inode)
      path += "/.."
    }
    throw StorageError(.open, name, code: ENAMETOOLONG)
  }

  /// The folder that relative paths begin at; empty where it is gone.
  ///
  /// The C function is `getcwd`.
  static var workingDirectory: [UInt8] {
    guard let text = getcwd(nil, 0) else { return [] }
    defer { free(text) }
    return Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
  }

  private static func makeFolders(_ path: ArraySlice<UInt8>, _ name: String) throws(StorageError) {
    if mkdir(path.asCString, 0o700) == 0 || errno == EEXIST { return }
    let code = errno
    let trimmed = path.count > 1 && path.last == UInt8(ascii: "/") ? path.dropLast() : path
    guard code == ENOENT, let slash = trimmed.lastIndex(of: UInt8(ascii: "/")), slash > trimmed.startIndex else {
      // A read-only file system says so before it looks whether the folder stands.
      if code == EROFS { return }
      throw StorageError(.makeFolder, name, code: code)
    }
    try makeFolders(trimmed[..<slash], name)
    guard mkdir(path.asCString, 0o700) == 0 || errno == EEXIST else {
      throw StorageError(.makeFolder, name, code: errno)
    }
  }

  /// Opens a file for reading and writing, and makes it where it is missing; for reading alone where more is not allowed.
  ///
  /// The C function is `openat` with O_NOFOLLOW: a link in our place is not ours.
  func open(_ file: String) throws(StorageError) -> StorageFile {
    do {
      return try open(file, O_RDWR | O_CREAT, isWritable: true)
    } catch {
      guard error.forbidsWriting else { throw error }
      return try openForReading(file)
    }
  }

  /// Opens a file that stands there; for reading alone where more is not allowed.
  ///
  /// The C function is `openat`.
  func openExisting(_ file: String) throws(StorageError) -> StorageFile {
    do {
      return try open(file, O_RDWR, isWritable: true)
    } catch {
      guard error.forbidsWriting else { throw error }
      return try openForReading(file)
    }
  }

  /// Opens a file that stands there, for reading.
  ///
  /// The C function is `openat`.
  func openForReading(_ file: String) throws(StorageError) -> StorageFile {
    try open(file, O_RDONLY, isWritable: false)
  }

  /// Makes a new file; fails with EEXIST where the name is taken.
  ///
  /// The C function is `openat` with O_EXCL.
  func create(_ file: String) throws(StorageError) -> StorageFile {
    try open(file, O_RDWR | O_CREAT | O_EXCL, isWritable: true)
  }

  /// Makes a file empty, or a new one.
  ///
  /// The C function is `openat` with O_TRUNC.
  func createOrTruncate(_ file: String) throws(StorageError) -> StorageFile {
    try open(file, O_RDWR | O_CREAT | O_TRUNC, isWritable: true)
  }

  private func open(_ file: String, _ flags: Int32, isWritable: Bool) throws(StorageError) -> StorageFile {
    while true {
      let number = openat(descriptor.number, file, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0o600)
      if number >= 0 { return try StorageFile(adopting: number, name: file, isWritable: isWritable) }
      if errno != EINTR { throw StorageError(.open, file, code: errno) }
    }
  }

  /// Which file has a name; nothing where none has.
  ///
  /// The C function is `fstatat`.
  func fileID(of file: String) throws(StorageError) -> StorageFile.FileID? {
    var status = stat()
    if fstatat(descriptor.number, file, &status, AT_SYMLINK_NOFOLLOW) == 0 { return StorageFile.FileID(status) }
    guard errno == ENOENT else { throw StorageError(.read, file, code: errno) }
    return nil
  }

  /// Gives a file another name, in place of what has that name.
  ///
  /// The C function is `renameat`.
  func rename(_ file: String, to other: String) throws(StorageError) {
    guard renameat(descriptor.number, file, descriptor.number, other) == 0 else {
      throw StorageError(.rename, file, code: errno)
    }
  }

  /// Removes a file, if it is there and may be removed.
  ///
  /// The C function is `unlinkat`.
  /// - Returns: whether it is gone.
  @discardableResult
  func remove(_ file: String) -> Bool { unlinkat(descriptor.number, file, 0) == 0 || errno == ENOENT }

  /// The names of what stands in the folder, in no order; what is no UTF-8 is none of ours.
  ///
  /// The C functions are `fdopendir` and `readdir`.
  func names() throws(StorageError) -> [String] {
    // Opened anew, as a copy of the descriptor would share its place in the list with other threads.
    let number = openat(descriptor.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { throw StorageError(.list, name, code: errno) }
    guard let stream = fdopendir(number) else {
      let code = errno
      close(number)
      throw StorageError(.list, name, code: code)
    }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        if errno != 0 { throw StorageError(.list, name, code: errno) }
        return names
      }
      let start = UnsafeRawPointer(entry) + (MemoryLayout<dirent>.offset(of: \.d_name) ?? 0)
      if let text = String(validatingCString: start.assumingMemoryBound(to: CChar.self)) { names.append(text) }
    }
  }
}

extension Collection<UInt8> {
  /// The bytes with a zero behind them, as C functions take paths.
  fileprivate var asCString: [CChar] { map { CChar(bitPattern: $0) } + [0] }
}
