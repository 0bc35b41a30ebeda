import Glibc
import PhotoLibrary

/// A folder of real files for one test, removed with it.
final class TemporaryTree {
  /// Where it is.
  let root: PhotoPath

  init() throws {
    var template = "/tmp/vitrine-tests-XXXXXX".utf8.map { CChar(bitPattern: $0) } + [0]
    guard mkdtemp(&template) != nil else { throw TreeError(code: errno) }
    root = PhotoPath(cString: template)
  }

  deinit { TreeEraser.erase(root) }

  /// The path of something in the tree.
  func path(_ name: String) -> PhotoPath { PhotoPath(root.bytes + [0x2F] + name.utf8) }

  /// Makes a folder and those on the way.
  @discardableResult
  func folder(_ name: String) throws -> PhotoPath {
    var path = root
    for component in name.utf8.split(separator: 0x2F) {
      path = path.appending(component)
      if mkdir(path.text, 0o755) != 0, errno != EEXIST { throw TreeError(code: errno) }
    }
    return path
  }

  /// Makes a file, and the folders on the way.
  @discardableResult
  func file(_ name: String, _ bytes: [UInt8] = SmallPicture.png) throws -> PhotoPath {
    let path = path(name)
    try file(at: path.lastComponent, in: path.parent == root ? root : folder(relative(path.parent)), bytes)
    return path
  }

  /// Makes a file whose name may be any bytes.
  func file(
    at name: some Collection<UInt8>, in folder: PhotoPath, _ bytes: [UInt8] = SmallPicture.png
  ) throws {
    let number = open(folder.appending(name).text, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard number >= 0 else { throw TreeError(code: errno) }
    defer { close(number) }
    guard write(number, bytes, bytes.count) == bytes.count else { throw TreeError(code: errno) }
  }

  /// Makes a symbolic link.
  func link(_ name: String, to target: String) throws {
    guard symlink(target, path(name).text) == 0 else { throw TreeError(code: errno) }
  }

  /// Gives a file a second name.
  func hardLink(_ name: String, to target: String) throws {
    guard Glibc.link(path(target).text, path(name).text) == 0 else { throw TreeError(code: errno) }
  }

  /// Makes a FIFO.
  func fifo(_ name: String) throws {
    guard mkfifo(path(name).text, 0o644) == 0 else { throw TreeError(code: errno) }
  }

  /// Makes folders in each other, deeper than a path can be, with a picture in the last.
  ///
  /// - Returns: the picture's path.
  func chain(of count: Int, named name: String, picture: String) throws -> PhotoPath {
    var folder = open(root.text, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
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

/// The test could not make its files.
struct TreeError: Error {
  let code: Int32
}

extension PhotoPath {
  /// The path as C functions take it.
  var text: [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }
}
