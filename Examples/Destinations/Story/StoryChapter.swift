/// What a step came to on the way that all of them were scrolled.
struct StoryChapter: Equatable {
  let step: Step
  /// Milliseconds of late frames a second of scrolling.
  var hitchRatio = 0.0
  /// The latest frame, in milliseconds.
  var longestHitch = 0.0
  /// Cells on screen without their picture, times milliseconds.
  var placeholderTime = 0.0
  /// Pictures that the thread that draws has decoded.
  var decodedOnRenderThread = 0
}
