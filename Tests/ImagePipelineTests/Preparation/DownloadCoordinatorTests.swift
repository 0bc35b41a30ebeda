import Testing
import VitrineFramePacing
import VitrineGeometry
@testable import VitrineImagePipeline
import VitrineTestSupport
import VitrineThreads

@Suite("Remote download tracker")
struct RemoteDownloadTrackerTests {
  private var tracker = RemoteDownloadTracker()
  private let remote = RemoteImage(address: "http://a/1")

  private func imageRequest(_ source: Int, side: Int = 1) -> ImageRequest {
    ImageRequest(key: key(source, side: side), source: .remote(remote))
  }

  private let content = StoredImage(path: [1], version: 1, byteCount: 9)
  private let stalled = ImageFailure.download(reason: "stalled", isTransient: true)

  private mutating func requestImage(
    _ request: ImageRequest, _ ticket: UInt64, by deadline: Double = 0, at now: Double = 0
  )
    -> [RemoteDownloadTracker.Effect]
  {
    tracker.handle(.request(request, remote, ImageTicket(number: ticket), deadline: at(deadline), at: at(now)))
  }

  @Test("An image is downloaded once for all requests, and then decoded for each of them")
  mutating func sharesDownload() throws {
    #expect(requestImage(imageRequest(1), 1, by: 50) == [.download(remote, for: key(1), deadline: at(50))])
    #expect(requestImage(imageRequest(1), 2, by: 70).isEmpty)
    #expect(requestImage(imageRequest(1), 3, by: 20) == [.updateDeadline(key(1), at(20))])
    #expect(tracker.isPending(key(1)) && tracker.isWaiting(ImageTicket(number: 2)))
    #expect(tracker.handle(.cancel(ImageTicket(number: 3))) == [.updateDeadline(key(1), at(50))])
    #expect(tracker.handle(.updateDeadline(ImageTicket(number: 2), at(5))) == [.updateDeadline(key(1), at(5))])
    let effects = tracker.handle(.downloaded(key(1), .success(content), at: at(0)))
    var decoded = imageRequest(1)
    decoded.source = .file(path: [1])
    decoded.fileBytes = 9
    #expect(
      effects == [
        .decode(decoded, ImageTicket(number: 1), deadline: at(50)),
        .decode(decoded, ImageTicket(number: 2), deadline: at(5)),
      ])
    #expect(!tracker.isPending(key(1)) && !tracker.isWaiting(ImageTicket(number: 2)))
    #expect(
      requestImage(imageRequest(1, side: 2), 4) == [.download(remote, for: key(1, side: 2), deadline: at(0))],
      "the download store knows whether the file exists and is fresh")
  }

  @Test("Cancelling the last request cancels the download, whose result is then ignored")
  mutating func cancels() {
    _ = requestImage(imageRequest(1), 1)
    _ = requestImage(imageRequest(1), 2)
    #expect(tracker.handle(.cancel(ImageTicket(number: 1))).isEmpty)
    #expect(tracker.handle(.cancel(ImageTicket(number: 2))) == [.cancel(key(1))])
    #expect(tracker.handle(.cancel(ImageTicket(number: 2))).isEmpty)
    #expect(tracker.handle(.downloaded(key(1), .success(content), at: at(0))).isEmpty)
  }

  @Test("A failure ends all requests, is known at every size, and is retried after its pause if transient")
  mutating func fails() {
    _ = requestImage(imageRequest(1), 1)
    let effects = tracker.handle(.downloaded(key(1), .failure(stalled), at: at(0)))
    #expect(effects == [.fail(key(1), [ImageTicket(number: 1)], stalled)])
    #expect(tracker.failure(for: key(1, side: 4)) == stalled)
    #expect(!tracker.canAttempt(key(1), at: at(1_999)) && tracker.canAttempt(key(1), at: at(2_000)))
    #expect(requestImage(imageRequest(1), 2, at: 10) == [.fail(key(1), [ImageTicket(number: 2)], stalled)])
    #expect(requestImage(imageRequest(1), 3, at: 2_000).count == 1 && tracker.failedCount == 2)
    _ = tracker.handle(.downloaded(key(1), .success(content), at: at(2_000)))
    #expect(tracker.failure(for: key(1)) == nil)
    _ = requestImage(imageRequest(2), 4)
    _ = tracker.handle(.downloaded(key(2), .failure(.download(reason: "not found", isTransient: false)), at: at(0)))
    #expect(!tracker.canAttempt(key(2), at: .distantFuture))
    tracker.endFailurePauses(at: at(5))
    #expect(tracker.canAttempt(key(2), at: at(5)))
    #expect(requestImage(imageRequest(2), 5, at: 5) == [.download(remote, for: key(2), deadline: at(0))])
  }
}

// MARK: - Image pipeline without a downloader

@MainActor
@Suite("Image pipeline without a downloader")
struct PipelineWithoutDownloaderTests {
  private let waker = TestWaker()

  @Test("Without a downloader nothing is downloaded")
  func withoutDownloader() throws {
    let pipeline = try ImagePipeline(
      ImagePipelineConfiguration(workers: 1), decoders: OpeningDecoders(), waker: waker)
    defer { pipeline.shutdown() }
    pipeline.request(ImageRequest(key: key(1), source: .remote(RemoteImage(address: "http://a/"))), deadline: .onScreen)
    #expect(try pipeline.waitForArrivals(1, waker).first?.outcome.failure == .unsupportedSource)
  }

  @Test(
    "The description of a remote image contains no secrets",
    arguments: [
      ("https://anna:secret@a:8443/b?token=secret", "https://a:8443/b?…"), ("http://a/b@c", "http://a/b@c"),
      ("http://a@b@c", "http://c"), ("http://a/b#part", "http://a/b?…"), ("album/7", "album/7"),
    ])
  func description(address: String, expected: String) {
    #expect(RemoteImage(address: address).description == expected)
  }
}

// MARK: - Support

/// A factory of decoders that only open the files, like those of the pipeline.
private struct OpeningDecoders: DecoderFactory {
  private struct OpeningDecoder: PipelineImageDecoder {
    func prepare() {}

    func decode(_ request: ImageRequest) -> ImageOutcome {
      do throws(ImageFailure) {
        _ = try ImageFile(request.source)
        return .failure(.outOfMemory)
      } catch {
        return .failure(error)
      }
    }
  }

  func makeDecoder(worker: Int) -> any PipelineImageDecoder { OpeningDecoder() }
  func interrupt() {}
}
