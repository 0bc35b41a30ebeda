import Glibc
import Testing
import VitrineDecodingProtocol
@testable import VitrineImagePipeline
import VitrineTestSupport

@Suite("Opening image files")
struct ImageFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Returns the reason why a file cannot be opened, or nil if it can.
  private func failure(_ path: [UInt8]) -> ImageFailure? {
    do throws(ImageFailure) {
      let file = try ImageFile(path: path)
      return file.number >= 0 ? nil : .notAFile
    } catch {
      return error
    }
  }

  @Test("A regular file is opened read-only, and its size is known")
  func opens() throws {
    let file = try ImageFile(path: try folder.write([1, 2, 3], to: "picture.jpg"))
    #expect(file.version.identity.byteCount == 3)
    #expect(fcntl(file.number, F_GETFL) & O_ACCMODE == O_RDONLY)
    #expect(fcntl(file.number, F_GETFD) & FD_CLOEXEC == FD_CLOEXEC)
  }

  @Test(
    "A name is any sequence of bytes",
    arguments: [
      [UInt8](" \\ '\"\n.jpg".utf8), [0xFF, 0xFE, 0x80], [UInt8]("-rf".utf8), [UInt8]("e\u{301}.png".utf8),
    ])
  func names(name: [UInt8]) throws {
    let path = folder.pathBytes(of: "") + name
    let descriptor = open(path.map { CChar(bitPattern: $0) } + [0], O_CREAT | O_WRONLY, 0o600)
    try #require(descriptor >= 0)
    #expect(write(descriptor, "x", 1) == 1)
    close(descriptor)
    #expect(failure(path) == nil)
  }

  @Test("A missing or unreadable file cannot be opened")
  func cannotOpen() throws {
    #expect(failure(folder.pathBytes(of: "absent")) == .cannotOpen(ENOENT))
    #expect(failure([]) == .cannotOpen(ENOENT))
    #expect(failure(folder.pathBytes(of: "a\0b")) == .cannotOpen(EINVAL))
    let file = try folder.write([1], to: "file")
    #expect(failure(file + Array("/inside".utf8)) == .cannotOpen(ENOTDIR))
    let hidden = try folder.write([1], to: "hidden", permissions: 0)
    // The superuser may read every file.
    #expect(failure(hidden) == (geteuid() == 0 ? nil : .cannotOpen(EACCES)))
    #expect(ImageFailure.cannotOpen(ENOENT).description == "file is gone")
    #expect(ImageFailure.cannotOpen(EACCES).description == "not allowed to read")
    #expect(ImageFailure.cannotOpen(EIO).description == "cannot be read")
  }

  @Test("FIFOs, folders and devices are not opened as files, and opening them does not block")
  func notFiles() throws {
    try #require(mkfifo(folder.path(of: "fifo.jpg"), 0o600) == 0)
    #expect(failure(folder.pathBytes(of: "fifo.jpg")) == .notAFile)
    #expect(failure(Array(folder.path.utf8)) == .notAFile)
    #expect(failure(Array("/dev/zero".utf8)) == .notAFile)
    try #require(symlink("/dev/null", folder.path(of: "link.png")) == 0)
    #expect(failure(folder.pathBytes(of: "link.png")) == .notAFile)
    try #require(symlink("loop", folder.path(of: "loop")) == 0)
    #expect(failure(folder.pathBytes(of: "loop")) == .cannotOpen(ELOOP))
  }

  @Test("An empty file is refused before it is read")
  func emptyFiles() throws {
    #expect(failure(try folder.write([], to: "empty.jpg")) == .refused(.emptyFile))
    #expect(failure(try folder.write([1], to: "small.jpg")) == nil)
  }

  @Test("A change of an open file is detected")
  func changes() throws {
    let path = try folder.write([1, 2, 3], to: "picture.jpg")
    let file = try ImageFile(path: path)
    #expect(file.currentVersion == file.version)
    try #require(truncate(folder.path(of: "picture.jpg"), 2) == 0)
    #expect(file.currentVersion != file.version)
  }

  @Test("A change is detected even if the modification time was reset")
  func changeWithOldTime() throws {
    let path = try folder.write([1, 2, 3], to: "picture.jpg")
    let file = try ImageFile(path: path)
    let identity = file.version.identity
    let name = folder.path(of: "picture.jpg")
    let writer = open(name, O_WRONLY)
    #expect(write(writer, "x", 1) == 1)
    close(writer)
    var times = [
      // UTIME_OMIT: the access time is not changed.
      timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2),
      timespec(tv_sec: identity.modifiedSeconds, tv_nsec: identity.modifiedNanoseconds),
    ]
    #expect(utimensat(AT_FDCWD, name, &times, 0) == 0)
    #expect(file.currentVersion.identity == identity)
    #expect(file.currentVersion != file.version)
  }

  @Test("A link and another name have the same identity, a copy has another")
  func identities() throws {
    let path = try folder.write([1, 2, 3], to: "picture.jpg")
    let file = try ImageFile(path: path)
    try #require(link(folder.path(of: "picture.jpg"), folder.path(of: "other name")) == 0)
    try #require(symlink("picture.jpg", folder.path(of: "link")) == 0)
    for name in ["other name", "link"] {
      #expect(try ImageFile(path: folder.pathBytes(of: name)).version.identity == file.version.identity)
    }
    let copy = try ImageFile(path: try folder.write([1, 2, 3], to: "copy.jpg"))
    #expect(copy.version.identity != file.version.identity)
  }
}
