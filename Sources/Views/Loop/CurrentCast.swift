/// The participants of a window as of the phase that was begun last: held over phases, so that asking them counts no
/// reference while nobody comes or goes.
struct CurrentCast {
  /// Those who are asked; nothing where there is nobody.
  private(set) var everybody: FrameCast?
  private var number = -1

  /// A phase begins.
  mutating func beginPhase(of window: Window) {
    guard number != window.castNumber else { return }
    number = window.castNumber
    everybody = window.cast
  }
}
