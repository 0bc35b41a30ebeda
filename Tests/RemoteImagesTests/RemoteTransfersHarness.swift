import VitrineDataStructures
import VitrineFramePacing
import VitrineImagePipeline
@testable import VitrineRemoteImages
import VitrineTestSupport
import VitrineThreads

/// The bytes of a file with the signature of a JPEG image, which is all that a transfer checks.
let pictureBytes = [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 7, count: 2_000)

/// Transfers for one test, and their results.
final class RemoteTransfersHarness {
  let transfers: RemoteTransfers
  private let results = Lock<[(name: String, result: Result<RemoteContent, RemoteFailure>)]>([])

  init(
    folder: TemporaryFolder? = nil, maximumBytes: Int = 1 << 20, seconds: Double = 30, freshnessSeconds: Int = 0,
    memoryBytes: Int = 256 << 20, inFlightBytes: Int = 128 << 20, proxies: ProxyRules = ProxyRules(),
    resolvedHosts: [String] = []
  ) throws {
    let limits = RemoteLimits(maximumBytes: maximumBytes, totalTime: .seconds(seconds))
    var configuration = RemoteConfiguration(
      folder: folder?.pathBytes(of: "remote"), memoryBytes: memoryBytes, inFlightBytes: inFlightBytes, picture: limits,
      manifest: limits, freshnessSeconds: freshnessSeconds, seed: 1)
    configuration.proxies = proxies
    configuration.resolvedHosts = resolvedHosts
    transfers = try RemoteTransfers(configuration)
  }

  deinit { transfers.shutdown() }

  @discardableResult
  func fetch(
    _ text: String, kind: RemoteKind = .picture, isPublic: Bool = false, deadline: FrameInstant = .onScreen,
    name: String = ""
  ) -> RemoteTransfer {
    guard let url = RemoteURL(text) else { failPrecondition("no address: \(text)") }
    let results = results
    return transfers.fetch(RemoteRequest(url, kind: kind, isFromPublicServer: isPublic), deadline: deadline) {
      result in
      results.withLock { $0.append((name, result)) }
      results.wakeAll()
    }
  }

  /// Waits until the given number of transfers have ended.
  func waitForResults(_ count: Int) throws -> [(name: String, result: Result<RemoteContent, RemoteFailure>)] {
    try results.wait(for: "\(count) transfers") { $0.count >= count ? $0 : nil }
  }

  /// Fetches an address and returns the result.
  func result(of text: String, kind: RemoteKind = .picture, isPublic: Bool = false) throws -> Result<
    RemoteContent, RemoteFailure
  > {
    let before = results.withLock { $0.count }
    fetch(text, kind: kind, isPublic: isPublic)
    return try waitForResults(before + 1)[before].result
  }

  /// Fetches an address and returns its failure, or nil if it succeeded.
  func failure(of text: String, kind: RemoteKind = .picture, isPublic: Bool = false) throws -> RemoteFailure? {
    guard case .failure(let failure) = try result(of: text, kind: kind, isPublic: isPublic) else { return nil }
    return failure
  }
}
