import VitrineGeometry
public import VitrineImagePipeline
import VitrineRendering
import VitrineThreads

/// A decoder for tests, which holds each decode until the test releases it.
///
/// It generates an image of one color that depends on the key, or returns the outcome that the test specifies. Pass it
/// to an ``ImagePipeline`` instead of decoding processes.
public final class GatedDecoder: DecoderFactory {
  private struct State {
    var isOpen: Bool
    var isInterrupted = false
    var released: Set<ImageKey> = []
    var started: [ImageKey] = []
    /// The number of animations whose decoding will be lost after their second frame.
    var lostAnimations = 0
  }

  private let state: Lock<State>
  private let makeOutcome: @Sendable (ImageRequest) -> ImageOutcome
  private let makeFrames: @Sendable (ImageRequest) -> [AnimationFrame]

  /// Creates a decoder.
  ///
  /// - Parameters:
  ///   - isOpen: Whether all decodes are released from the start. Default: false.
  ///   - makeOutcome: Returns the outcome of a released decode. Default: the generated image.
  ///   - makeFrames: Returns the frames of an animation. Default: none, the image is no animation.
  public init(
    isOpen: Bool = false,
    makeOutcome: @escaping @Sendable (ImageRequest) -> ImageOutcome = { GatedDecoder.generatedImage(for: $0.key) },
    makeFrames: @escaping @Sendable (ImageRequest) -> [AnimationFrame] = { _ in [] }
  ) {
    state = Lock(State(isOpen: isOpen))
    self.makeOutcome = makeOutcome
    self.makeFrames = makeFrames
  }

  /// The keys of the started decodes, in order.
  public var started: [ImageKey] { state.withLock { $0.started } }

  /// Releases the decode of a key, now or when it starts.
  public func release(_ key: ImageKey) {
    state.withLock { _ = $0.released.insert(key) }
    state.wakeAll()
  }

  /// Releases all current and future decodes.
  public func open() {
    state.withLock { $0.isOpen = true }
    state.wakeAll()
  }

  /// Waits until a number of decodes have started.
  ///
  /// - Returns: Their keys, in order.
  /// - Throws: ``WaitTimeoutError``.
  public func waitForStarts(_ count: Int) throws -> [ImageKey] {
    try state.wait(for: "\(count) decodes to start") { $0.started.count >= count ? $0.started : nil }
  }

  /// Creates the decoder of a worker.
  public func makeDecoder(worker: Int) -> any PipelineImageDecoder { WorkerDecoder(gate: self) }

  /// Returns a reader of the animation's frames, which are not gated.
  public func makeAnimationReader(_ request: ImageRequest) -> (any AnimationReader)? {
    let isLost = state.withLock { state in
      defer { state.lostAnimations = max(0, state.lostAnimations - 1) }
      return state.lostAnimations > 0
    }
    return RepeatingReader(makeFrames(request), losesThird: isLost)
  }

  /// Lets decoding the next animations fail after their second frame, as if the decoding process were lost.
  public func loseNextAnimations(_ count: Int) { state.withLock { $0.lostAnimations = count } }

  /// Ends every decode with ``ImageFailure/interrupted``.
  public func interrupt() {
    state.withLock { $0.isInterrupted = true }
    state.wakeAll()
  }

  /// Returns an image of the key's size in a color that depends on the key.
  public static func generatedImage(for key: ImageKey) -> ImageOutcome {
    var word = key.source &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(key.size.width) << 32 ^ UInt64(key.size.height)
    word ^= word >> 29
    do {
      let bitmap = try Bitmap(size: key.size, isOpaque: true) { pixels in
        for offset in stride(from: 0, to: pixels.count, by: 4) {
          pixels.storeBytes(of: UInt32(truncatingIfNeeded: word) | 0xFF00_0000, toByteOffset: offset, as: UInt32.self)
        }
      }
      return .success(DecodedImage(bitmap: bitmap, sourceSize: key.size))
    } catch {
      return .failure(.outOfMemory)
    }
  }

  private func decodeWhenReleased(_ request: ImageRequest) -> ImageOutcome {
    state.withLock { $0.started.append(request.key) }
    state.wakeAll()
    let isInterrupted = state.wait { state -> Bool? in
      if state.isInterrupted { return true }
      return state.isOpen || state.released.contains(request.key) ? false : nil
    }
    return isInterrupted ? .failure(.interrupted) : makeOutcome(request)
  }

  private struct WorkerDecoder: PipelineImageDecoder {
    let gate: GatedDecoder

    func prepare() {}

    func decode(_ request: ImageRequest) -> ImageOutcome { gate.decodeWhenReleased(request) }
  }
  /// A reader of given frames.
  private final class RepeatingReader: AnimationReader {
    private let frames: [AnimationFrame]
    private let position = Lock(0)

    private let losesThird: Bool

    init(_ frames: [AnimationFrame], losesThird: Bool) { (self.frames, self.losesThird) = (frames, losesThird) }

    func nextFrame() throws(ImageFailure) -> AnimationFrame? {
      guard !losesThird || position.withLock({ $0 < 2 }) else { throw .decoderCrashed }
      return position.withLock { position in
        guard position < frames.count else {
          position = 0
          return nil
        }
        defer { position += 1 }
        return frames[position]
      }
    }

    func interrupt() {}

    func close() {}
  }
}
