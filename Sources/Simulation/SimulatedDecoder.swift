import Glibc
import VitrineDecodingProtocol
import VitrineGeometry
package import VitrineImagePipeline
import VitrinePhotoLibrary
import VitrineRendering
import VitrineThreads

/// Decoders that make images without files, and fail as a session says.
///
/// The outcome depends only on the request and the state, which changes only while no job is running: equal sessions
/// have equal outcomes, although the decoders run on other threads.
package nonisolated final class SimulatedDecoder: DecoderFactory {
  /// What all decoders do.
  package enum Mode: Int, CaseIterable, Sendable {
    case working, unreadable, crashing, hanging, stopped, outOfMemory, unavailable
  }

  /// The size of all pictures in pixels.
  static let sourceSize = PixelSize(width: 1_200, height: 900)

  private struct State {
    var mode = Mode.working
    var offline: Set<PhotoPath> = []
  }

  private let state = Lock(State())

  /// Creates decoders that work.
  package init() {}

  /// Sets what decoders do, and the folders that are out of reach.
  ///
  /// Call it while no job is running.
  func set(_ mode: Mode, offline: Set<PhotoPath>) {
    state.withLock { $0 = State(mode: mode, offline: offline) }
  }

  package func makeDecoder(worker: Int) -> any PipelineImageDecoder { Decoder(factory: self) }

  package func interrupt() {}

  package var status: DecoderStatus {
    var status = DecoderStatus()
    status.isStopped = state.withLock { $0.mode == .stopped }
    return status
  }

  package func resume() {}

  private func outcome(of request: ImageRequest) -> ImageOutcome {
    let state = state.withLock { $0 }
    switch state.mode {
    case .working: break
    case .unreadable: return .failure(.cannotOpen(EIO))
    case .crashing: return .failure(.decoderCrashed)
    case .hanging: return .failure(.decoderTimedOut)
    case .stopped: return .failure(.decodingStopped)
    case .outOfMemory: return .failure(.outOfMemory)
    case .unavailable: return .failure(.decoderUnavailable)
    }
    if case .file(let bytes) = request.source, !state.offline.isEmpty {
      let path = PhotoPath(bytes)
      if state.offline.contains(where: { path.isWithin($0) }) { return .failure(.cannotOpen(ENOENT)) }
    }
    let content = SimulatedDisk.Content(rawValue: request.fileBytes % 16) ?? .picture
    switch content {
    case .refused: return .failure(.refused(.damaged))
    case .crashing: return .failure(.decoderCrashed)
    case .hanging: return .failure(.decoderTimedOut)
    case .noPicture: return .failure(.refused(.notAPicture))
    case .picture, .withPreview, .damaged, .slow, .undated, .upright: break
    }
    guard request.representation == .full || content == .withPreview else { return .failure(.refused(.noPreview)) }
    return SimulatedDecoder.image(for: request, isDamaged: content == .damaged)
  }

  /// Returns an image of one color.
  private static func image(for request: ImageRequest, isDamaged: Bool) -> ImageOutcome {
    var word = request.key.source &* 0x9E37_79B9_7F4A_7C15
    word ^= word >> 29
    do {
      let bitmap = try Bitmap(size: request.key.size, isOpaque: true) { pixels in
        pixels.bindMemory(to: UInt32.self).update(repeating: UInt32(truncatingIfNeeded: word) | 0xFF00_0000)
      }
      return .success(
        DecodedImage(
          bitmap: bitmap, sourceSize: SimulatedDecoder.sourceSize, isDamaged: isDamaged,
          representation: request.representation))
    } catch {
      return .failure(.outOfMemory)
    }
  }

  private struct Decoder: PipelineImageDecoder {
    let factory: SimulatedDecoder

    func prepare() {}

    func decode(_ request: ImageRequest) -> ImageOutcome { factory.outcome(of: request) }
  }
}
