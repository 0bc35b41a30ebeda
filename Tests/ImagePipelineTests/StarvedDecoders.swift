import Threads

@testable import ImagePipeline

/// Decoders of which those that take what is left get no core, until the screen's has made a picture.
struct StarvedDecoders: PrioritizedDecoderFactory {
  let usesBackgroundPriority = true
  private let isFree = Lock(false)
  private let madeForScreen = Lock<[ImageKey]>([])

  /// What the screen's decoder has made, in order.
  var screenKeys: [ImageKey] { madeForScreen.withLock { $0 } }

  func makeDecoder(worker: Int) -> any PictureDecoder { makeDecoder(worker: worker, isForScreen: false) {} }

  func makeDecoder(worker: Int, isForScreen: Bool, whenStarved: @escaping () -> Void) -> any PictureDecoder {
    Starved(factory: self, isForScreen: isForScreen, whenStarved: whenStarved)
  }

  func interrupt() { free() }

  private func free() {
    isFree.withLock { $0 = true }
    isFree.wakeAll()
  }

  private struct Starved: PictureDecoder {
    let factory: StarvedDecoders
    let isForScreen: Bool
    let whenStarved: () -> Void

    func prepare() {}

    func decode(_ request: ImageRequest) -> ImageOutcome {
      if isForScreen {
        factory.madeForScreen.withLock { $0.append(request.key) }
        factory.free()
      } else {
        whenStarved()
        factory.isFree.wait { $0 ? () : nil }
      }
      return picture(request.key)
    }
  }
}
