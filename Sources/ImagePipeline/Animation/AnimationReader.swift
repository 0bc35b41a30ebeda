import VitrineDecodingProtocol
public import VitrineFramePacing
public import VitrineRendering

/// A frame of an animation.
public struct AnimationFrame: Sendable {
  /// The whole picture, as it is while the frame is shown.
  public let bitmap: Bitmap
  /// How long the frame is shown, as the file states it; many files state zero.
  public let duration: FrameDuration

  /// Creates a frame.
  public init(bitmap: Bitmap, duration: FrameDuration) {
    self.bitmap = bitmap
    self.duration = duration
  }
}

/// A reader that decodes the frames of one animation in order.
///
/// A program that has its own decoder returns one from ``DecoderFactory/makeAnimationReader(_:)``.
public protocol AnimationReader: AnyObject, Sendable {
  /// Decodes the next frame; blocks until it is done.
  ///
  /// Called on one thread only.
  ///
  /// - Returns: The frame, or nil after the last one, and at once if the file is no animation. The call after that
  ///   starts with the first frame again.
  /// - Throws: ``ImageFailure`` if the file cannot be decoded. It is not called again.
  func nextFrame() throws(ImageFailure) -> AnimationFrame?

  /// Ends a running and all later calls of ``nextFrame()``, which fail; called on any thread.
  func interrupt()

  /// Releases what decoding needs; called once, on the thread that decodes, after which no frame is decoded.
  func close()
}

/// A reader that decodes in a process of its own, which starts with the first frame and ends with the reader.
final class ProcessAnimationReader: AnimationReader, @unchecked Sendable {
  // @unchecked: `identity`, `process` and `isAtStart` are used only by the thread that calls nextFrame() and close();
  // interrupt() raises the signal, which any thread may do.
  private let request: ImageRequest
  private let setup: @Sendable () -> DecodingProcess.Setup?
  private let health: DecoderHealth
  private let times: DecodingProcessTimes.Entry?
  private let stop: StopSignal
  private var identity: ImageFileIdentity?
  private var process: DecodingProcess?
  private var isAtStart = false

  /// Creates a reader, which opens nothing yet.
  ///
  /// - Parameters:
  ///   - request: The file, and the size, the background and the limits of its frames.
  ///   - setup: A closure that returns the configuration of the process, or nil if there is no executable.
  ///   - health: The knowledge about files and processes.
  ///   - times: The entry that records the process for the sum of processor times.
  /// - Throws: ``DecodingProcessError/system(call:error:)`` if the system has no descriptor available.
  init(
    _ request: ImageRequest, setup: @escaping @Sendable () -> DecodingProcess.Setup?, health: DecoderHealth,
    times: DecodingProcessTimes.Entry?
  ) throws(DecodingProcessError) {
    self.request = request
    self.setup = setup
    self.health = health
    self.times = times
    stop = try StopSignal()
  }

  func interrupt() { stop.raise() }

  func close() { process = nil }

  func nextFrame() throws(ImageFailure) -> AnimationFrame? {
    guard !stop.isRaised else { throw .interrupted }
    do throws(DecodingProcessError) {
      let frame: AnimationFrame?
      if let process {
        frame = try process.animationFrame(request, of: nil, isFirst: isAtStart)
      } else {
        frame = try firstFrame()
      }
      isAtStart = frame == nil
      return frame
    } catch {
      guard error.isFault else { throw error.failure }
      // A process that could not be started is not lost.
      if case .system = error { throw error.failure }
      health.recordLoss(error, process?.termination, of: identity, timeout: process?.timeoutCause)
      process = nil
      throw error.failure
    }
  }

  /// Opens the file, starts the process and decodes the first frame.
  private func firstFrame() throws(DecodingProcessError) -> AnimationFrame? {
    let file: ImageFile
    do {
      file = try ImageFile(request.source)
    } catch {
      throw .refused(.unreadable)
    }
    let identity = file.version.identity
    guard !health.isStopped, health.refusal(of: identity) == nil, let setup = setup() else {
      throw .refused(.interrupted)
    }
    self.identity = identity
    let process = try DecodingProcess(setup, stop: stop, times: times)
    health.recordStart(process)
    self.process = process
    return try process.animationFrame(request, of: (file.number, identity.byteCount), isFirst: true)
  }
}
