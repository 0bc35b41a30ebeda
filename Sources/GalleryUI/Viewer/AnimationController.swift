import VitrineFramePacing
import VitrineImageMetadata
import VitrineImagePipeline
import VitrinePhotoLibrary
import VitrineRendering

/// The owner of the animation of the viewed picture.
///
/// Invariants:
/// - There is at most one animation, that of the picture for which one was requested last.
/// - Frames are decoded only while they are shown, and a few ahead.
final class AnimationController {
  private let pipeline: ImagePipeline
  private var request: ImageRequest?
  /// Whether decoding ended early and was started again, which is done once.
  private var hasRestarted = false
  private var animation: ImageAnimation?
  private var clock = AnimationClock()
  /// The frame that is shown, or nil if there is none yet, or the picture is no animation.
  private(set) var frame: Bitmap?
  /// Whether the animation stands still because the user paused it.
  var isPaused = false {
    didSet { if !isPaused, oldValue { clock = AnimationClock() } }
  }

  /// The file name extensions of formats that may be animations.
  private static let extensions = Set(ImageFormat.table.filter(\.mayBeAnimated).flatMap(\.fileExtensions))

  /// Creates the owner, without an animation.
  init(pipeline: ImagePipeline) { self.pipeline = pipeline }

  /// Returns whether a source may be an animation, by the name of its file.
  static func mayBeAnimated(_ source: ImageSource) -> Bool {
    guard case .file(let path) = source else { return true }
    guard let dot = path.lastIndex(of: UInt8(ascii: ".")), path.count - dot <= 6 else { return false }
    return extensions.contains(String(decoding: path[(dot + 1)...], as: UTF8.self).lowercased())
  }

  /// Whether the picture is an animation.
  var isPlaying: Bool { animation?.condition == .playing }

  /// Shows the animation of a picture from its first frame, unless it is shown already.
  ///
  /// - Parameter request: The file, and the size of the frames; nil to show none.
  func show(_ request: ImageRequest?) {
    guard request?.key != self.request?.key else { return }
    if request?.key.source != self.request?.key.source {
      frame = nil
      isPaused = false
      hasRestarted = false
    }
    self.request = request
    start()
  }

  /// Starts the animation with its first frame again, because its frames have the colors of another display.
  ///
  /// A paused animation gives way to the picture until it continues.
  func restart() {
    guard request != nil else { return }
    if isPaused { frame = nil }
    start()
  }

  private func start() {
    clock = AnimationClock()
    animation = request.flatMap { pipeline.animation($0) }
  }

  /// Whether the decoding process was lost, and another one may do better.
  private var needsRestart: Bool {
    guard !hasRestarted, case .failed(let failure)? = animation?.condition else { return false }
    return failure.persistence != .permanent
  }

  /// Ends the animation unless it is that of a picture, whose request is made when the picture is decoded.
  ///
  /// - Parameter source: The source of the picture, as in its key.
  func endUnless(of source: UInt64?) { if request?.key.source != source { show(nil) } }

  /// Advances the animation to the time of a frame of the window.
  ///
  /// - Returns: Whether another frame of the animation is to be shown.
  func update(at instant: FrameInstant) -> Bool {
    if needsRestart {
      hasRestarted = true
      start()
    }
    guard let animation, !isPaused, clock.isDue(at: instant), let next = animation.takeFrame() else { return false }
    clock.showFrame(for: next.duration, at: instant)
    frame = next.bitmap
    return true
  }

  /// The time at which the next frame of the animation is due, or nil if it is not decoded or there is none.
  var nextFrame: FrameInstant? { animation?.condition == .playing && !isPaused ? clock.due : nil }

  /// Whether a frame has arrived that is overdue.
  var hasPendingFrame: Bool { !isPaused && animation?.hasPendingFrame == true || needsRestart }
}
