import Threads

@testable import ImagePipeline

/// Decoders of another factory, each of whose answers is looked at.
final class WatchedDecoders: DecoderFactory {
  private let watched: any DecoderFactory
  private let ends = Lock(0)

  init(_ watched: any DecoderFactory) { self.watched = watched }

  /// How often a decoding process ended instead of an answer, or answered what cannot be true.
  var deaths: Int { ends.withLock { $0 } }

  func makeDecoder(worker: Int) -> any PictureDecoder {
    Watched(decoder: watched.makeDecoder(worker: worker), factory: self)
  }

  func interrupt() { watched.interrupt() }

  private struct Watched: PictureDecoder {
    let decoder: any PictureDecoder
    let factory: WatchedDecoders

    func prepare() { decoder.prepare() }

    func decode(_ request: ImageRequest) -> ImageOutcome {
      let outcome = decoder.decode(request)
      if outcome.failure?.crashedDecoder == true { factory.ends.withLock { $0 += 1 } }
      return outcome
    }
  }
}
