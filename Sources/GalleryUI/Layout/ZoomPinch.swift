import Rendering

/// Makes steps of two fingers that go apart or together.
nonisolated struct ZoomPinch: Hashable, Sendable {
  /// How many times farther apart fingers go for a step: about what a step makes pictures larger by.
  static let ratioPerStep = 1.22
  /// The most steps that one movement makes.
  static let maximumSteps = 12

  /// How far apart they were at the last step, as a share of when they began.
  private var scaleAtLastStep = 1.0

  /// Takes a movement in.
  ///
  /// Fingers that stay near the border of two steps do not go to and fro between them: a step back takes as much as a step
  /// on.
  /// - Returns: how many steps that makes, larger where positive.
  mutating func steps(of pinch: PinchInput) -> Int {
    if pinch.phase == .began { scaleAtLastStep = 1 }
    guard pinch.scale.isFinite, pinch.scale > 0 else { return 0 }
    var steps = 0
    while pinch.scale >= scaleAtLastStep * ZoomPinch.ratioPerStep, steps < ZoomPinch.maximumSteps {
      scaleAtLastStep *= ZoomPinch.ratioPerStep
      steps += 1
    }
    while pinch.scale <= scaleAtLastStep / ZoomPinch.ratioPerStep, steps > -ZoomPinch.maximumSteps {
      scaleAtLastStep /= ZoomPinch.ratioPerStep
      steps -= 1
    }
    return steps
  }
}
