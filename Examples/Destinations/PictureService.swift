import CollectionUI
import PictureServer
import VitrineDiagnostics
import VitrineHosting
import VitrineImages
import VitrineRemoteImages

/// The source of the pictures: the server, the transfers from it, and the pipeline that decodes what was downloaded.
struct PictureService {
  let server: PictureServer
  let transfers: RemoteTransfers
  let pipeline: ImagePipeline
  /// The downloader of the server's pictures.
  let downloader: PictureDownloader

  /// Starts all parts, or none if one of them fails.
  ///
  /// - Parameters:
  ///   - settings: The behavior of the server and of the decoders.
  ///   - catalog: The pictures of the server.
  ///   - isSimulated: Whether the clock of the run is simulated.
  ///   - waker: The waker of the frame loop, called when a result is available.
  /// - Throws: `ServerError`, `RemoteFailure`, `ThreadError` or `DecodingProcessError`.
  init(
    _ settings: DestinationsSettings, _ catalog: PictureCatalog, isSimulated: Bool, waker: any LoopWaker
  ) throws {
    var configuration = settings.server
    // On a simulated clock the latency is modeled, not waited for.
    if isSimulated { configuration.latency = 0 }
    let server = try PictureServer(catalog: catalog, configuration: configuration)
    do {
      let transfers = try RemoteTransfers(Self.transferConfiguration(settings, isSimulated: isSimulated))
      do {
        pipeline = try ImagePipeline(Self.pipelineConfiguration(settings, isSimulated: isSimulated), waker: waker)
      } catch {
        transfers.shutdown()
        throw error
      }
      self.transfers = transfers
    } catch {
      server.stop()
      throw error
    }
    self.server = server
    downloader = PictureDownloader(
      server: server, transfers: transfers, pipeline: pipeline, latency: settings.server.latency)
  }

  /// Cancels all work, and waits for threads and processes to end.
  func shutdown() {
    pipeline.shutdown()
    transfers.shutdown()
    server.stop()
  }

  private static func transferConfiguration(
    _ settings: DestinationsSettings, isSimulated: Bool
  ) -> RemoteConfiguration {
    var configuration = RemoteConfiguration(memoryBytes: 64 << 20, seed: settings.hosting.seed)
    configuration.usesProxies = false
    if isSimulated {
      // Frames must not depend on real durations: there are no timeouts and no retries.
      configuration.picture.totalTime = .seconds(86_400)
      configuration.stallTimeout = .seconds(86_400)
      configuration.maximumAttempts = 1
    } else {
      // The server may have to generate the picture first, or be far away.
      configuration.picture.totalTime = .seconds(30)
      configuration.stallTimeout = .seconds(30)
      // The user is watching: failures appear after a few seconds and can be retried.
      configuration.maximumAttempts = 3
    }
    return configuration
  }

  private static func pipelineConfiguration(
    _ settings: DestinationsSettings, isSimulated: Bool
  ) -> ImagePipelineConfiguration {
    var configuration = settings.decoding.configuration(isSimulated: isSimulated)
    configuration.cacheBytes = 256 << 20
    if let notice = ResourceLimits.current().reduceToFit(&configuration) {
      Console(program: "vitrine-destinations").printError(notice)
    }
    configuration.journal = settings.common.trace == nil && settings.common.record == nil ? nil : DecodeJournal()
    return configuration
  }
}

/// A downloader of the server's pictures.
final class PictureDownloader {
  private let server: PictureServer
  private let transfers: RemoteTransfers
  private let pipeline: ImagePipeline
  private let latency: Double

  /// Creates a downloader.
  ///
  /// - Parameter latency: The latency of the server, in milliseconds.
  init(server: PictureServer, transfers: RemoteTransfers, pipeline: ImagePipeline, latency: Double) {
    self.server = server
    self.transfers = transfers
    self.pipeline = pipeline
    self.latency = latency
  }

  /// Returns the request for a picture.
  func request(for asset: DestinationPost.AssetID) -> RemoteRequest? {
    RemoteURL(server.address(of: asset)).map { RemoteRequest($0) }
  }

  /// Returns the modeled duration of a download on a simulated clock.
  ///
  /// It is the server's latency plus up to half of it for the network.
  func delay(of asset: DestinationPost.AssetID) -> FrameDuration {
    .milliseconds(latency * (1 + Double(asset * 37 % 100) / 200))
  }

  /// The pictures as the source of an asset store.
  var source: RemoteAssetSource<DestinationPost.AssetID> {
    RemoteAssetSource(transfers, delay: { [self] in delay(of: $0) }, { [self] in request(for: $0) })
  }

  /// Downloads the encoded bytes of a picture, and calls the completion on the main actor in a frame.
  func download(_ asset: DestinationPost.AssetID, completion: @escaping (Result<[UInt8], RemoteFailure>) -> Void) {
    guard let request = request(for: asset) else { return completion(.failure(.badAddress)) }
    let transfers = transfers
    pipeline.startOperation(modelledDuration: delay(of: asset)) { deliver in
      transfers.fetch(request) { answer in
        do throws(RemoteFailure) {
          deliver(.success(try answer.get().bytes(atMost: 64 << 20)))
        } catch {
          deliver(.failure(error))
        }
      }
    } completion: { (result: Result<[UInt8], RemoteFailure>) in
      completion(result)
    }
  }
}
