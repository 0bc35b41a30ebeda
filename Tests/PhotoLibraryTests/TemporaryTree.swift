import Glibc

@testable import VitrinePhotoLibrary

/// A folder of real files for one test, which is removed with the object.
final class TemporaryTree {
  /// The path of the folder.
  let root: PhotoPath

  init() throws {
    var template = "/tmp/vitrine-tests-XXXXXX".utf8.map { CChar(bitPattern: $0) } + [0]
    guard mkdtemp(&template) != nil else { throw TreeError(code: errno) }
    root = PhotoPath(cString: template)
  }

  deinit { TreeEraser.erase(root) }

  /// Returns the path of an entry of the tree.
  func path(_ name: String) -> PhotoPath { PhotoPath(root.bytes + [0x2F] + name.utf8) }

  /// Creates a folder and its missing ancestors.
  @discardableResult
  func makeFolder(_ name: String) throws -> PhotoPath {
    var path = root
    for component in name.utf8.split(separator: 0x2F) {
      path = path.appending(component)
      if mkdir(path.cString, 0o755) != 0, errno != EEXIST { throw TreeError(code: errno) }
    }
    return path
  }

  /// Creates a file and the missing folders of its path.
  @discardableResult
  func makeFile(_ name: String, _ bytes: [UInt8] = SmallPicture.png) throws -> PhotoPath {
    let path = path(name)
    try makeFile(at: path.lastComponent, in: path.parent == root ? root : makeFolder(relative(path.parent)), bytes)
    return path
  }

  /// Creates a file whose name consists of arbitrary bytes.
  func makeFile(
    at name: some Collection<UInt8>, in folder: PhotoPath, _ bytes: [UInt8] = SmallPicture.png
  ) throws {
    let number = open(folder.appending(name).cString, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard number >= 0 else { throw TreeError(code: errno) }
    defer { close(number) }
    guard write(number, bytes, bytes.count) == bytes.count else { throw TreeError(code: errno) }
  }

  /// Removes a file.
  func remove(_ name: String) throws {
    guard unlink(path(name).cString) == 0 else { throw TreeError(code: errno) }
  }

  /// Creates a symbolic link.
  func makeLink(_ name: String, to target: String) throws {
    guard symlink(target, path(name).cString) == 0 else { throw TreeError(code: errno) }
  }

  /// Creates a hard link to a file.
  func makeHardLink(_ name: String, to target: String) throws {
    guard Glibc.link(path(target).cString, path(name).cString) == 0 else { throw TreeError(code: errno) }
  }

  /// Creates a FIFO.
  func makeFIFO(_ name: String) throws {
    guard mkfifo(path(name).cString, 0o644) == 0 else { throw TreeError(code: errno) }
  }

  /// Creates nested folders with a picture in the innermost, so that its path may exceed the length limit.
  ///
  /// - Returns: The path of the picture.
  func makeFolderChain(of count: Int, named name: String, picture: String) throws -> PhotoPath {
    var folder = open(root.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    var path = root
    for _ in 0..<count {
      guard folder >= 0, mkdirat(folder, name, 0o755) == 0 else { throw TreeError(code: errno) }
      let next = openat(folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      close(folder)
      folder = next
      path = path.appending(name)
    }
    let number = openat(folder, picture, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    close(folder)
    guard number >= 0 else { throw TreeError(code: errno) }
    defer { close(number) }
    guard write(number, SmallPicture.png, SmallPicture.png.count) > 0 else { throw TreeError(code: errno) }
    return path.appending(picture)
  }

  private func relative(_ path: PhotoPath) -> String {
    String(decoding: path.bytes.dropFirst(root.bytes.count + 1), as: UTF8.self)
  }
}

/// An error while creating the files of a test.
private struct TreeError: Error {
  let code: Int32
}

extension PhotoPath {
  /// The path as a C string.
  var cString: [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }
}

/// Removes a test's folder with all its contents, at any depth.
enum TreeEraser {
  static func erase(_ path: PhotoPath) {
    if let folder = try? SystemCalls.openFolder(path) { empty(folder) }
    rmdir(path.cString)
  }

  private static func empty(_ folder: borrowing FileDescriptor) {
    var names: [[CChar]] = []
    try? SystemCalls.forEachEntry(in: folder) { name, _ in names.append(name.asCString) }
    for name in names where unlinkat(folder.number, name, 0) != 0 {
      // A test may have removed all permissions.
      fchmodat(folder.number, name, 0o700, 0)
      if let inner = try? SystemCalls.openFolder(named: name, in: folder, followingLink: false) { empty(inner) }
      unlinkat(folder.number, name, AT_REMOVEDIR)
    }
  }
}

/// A digest of all that a scan must not change: each entry's name, type, mode, size, modification time and contents.
enum TreeDigest {
  /// Returns one line per entry, sorted.
  static func lines(of root: PhotoPath) throws -> [String] {
    var lines: [String] = []
    try add(SystemCalls.openFolder(root), root, &lines)
    return lines.sorted()
  }

  private static func add(_ folder: borrowing FileDescriptor, _ path: PhotoPath, _ lines: inout [String]) throws {
    var names: [[UInt8]] = []
    try SystemCalls.forEachEntry(in: folder) { name, _ in names.append(Array(name)) }
    for name in names {
      let text = name.asCString
      var status = stat()
      let whole = path.appending(name)
      guard fstatat(folder.number, text, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
        lines.append("\(whole.escaped) cannot be read: \(errno)")
        continue
      }
      var line = "\(whole.escaped) \(status.st_mode) \(status.st_size) \(status.st_nlink)"
      line += " \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec) \(status.st_ctim.tv_sec).\(status.st_ctim.tv_nsec)"
      // Only the first megabyte of the contents: one of the hostile files has a size of eight gigabytes.
      if status.st_mode & S_IFMT == S_IFREG, let file = try? SystemCalls.openFile(named: text, in: folder) {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in try SystemCalls.read(file, from: 0, count: min(1 << 20, Int(status.st_size))) {
          hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        line += " \(hash)"
      }
      lines.append(line)
      if status.st_mode & S_IFMT == S_IFDIR,
        let inner = try? SystemCalls.openFolder(named: text, in: folder, followingLink: false)
      {
        try add(inner, whole, &lines)
      }
    }
  }
}

/// Pictures of a few bytes with valid headers.
enum SmallPicture {
  /// The header of a PNG of 8 by 6 pixels.
  static let png = png(width: 8, height: 6)

  /// Returns the header of a PNG.
  static func png(width: UInt8, height: UInt8) -> [UInt8] {
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
      + [0, 0, 0, width, 0, 0, 0, height, 8, 2, 0, 0, 0, 0, 0, 0, 0]
  }
}
