public import FramePacing
import ScrollPhysics

/// A key that takes the keyboard on while it is held: one move when it goes down, and after a while more, the faster the
/// longer.
///
/// How many moves are made is a function of the time for which it is held. The system says by repeating the key that it is
/// held still, and how often it does means nothing: where the keyboard is at a repetition is the same on every desktop.
public struct FocusKeyRepeat: Hashable, Sendable {
  /// How long a key is held until the keyboard goes on by itself: as long as until content does.
  public static let initialDelay = HeldKey.patience
  /// Moves a second at which it begins to.
  public static let movesPerSecond = 12.0
  /// How often it comes to go twice as fast, a second after the time before.
  public static let maximumDoublings = 7

  /// No event makes more moves than so many: after a pause that was long already the rest is left out.
  public static let maximumMovesPerEvent = 512

  /// A key of which nothing was heard for so long was let go where nobody saw it.
  public static let releaseTimeout = FrameDuration.milliseconds(2_500)

  /// When the key went down.
  public private(set) var pressTime: FrameInstant
  /// Moves that were due so far, beside the first.
  public private(set) var moveCount = 0
  /// When it was heard of last.
  private var lastEventTime: FrameInstant

  /// A key went down, and its first move is made.
  public init(at instant: FrameInstant) {
    pressTime = instant
    lastEventTime = instant
  }

  /// How many moves a key has made that is held for a time, beside the first.
  public static func moves(heldFor duration: FrameDuration) -> Int {
    let seconds = (duration - initialDelay).seconds
    guard seconds > 0 else { return 0 }
    let doublings = min(seconds.rounded(.down), Double(maximumDoublings))
    let factor = Double(1 << Int(doublings))
    // What the rates before have made, and what this one has.
    let moves = movesPerSecond * (factor - 1 + factor * (seconds - doublings))
    // No key is held for years.
    return Int(min(1e9, moves))
  }

  /// The key is repeated: how many moves are due that were not before.
  ///
  /// None for an instant before another that was asked for; one where it is another press of the key.
  public mutating func takeDueMoves(at instant: FrameInstant) -> Int {
    guard instant - lastEventTime <= FocusKeyRepeat.releaseTimeout else {
      self = FocusKeyRepeat(at: instant)
      return 1
    }
    lastEventTime = max(lastEventTime, instant)
    let due = max(0, FocusKeyRepeat.moves(heldFor: instant - pressTime) - moveCount)
    moveCount += due
    return min(due, FocusKeyRepeat.maximumMovesPerEvent)
  }
}
