/// What a step came to on the way that all of them were scrolled.
struct StoryChapter: Equatable {
  let step: Step
  /// Milliseconds of late frames a second of scrolling; nil on a clock on which no frame can be late.
  var hitchRatio: Double?
  /// The latest frame, in milliseconds; nil as above.
  var longestHitch: Double?
  /// Cells on screen without their picture, times milliseconds.
  var placeholderTime = 0.0
  /// Pictures that the thread that draws has decoded.
  var decodedOnRenderThread = 0
}
