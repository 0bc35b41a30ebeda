import VitrineFramePacing
import VitrinePhotoLibrary

/// The state of an open viewer.
struct ViewerState {
  /// The view.
  let view: PictureViewer
  /// The fade animation.
  var fade: ViewerFade
  /// The photographs that are shown.
  var comparison: Comparison
  /// The viewed photograph, which is the active one of those that are shown.
  var item: PhotoID { comparison.active }
  /// The last known index of the photograph in the grid, or nil while its folder has not been listed.
  var index: Int?
  /// The number of photographs that was last shown.
  var count = 0
  /// The photograph that was opened, if it was the only selected one.
  var selectedItem: PhotoID?

  /// Whether the viewer has the keyboard focus.
  ///
  /// It is false while the viewer fades out.
  var isOpen: Bool { !fade.isClosing }
}

/// Whether to say that the viewed picture, or its own pixels, are being decoded: after a while, so that most pictures
/// appear without a word.
nonisolated struct DecodingNotice: Hashable, Sendable {
  /// The time after which it is said.
  static let delay = FrameDuration.milliseconds(500)

  private var start: FrameInstant?
  private(set) var isShown = false

  /// Creates a notice that is not shown.
  init() {}

  /// The time at which the notice appears, or nil.
  var nextFrame: FrameInstant? { isShown ? nil : start.map { $0 + DecodingNotice.delay } }

  /// Sets whether something is being decoded.
  mutating func setPending(_ isPending: Bool, at instant: FrameInstant) {
    if !isPending { (start, isShown) = (nil, false) } else if start == nil { start = instant }
  }

  /// Shows the notice if its time has come.
  ///
  /// - Returns: Whether it appears now.
  mutating func update(at instant: FrameInstant) -> Bool {
    guard let nextFrame, nextFrame <= instant else { return false }
    isShown = true
    return true
  }
}

/// A series of steps from picture to picture, as by a held key.
nonisolated struct StepSeries: Hashable, Sendable {
  /// The longest time between two steps of a series.
  static let pause = FrameDuration.milliseconds(250)

  private var last: FrameInstant?
  private var isSeries = false
  /// The direction of the last step: 1 or -1.
  private(set) var direction = 1

  /// Creates an empty series.
  init() {}

  /// Records a step.
  ///
  /// - Parameters:
  ///   - direction: 1 for the next picture, or -1.
  ///   - instant: The time of the step.
  mutating func recordStep(_ direction: Int, at instant: FrameInstant) {
    isSeries = direction == self.direction && last.map { instant - $0 <= StepSeries.pause } ?? false
    (last, self.direction) = (instant, direction)
  }

  /// Ends the series: no other step is expected.
  mutating func end() { isSeries = false }

  /// Returns whether another step is expected soon.
  func isRunning(at instant: FrameInstant) -> Bool {
    isSeries && last.map { instant - $0 <= StepSeries.pause } ?? false
  }
}

/// The animation of a viewer that opens or closes, as a function of time.
///
/// The picture grows from its place in the grid while the background becomes opaque, and shrinks to it.
nonisolated struct ViewerFade: Hashable, Sendable {
  /// The duration of the animation.
  static let duration = FrameDuration.milliseconds(200)

  private var start: FrameInstant?
  private var startOpacity = 0.0
  private var endOpacity = 1.0
  private let isInstant: Bool

  /// Creates a fade-in.
  ///
  /// - Parameters:
  ///   - isInstant: Whether to skip all animations, because motion is reduced.
  ///   - isOpen: Whether the viewer is opaque from its first frame. Default: false.
  init(isInstant: Bool, isOpen: Bool = false) {
    self.isInstant = isInstant
    if isOpen { startOpacity = 1 }
  }

  /// Starts to fade out from the current opacity.
  mutating func fadeOut(at instant: FrameInstant) { fade(to: 0, at: instant) }

  /// Starts to fade in again from the current opacity.
  mutating func fadeIn(at instant: FrameInstant) { fade(to: 1, at: instant) }

  private mutating func fade(to end: Double, at instant: FrameInstant) {
    startOpacity = opacity(at: instant)
    endOpacity = end
    start = instant
  }

  /// Starts the animation in the first frame that shows the viewer.
  mutating func startIfNeeded(at instant: FrameInstant) { if start == nil { start = instant } }

  /// Whether the viewer is fading out.
  var isClosing: Bool { endOpacity == 0 }

  /// Returns the opacity at the given time, 0 to 1, with ease-out timing.
  func opacity(at instant: FrameInstant) -> Double {
    if isInstant { return endOpacity }
    guard let start else { return startOpacity }
    let share = min(1, max(0, (instant - start).seconds / ViewerFade.duration.seconds))
    let eased = 1 - (1 - share) * (1 - share)
    return startOpacity + (endOpacity - startOpacity) * eased
  }

  /// Returns whether the opacity still changes after the given time.
  func isRunning(at instant: FrameInstant) -> Bool { opacity(at: instant) != endOpacity }
}
