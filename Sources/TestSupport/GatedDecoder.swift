import Geometry
public import ImagePipeline
import Rendering
import Threads

/// A decoder for tests: each decode waits at a gate until the test lets it pass.
///
/// It paints each picture in one colour that its key decides, or does what the test says. Give it to an
/// ``ImagePipeline`` in place of decoding processes.
public final class GatedDecoder: DecoderFactory {
  private struct State {
    var isOpen: Bool
    var isInterrupted = false
    var released: Set<ImageKey> = []
    var started: [ImageKey] = []
  }

  private let state: Lock<State>
  private let makeOutcome: @Sendable (ImageRequest) -> ImageOutcome

  /// Makes a decoder.
  ///
  /// - Parameters:
  ///   - isOpen: whether everything passes from the start.
  ///   - make: what becomes of a request that passed; the painted picture unless told.
  public init(
    isOpen: Bool = false,
    makeOutcome: @escaping @Sendable (ImageRequest) -> ImageOutcome = { GatedDecoder.generatedImage(for: $0.key) }
  ) {
    state = Lock(State(isOpen: isOpen))
    self.makeOutcome = makeOutcome
  }

  /// The keys whose decodes were started, in the order of starting.
  public var started: [ImageKey] { state.withLock { $0.started } }

  /// Lets the decode of a key pass, now or when it starts.
  public func release(_ key: ImageKey) {
    state.withLock { _ = $0.released.insert(key) }
    state.wakeAll()
  }

  /// Lets everything pass from now on.
  public func open() {
    state.withLock { $0.isOpen = true }
    state.wakeAll()
  }

  /// Waits until so many decodes have been started.
  ///
  /// - Returns: their keys, in the order of starting.
  /// - Throws: ``TookTooLong``.
  public func waitForStarts(_ count: Int) throws -> [ImageKey] {
    try state.wait(for: "\(count) decodes to start") { $0.started.count >= count ? $0.started : nil }
  }

  /// Makes the decoder of a worker.
  public func makeDecoder(worker: Int) -> any PictureDecoder { WorkerDecoder(gate: self) }

  /// Lets every decode end with ``ImageFailure/interrupted``.
  public func interrupt() {
    state.withLock { $0.isInterrupted = true }
    state.wakeAll()
  }

  /// A picture of the key's size in a colour that the key decides.
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

  private struct WorkerDecoder: PictureDecoder {
    let gate: GatedDecoder

    func prepare() {}

    func decode(_ request: ImageRequest) -> ImageOutcome { gate.decodeWhenReleased(request) }
  }
}
