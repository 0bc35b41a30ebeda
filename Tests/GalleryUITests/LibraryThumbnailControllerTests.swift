import Testing
import VitrineFramePacing
@testable import VitrineGalleryUI
import VitrineImagePipeline
import VitrineTestSupport

@Suite("Library thumbnail controller")
struct LibraryThumbnailControllerTests {
  private struct Files: ThumbnailFiles {
    var count = 10
    var background: UInt32 { 0 }

    func file(at index: Int) -> ThumbnailFile? { nil }
  }

  private final class Host: LibraryThumbnailHost {
    var thumbnailFiles: (any ThumbnailFiles)?
    var thumbnailProgress: ThumbnailProgress?
    var counts: [Int?] = []
    var changeCount = 0

    func makeThumbnails(of files: (any ThumbnailFiles)?) {
      counts.append(files?.count)
      thumbnailProgress = files.map { ThumbnailProgress(doneCount: 0, totalCount: $0.count) }
    }

    func thumbnailProgressDidChange() { changeCount += 1 }
  }

  private let host = Host()
  private let controller: LibraryThumbnailController

  init() { controller = LibraryThumbnailController(host: host) }

  private func at(_ seconds: Double) -> FrameInstant { .zero + .seconds(seconds) }

  @Test("The files are set once the library is complete, and again after it has changed")
  func setsFiles() {
    controller.isEnabled = true
    controller.update(at: at(1))
    #expect(host.counts == [] && controller.nextFrame == nil)
    host.thumbnailFiles = Files()
    controller.update(at: at(2))
    controller.update(at: at(3))
    #expect(host.counts == [10])
    host.thumbnailFiles = Files(count: 11)
    controller.libraryDidChange()
    controller.update(at: at(4))
    #expect(host.counts == [10, 11])
    controller.libraryDidClose()
    #expect(host.counts == [10, 11, nil] && controller.nextFrame == nil)
  }

  @Test("The progress is updated once a second, shown after a while, and needs no frames at its end")
  func progress() {
    host.thumbnailFiles = Files()
    controller.isEnabled = true
    controller.update(at: at(1))
    #expect(controller.nextFrame == at(2))
    controller.update(at: at(1.5))
    #expect(controller.nextFrame == at(2))
    for second in 2...3 { controller.update(at: at(Double(second))) }
    #expect(controller.statusText == nil && host.changeCount == 0)
    controller.update(at: at(4))
    #expect(controller.statusText == nil && host.changeCount == 0, "none was made")
    host.thumbnailProgress?.doneCount = 4
    controller.update(at: at(5))
    #expect(controller.statusText == "Thumbnails: 4 of 10" && host.changeCount == 1 && controller.nextFrame == at(6))
    host.thumbnailProgress?.doneCount = 10
    controller.update(at: at(6))
    #expect(controller.statusText == nil && host.changeCount == 2 && controller.nextFrame == nil)
  }

  @Test("Without storage no frames are needed, and a controller that is turned off does nothing")
  func off() {
    controller.libraryDidChange()
    host.thumbnailFiles = Files()
    controller.update(at: at(1))
    #expect(host.counts == [])
    controller.isEnabled = true
    controller.update(at: at(2))
    controller.isEnabled = false
    #expect(host.counts == [10, nil] && controller.nextFrame == nil)
    controller.update(at: at(3))
    #expect(host.counts == [10, nil])
  }
}
