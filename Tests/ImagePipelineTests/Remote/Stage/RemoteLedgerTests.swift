import FramePacing
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Pictures that wait for their download")
struct RemoteLedgerTests {
  private var ledger = RemoteDownloadTracker()
  private let remote = RemoteRequest(remoteURL(1, "a"))

  private func wanted(_ source: Int, side: Int = 1) -> ImageRequest {
    ImageRequest(key: key(source, side: side), source: .remote(remote))
  }

  private func content(_ bytes: Int = 9) -> RemoteContent {
    RemoteContent(
      url: remote.url, source: .file(path: [1]), byteCount: bytes, version: 1, isFromPublicServer: false)
  }

  private mutating func ask(_ request: ImageRequest, _ ticket: UInt64, by deadline: Double = 0, at now: Double = 0)
    -> [RemoteDownloadTracker.Effect]
  {
    ledger.handle(.request(request, remote, ImageTicket(number: ticket), deadline: at(deadline), at: at(now)))
  }

  @Test("a picture is downloaded once for all who want it, and decoded for each when it is there")
  mutating func joins() throws {
    #expect(ask(wanted(1), 1, by: 50) == [.download(remote, for: key(1), deadline: at(50))])
    #expect(ask(wanted(1), 2, by: 70).isEmpty)
    #expect(ask(wanted(1), 3, by: 20) == [.updateDeadline(key(1), at(20))])
    #expect(ledger.isPending(key(1)) && ledger.isWaiting(ImageTicket(number: 2)))
    #expect(ledger.handle(.cancel(ImageTicket(number: 3))) == [.updateDeadline(key(1), at(50))])
    #expect(ledger.handle(.updateDeadline(ImageTicket(number: 2), at(5))) == [.updateDeadline(key(1), at(5))])
    let effects = ledger.handle(.downloaded(key(1), .success(content()), at: at(0)))
    var decoded = wanted(1)
    decoded.source = .file(path: [1])
    decoded.fileBytes = 9
    #expect(
      effects == [
        .decode(decoded, ImageTicket(number: 1), deadline: at(50)),
        .decode(decoded, ImageTicket(number: 2), deadline: at(5)),
      ])
    #expect(!ledger.isPending(key(1)) && !ledger.isWaiting(ImageTicket(number: 2)))
    #expect(
      ask(wanted(1, side: 2), 4) == [.download(remote, for: key(1, side: 2), deadline: at(0))],
      "who keeps what was downloaded knows whether it is still there, and still good")
  }

  @Test("the last who leaves ends the download, and what comes of it then is of no interest")
  mutating func leaving() {
    _ = ask(wanted(1), 1)
    _ = ask(wanted(1), 2)
    #expect(ledger.handle(.cancel(ImageTicket(number: 1))).isEmpty)
    #expect(ledger.handle(.cancel(ImageTicket(number: 2))) == [.cancel(key(1))])
    #expect(ledger.handle(.cancel(ImageTicket(number: 2))).isEmpty)
    #expect(ledger.handle(.downloaded(key(1), .success(content()), at: at(0))).isEmpty)
  }

  @Test("a failure is told, known at every size, and tried again after its pause where it may pass")
  mutating func failing() {
    _ = ask(wanted(1), 1)
    let effects = ledger.handle(.downloaded(key(1), .failure(.stalled), at: at(0)))
    #expect(effects == [.fail(key(1), [ImageTicket(number: 1)], .remote(.stalled))])
    #expect(ledger.failure(for: key(1, side: 4)) == .remote(.stalled))
    #expect(!ledger.canAttempt(key(1), at: at(1_999)) && ledger.canAttempt(key(1), at: at(2_000)))
    #expect(ask(wanted(1), 2, at: 10) == [.fail(key(1), [ImageTicket(number: 2)], .remote(.stalled))])
    #expect(ask(wanted(1), 3, at: 2_000).count == 1 && ledger.failedCount == 2)
    _ = ledger.handle(.downloaded(key(1), .success(content()), at: at(2_000)))
    #expect(ledger.failure(for: key(1)) == nil)
    _ = ask(wanted(2), 4)
    _ = ledger.handle(.downloaded(key(2), .failure(.notFound), at: at(0)))
    #expect(!ledger.canAttempt(key(2), at: .distantFuture))
  }
}
