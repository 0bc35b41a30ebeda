import FramePacing
import ImagePipeline
import PictureServer

/// Where pictures are on the web, and what a download of one takes.
final class WebPictures {
  private let server: PictureServer
  private let transfers: RemoteTransfers
  private let pipeline: ImagePipeline
  private let latency: Double

  /// - Parameter latency: what the server is said to take to answer, in milliseconds.
  init(_ server: PictureServer, _ transfers: RemoteTransfers, _ pipeline: ImagePipeline, latency: Double) {
    self.server = server
    self.transfers = transfers
    self.pipeline = pipeline
    self.latency = latency
  }

  /// Where a picture is.
  func request(_ asset: DestinationPost.AssetID) -> RemoteRequest? {
    RemoteURL(server.address(of: asset)).map { RemoteRequest($0) }
  }

  /// What a download takes where time is simulated: the server's latency, and up to half as much again for the way.
  func delay(of asset: DestinationPost.AssetID) -> FrameDuration {
    .milliseconds(latency * (1 + Double(asset * 37 % 100) / 200))
  }

  /// The pictures as an asset store wants them.
  var source: RemoteAssetSource<DestinationPost.AssetID> {
    RemoteAssetSource(transfers, delay: { [self] in delay(of: $0) }, { [self] in request($0) })
  }

  /// Brings the bytes of a picture, as they are stored, to the thread that draws.
  func download(_ asset: DestinationPost.AssetID, completion: @escaping (Result<[UInt8], RemoteFailure>) -> Void) {
    guard let request = request(asset) else { return completion(.failure(.badAddress)) }
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
