import Glibc
import Synchronization
import Testing
@testable import VitrineImagePipeline
import VitrineDecodingProtocol
import VitrineTestSupport
import VitrineThreads

@Suite("Opener of files")
struct FileOpenerTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Opens of files that last until they are released, each for one descriptor.
  private final class Opens: Sendable {
    private struct State {
      var isReleased = false
      var count = 0
      var descriptors: [Int32] = []
      var threads: Set<pthread_t> = []
    }

    private let state = Lock(State())

    init(areReleased: Bool) { state.withLock { $0.isReleased = areReleased } }

    var count: Int { state.withLock { $0.count } }
    var descriptors: [Int32] { state.withLock { $0.descriptors } }
    var onOwnThread: Bool { state.withLock { $0.threads == [pthread_self()] } }

    func release() {
      state.withLock { $0.isReleased = true }
      state.wakeAll()
    }

    func open(_ path: [UInt8]) -> Int32 {
      state.withLock { state in
        state.count += 1
        state.threads.insert(pthread_self())
      }
      state.wait { $0.isReleased ? () : nil }
      let number = Glibc.open(String(decoding: path, as: UTF8.self), O_RDONLY | O_CLOEXEC)
      let result = number >= 0 ? number : -errno
      state.withLock { $0.descriptors.append(result) }
      return result
    }
  }

  private func failure(_ opener: FileOpener, _ path: [UInt8], continues: Bool = true) -> ImageFailure? {
    do throws(ImageFailure) {
      _ = try opener.file(at: path) { continues }
      return nil
    } catch {
      return error
    }
  }

  @Test("A server that does not answer keeps the caller for the limit once, and is asked again when it has answered")
  func silentServer() throws {
    let path = try folder.write([1], to: "a.jpg")
    let opens = Opens(areReleased: false)
    let opener = FileOpener(limit: .zero, open: opens.open, isLocal: { _ in false })
    #expect(failure(opener, path) == .cannotOpen(ETIMEDOUT) && opener.abandonedCount == 1)
    // Another file of the folder is not even tried, and one of another folder is.
    #expect(failure(opener, try folder.write([1], to: "b.jpg")) == .cannotOpen(ETIMEDOUT))
    try #require(mkdir(folder.path(of: "other"), 0o700) == 0)
    #expect(failure(opener, try folder.write([1], to: "other/c.jpg")) == .cannotOpen(ETIMEDOUT))
    #expect(opener.abandonedCount == 2)
    opens.release()
    try Deadline().wait(for: "the abandoned threads") { opener.abandonedCount == 0 ? () : nil }
    #expect(opens.count == 2 && opens.descriptors.count == 2)
    let patient = FileOpener(open: opens.open, isLocal: { _ in false })
    #expect(failure(patient, path) == nil && opens.count == 3)
  }

  @Test("A caller that is interrupted does not wait")
  func interrupted() throws {
    let path = try folder.write([1], to: "a.jpg")
    let opens = Opens(areReleased: false)
    let opener = FileOpener(open: opens.open, isLocal: { _ in false })
    #expect(failure(opener, path, continues: false) == .interrupted)
    opens.release()
    try Deadline().wait(for: "the abandoned thread") { opener.abandonedCount == 0 ? () : nil }
  }

  @Test("Only the first file of a folder on a local disk is opened on another thread", arguments: [true, false])
  func localDisk(isLocal: Bool) throws {
    let path = try folder.write([1], to: "a.jpg")
    let (first, later) = (Opens(areReleased: true), Opens(areReleased: true))
    let isFirst = Atomic(true)
    let opener = FileOpener(
      open: { isFirst.exchange(false, ordering: .relaxed) ? first.open($0) : later.open($0) }, isLocal: { _ in isLocal }
    )
    #expect(failure(opener, path) == nil && !first.onOwnThread)
    for _ in 0..<3 { #expect(failure(opener, path) == nil) }
    #expect(later.count == 3 && later.onOwnThread == isLocal)
  }

  @Test("Errors are those of the system, and a file of this disk is recognized")
  func realFiles() throws {
    let path = try folder.write([1], to: "a.jpg")
    let opener = FileOpener()
    #expect(failure(opener, path) == nil)
    #expect(failure(opener, folder.pathBytes(of: "none.jpg")) == .cannotOpen(ENOENT))
    #expect(failure(opener, path + [0]) == .cannotOpen(EINVAL))
    #expect(failure(opener, try folder.write([], to: "empty.jpg")) == .refused(.emptyFile))
  }
}
