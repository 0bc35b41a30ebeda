import CVitrinePlatform
import Glibc
import VitrineImagePipeline

/// A folder in the cache; the interface to the system for folders, and the only location that is written to.
///
/// The folder is held open, so it stays the same folder when it is renamed.
final class StorageFolder: Sendable {
  /// The name of the folder, for display.
  let name: String
  private let descriptor: OwnedDescriptor

  /// Opens a folder; creates it and its missing ancestors, accessible to the user only.
  ///
  /// The C functions are `mkdir` and `open`.
  ///
  /// - Parameter path: The bytes of the path, without a zero byte.
  convenience init(_ path: [UInt8]) throws(StorageError) {
    let name = String(decoding: path, as: UTF8.self)
    guard !path.isEmpty, !path.contains(0) else { throw StorageError(.open, name, code: EINVAL) }
    try StorageFolder.makeFolders(path[...], name)
    try self.init(existing: path)
  }

  /// Opens a folder in an existing folder; creates it, accessible to the user only, if it is missing.
  ///
  /// Ancestors are not created: if they are missing, for example in a home folder that is not mounted, nothing must be
  /// created in their location. The C functions are `mkdir` and `open`.
  convenience init(inExistingFolder path: [UInt8]) throws(StorageError) {
    let name = String(decoding: path, as: UTF8.self)
    guard !path.isEmpty, !path.contains(0) else { throw StorageError(.open, name, code: EINVAL) }
    guard mkdir(path.asCString, 0o700) == 0 || errno == EEXIST || errno == EROFS else {
      throw StorageError(.makeFolder, name, code: errno)
    }
    try self.init(existing: path)
  }

  /// Opens an existing folder.
  ///
  /// The C function is `open`.
  init(existing path: [UInt8]) throws(StorageError) {
    name = String(decoding: path, as: UTF8.self)
    guard !path.isEmpty, !path.contains(0) else { throw StorageError(.open, name, code: EINVAL) }
    let number = Glibc.open(path.asCString, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { throw StorageError(.open, name, code: errno) }
    descriptor = OwnedDescriptor(adopting: number)
  }

  /// Opens a subfolder; creates it, accessible to the user only, if it is missing.
  ///
  /// The C functions are `mkdirat`, and `openat` with O_NOFOLLOW.
  ///
  /// - Throws: ``StorageError``, also for a symbolic link and for another user's folder.
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

  // MARK: - Identity

  /// The protection of the folder's files from other users; nil if the system does not report it.
  var protection: StorageProtection? { withExtendedLifetime(self) { StorageProtection(of: descriptor.number) } }

  /// Whether the folder is on a file system that another machine serves.
  var isOnNetwork: Bool { platform_is_on_network(descriptor.number) == 1 }

  /// Returns whether the current user owns the folder.
  ///
  /// The C functions are `fstat` and `geteuid`.
  func isOwn() throws(StorageError) -> Bool {
    var status = stat()
    guard fstat(descriptor.number, &status) == 0 else { throw StorageError(.open, name, code: errno) }
    return status.st_uid == geteuid()
  }

  /// Returns the identity of a file in the folder without following a symbolic link, or nil if there is none.
  ///
  /// The C function is `fstatat` with AT_SYMLINK_NOFOLLOW.
  func inode(of file: [UInt8]) -> InodeIdentity? {
    var status = stat()
    guard !file.contains(0), fstatat(descriptor.number, file.asCString, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      return nil
    }
    return InodeIdentity(status)
  }

  /// Returns the identities of this folder and its ancestors, up to the root.
  ///
  /// The C function is `fstatat`.
  /// - Throws: ``StorageError`` if an ancestor is inaccessible.
  func ancestors() throws(StorageError) -> [InodeIdentity] {
    var identities: [InodeIdentity] = []
    var path = "."
    while path.utf8.count < Int(PATH_MAX) {
      var status = stat()
      guard fstatat(descriptor.number, path, &status, 0) == 0 else { throw StorageError(.open, name, code: errno) }
      let inode = InodeIdentity(status)
      // The parent of the root is the root.
      if inode == identities.last { return identities }
      identities.append(inode)
      path += "/.."
    }
    throw StorageError(.open, name, code: ENAMETOOLONG)
  }

  /// The path of the current working directory; empty if it was removed.
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
      // A read-only file system returns EROFS even if the folder exists.
      if code == EROFS { return }
      throw StorageError(.makeFolder, name, code: code)
    }
    try makeFolders(trimmed[..<slash], name)
    guard mkdir(path.asCString, 0o700) == 0 || errno == EEXIST else {
      throw StorageError(.makeFolder, name, code: errno)
    }
  }

  // MARK: - Files

  /// Opens a file for reading and writing, creating it if it is missing; for reading only if writing is not permitted.
  ///
  /// The C function is `openat` with O_NOFOLLOW, as a symbolic link was not created by this program.
  func open(_ file: String) throws(StorageError) -> StorageFile {
    do {
      return try open(file, O_RDWR | O_CREAT, isWritable: true)
    } catch {
      guard error.forbidsWriting else { throw error }
      return try openForReading(file)
    }
  }

  /// Opens an existing file for reading.
  ///
  /// The C function is `openat`.
  func openForReading(_ file: String) throws(StorageError) -> StorageFile {
    try open(file, O_RDONLY, isWritable: false)
  }

  /// Creates a new file; throws EEXIST if the name is in use.
  ///
  /// The C function is `openat` with O_EXCL.
  func create(_ file: String) throws(StorageError) -> StorageFile {
    try open(file, O_RDWR | O_CREAT | O_EXCL, isWritable: true)
  }

  private func open(_ file: String, _ flags: Int32, isWritable: Bool) throws(StorageError) -> StorageFile {
    while true {
      let number = openat(descriptor.number, file, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0o600)
      if number >= 0 { return try StorageFile(adopting: number, name: file, isWritable: isWritable) }
      if errno != EINTR { throw StorageError(.open, file, code: errno) }
    }
  }

  /// Renames a file, replacing any file with the new name.
  ///
  /// The C function is `renameat`.
  func rename(_ file: String, to other: String) throws(StorageError) {
    guard renameat(descriptor.number, file, descriptor.number, other) == 0 else {
      throw StorageError(.rename, file, code: errno)
    }
  }

  /// Removes a file.
  ///
  /// The C function is `unlinkat`.
  /// - Returns: Whether the file does not exist any more.
  @discardableResult
  func remove(_ file: String) -> Bool { unlinkat(descriptor.number, file, 0) == 0 || errno == ENOENT }

  /// Returns whether the folder and a file in it may be written.
  ///
  /// The C function is `faccessat`.
  func canWrite(_ file: String) -> Bool {
    faccessat(descriptor.number, file, W_OK, AT_EACCESS) == 0
      && faccessat(descriptor.number, ".", W_OK, AT_EACCESS) == 0
  }

  /// Removes a symbolic link; has no effect for other files.
  ///
  /// The C functions are `fstatat` with AT_SYMLINK_NOFOLLOW and `unlinkat`.
  func removeLink(_ file: String) {
    var status = stat()
    guard fstatat(descriptor.number, file, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFLNK
    else { return }
    remove(file)
  }

  /// Removes an empty subfolder; has no effect for others.
  ///
  /// The C function is `unlinkat` with AT_REMOVEDIR.
  func removeFolder(_ name: String) { _ = unlinkat(descriptor.number, name, AT_REMOVEDIR) }

  // MARK: - Listing

  /// Returns the names in the folder, in no particular order; names that are not UTF-8 are skipped.
  ///
  /// The C functions are `fdopendir` and `readdir`.
  func names() throws(StorageError) -> [String] {
    // Opened again, as a duplicate of the descriptor would share its position with other threads.
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
  /// The bytes as a null-terminated C string.
  fileprivate var asCString: [CChar] { map { CChar(bitPattern: $0) } + [0] }
}
