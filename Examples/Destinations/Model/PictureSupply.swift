import FramePacing
import Hosting
import ImagePipeline
import PictureServer

/// What pictures come from: the server, who downloads from it, and who prepares what was downloaded.
struct PictureSupply {
  let server: PictureServer
  let transfers: RemoteTransfers
  let pipeline: ImagePipeline
  /// The pictures on the web.
  let web: WebPictures

  /// Starts all of it, or nothing.
  ///
  /// - Parameters:
  ///   - settings: how the server answers, and how pictures are decoded.
  ///   - shelf: the pictures.
  ///   - isSimulated: whether the run's clock is.
  ///   - waker: woken when something is there.
  /// - Throws: `ServerError`, `RemoteFailure`, `ThreadError` or `DecodingProcessError` where the system has not enough.
  init(
    _ settings: DestinationsSettings, _ shelf: PictureShelf, isSimulated: Bool, waker: any LoopWaker
  ) throws {
    var answering = settings.answering
    // A simulation models it, and does not wait.
    if isSimulated { answering.latency = 0 }
    let server = try PictureServer(shelf, answering)
    do {
      let transfers = try RemoteTransfers(Self.downloading(settings, isSimulated: isSimulated))
      do {
        pipeline = try ImagePipeline(Self.decoding(settings, isSimulated: isSimulated), waker: waker)
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
    web = WebPictures(server, transfers, pipeline, latency: settings.answering.latency)
  }

  /// Ends all of it, whatever it is doing, and waits for its threads and processes.
  func end() {
    pipeline.shutdown()
    transfers.shutdown()
    server.stop()
  }

  private static func downloading(_ settings: DestinationsSettings, isSimulated: Bool) -> RemoteConfiguration {
    var configuration = RemoteConfiguration(memoryBytes: 64 << 20, seed: settings.hosting.seed)
    configuration.usesProxies = false
    if isSimulated {
      // No frame is to depend on how long something takes: it is waited for, and what fails is not tried again.
      configuration.picture.totalTime = .seconds(86_400)
      configuration.stallTimeout = .seconds(86_400)
      configuration.maximumTries = 1
    } else {
      // What is to be painted first takes its time, and so does a server that is far away.
      configuration.picture.totalTime = .seconds(30)
      configuration.stallTimeout = .seconds(30)
      // Somebody looks on: what does not pass in some seconds is said, and tried again when he wants it.
      configuration.maximumTries = 3
    }
    return configuration
  }

  private static func decoding(_ settings: DestinationsSettings, isSimulated: Bool) -> ImagePipelineConfiguration {
    var configuration = settings.decoding.configuration(isSimulated: isSimulated)
    configuration.cacheBytes = 256 << 20
    if let notice = ResourceLimits.current().reduceToFit(&configuration) {
      Console(program: "vitrine-destinations").printError(notice)
    }
    configuration.journal = settings.hosting.trace == nil && settings.hosting.record == nil ? nil : DecodeJournal()
    return configuration
  }
}
