import DecodingProtocol
import Glibc
import Testing

@testable import ImagePipeline

@Suite("Opening a user's file")
struct PictureFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Why a file is not opened; nothing when it is.
  private func failure(_ path: [UInt8]) -> ImageFailure? {
    do throws(ImageFailure) {
      let file = try PictureFile(path: path)
      return file.number >= 0 ? nil : .notAFile
    } catch {
      return error
    }
  }

  @Test("opens a regular file for reading alone, and knows its size")
  func opens() throws {
    let file = try PictureFile(path: try folder.write([1, 2, 3], to: "picture.jpg"))
    #expect(file.version.identity.byteCount == 3)
    #expect(fcntl(file.number, F_GETFL) & O_ACCMODE == O_RDONLY)
    #expect(fcntl(file.number, F_GETFD) & FD_CLOEXEC == FD_CLOEXEC)
  }

  @Test(
    "a name is bytes, whatever they mean",
    arguments: [
      [UInt8](" \\ '\"\n.jpg".utf8), [0xFF, 0xFE, 0x80], [UInt8]("-rf".utf8), [UInt8]("e\u{301}.png".utf8),
    ])
  func names(name: [UInt8]) throws {
    let path = folder.bytes(of: "") + name
    let made = open(path.map { CChar(bitPattern: $0) } + [0], O_CREAT | O_WRONLY, 0o600)
    try #require(made >= 0)
    #expect(write(made, "x", 1) == 1)
    close(made)
    #expect(failure(path) == nil)
  }

  @Test("what is not there, or may not be read, cannot be opened")
  func cannotOpen() throws {
    #expect(failure(folder.bytes(of: "absent")) == .cannotOpen(ENOENT))
    #expect(failure([]) == .cannotOpen(ENOENT))
    #expect(failure(folder.bytes(of: "a\0b")) == .cannotOpen(EINVAL))
    let file = try folder.write([1], to: "file")
    #expect(failure(file + Array("/inside".utf8)) == .cannotOpen(ENOTDIR))
    let hidden = try folder.write([1], to: "hidden", permissions: 0)
    // The superuser may read everything.
    #expect(failure(hidden) == (geteuid() == 0 ? nil : .cannotOpen(EACCES)))
    #expect(ImageFailure.cannotOpen(ENOENT).description == "file is gone")
    #expect(ImageFailure.cannotOpen(EACCES).description == "not allowed to read")
    #expect(ImageFailure.cannotOpen(EIO).description == "cannot be read")
  }

  @Test("a FIFO without a writer, a folder, a socket and devices are no files, and nobody waits for them")
  func notFiles() throws {
    try #require(mkfifo(folder.path(of: "fifo.jpg"), 0o600) == 0)
    #expect(failure(folder.bytes(of: "fifo.jpg")) == .notAFile)
    #expect(failure(Array(folder.path.utf8)) == .notAFile)
    #expect(failure(Array("/dev/zero".utf8)) == .notAFile)
    try #require(symlink("/dev/null", folder.path(of: "link.png")) == 0)
    #expect(failure(folder.bytes(of: "link.png")) == .notAFile)
    try #require(symlink("ring", folder.path(of: "ring")) == 0)
    #expect(failure(folder.bytes(of: "ring")) == .cannotOpen(ELOOP))
  }

  @Test("a file of no bytes is refused before anybody reads it")
  func sizes() throws {
    #expect(failure(try folder.write([], to: "empty.jpg")) == .refused(.emptyFile))
    #expect(failure(try folder.write([1], to: "small.jpg")) == nil)
  }

  @Test("sees that the file it has open was changed")
  func changes() throws {
    let path = try folder.write([1, 2, 3], to: "picture.jpg")
    let file = try PictureFile(path: path)
    #expect(file.currentVersion == file.version)
    try #require(truncate(folder.path(of: "picture.jpg"), 2) == 0)
    #expect(file.currentVersion != file.version)
  }

  @Test("sees a change whose time was set back")
  func changesInSecret() throws {
    let path = try folder.write([1, 2, 3], to: "picture.jpg")
    let file = try PictureFile(path: path)
    let identity = file.version.identity
    let name = folder.path(of: "picture.jpg")
    let writer = open(name, O_WRONLY)
    #expect(write(writer, "x", 1) == 1)
    close(writer)
    var times = [
      // UTIME_OMIT: the time of last access stays as it is.
      timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2),
      timespec(tv_sec: identity.modifiedSeconds, tv_nsec: identity.modifiedNanoseconds),
    ]
    #expect(utimensat(AT_FDCWD, name, &times, 0) == 0)
    #expect(file.currentVersion.identity == identity)
    #expect(file.currentVersion != file.version)
  }

  @Test("a link and another name are the same file, a copy is another")
  func identities() throws {
    let path = try folder.write([1, 2, 3], to: "picture.jpg")
    let file = try PictureFile(path: path)
    try #require(link(folder.path(of: "picture.jpg"), folder.path(of: "other name")) == 0)
    try #require(symlink("picture.jpg", folder.path(of: "link")) == 0)
    for name in ["other name", "link"] {
      #expect(try PictureFile(path: folder.bytes(of: name)).version.identity == file.version.identity)
    }
    let copy = try PictureFile(path: try folder.write([1, 2, 3], to: "copy.jpg"))
    #expect(copy.version.identity != file.version.identity)
  }
}
