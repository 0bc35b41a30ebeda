public import VitrineCollectionLayout
public import VitrineFramePacing
import VitrineScrollPhysics

/// Moves the keyboard focus from item to item by geometry.
///
/// Consecutive moves between rows stay in one column.
public struct FocusNavigator: Hashable, Sendable {
  /// The column of consecutive moves between rows.
  private struct Column: Hashable {
    /// The item that the last move led to.
    var item: Int
    /// The center of that item on the cross axis.
    ///
    /// If the item's center has changed since, the layout has changed and the column is not valid.
    var center: Double
    /// The column's position on the cross axis, in points.
    var crossPosition: Double
  }

  private var column: Column?

  /// Creates a navigator without a column.
  public init() {}

  /// Returns the item that a move leads to, or nil if there is none in that direction.
  ///
  /// Moves between rows stay in the column where they started, even through rows that are too short for it. Any other
  /// move resets the column, and so does a focus change by other means.
  ///
  /// - Parameters:
  ///   - move: The move.
  ///   - lead: The focused item.
  ///   - layout: The current layout.
  /// - Precondition: The focused item exists.
  /// - Complexity: That of `SolvedLayout.item(from:_:across:)`.
  public mutating func target(of move: FocusHeading, from lead: Int, in layout: any SolvedLayout) -> Int? {
    guard move.changesRows else {
      column = nil
      return layout.item(from: lead, move)
    }
    let middle = layout.middle(of: layout.frame(ofItem: lead))
    let columnPosition = column.flatMap { $0.item == lead && $0.center == middle ? $0.crossPosition : nil }
    let across = columnPosition ?? middle
    let target = layout.item(from: lead, move, across: across)
    let item = target ?? lead
    column = Column(item: item, center: layout.middle(of: layout.frame(ofItem: item)), crossPosition: across)
    return target
  }

  /// Updates the index of the item in the column after an update, and resets the column if the item was deleted.
  public mutating func apply(_ map: IndexMap) {
    guard let last = column?.item else { return }
    guard let item = map.newIndex(ofItem: last) else { return column = nil }
    column?.item = item
  }
}

extension FocusHeading {
  /// Whether the move leads from row to row.
  fileprivate var changesRows: Bool {
    switch self {
    case .up, .down, .pageUp, .pageDown: true
    case .previous, .next, .first, .last: false
    }
  }
}

/// The repetition of a key that moves the keyboard focus: one move when it is pressed, and after a delay further moves
/// at an increasing rate.
///
/// The number of moves is a function of the time for which the key is held. The system's key repeat events only show
/// that it is still held, and their rate does not matter: the focus moves in the same way on every desktop.
public struct FocusKeyRepeat: Hashable, Sendable {
  /// The delay before the focus moves repeatedly.
  ///
  /// It is the same as that of scrolling.
  public static let initialDelay = HeldKey.repeatDelay
  /// The initial rate of moves per second.
  public static let movesPerSecond = 12.0
  /// The maximum number of times that the rate doubles, once per second.
  public static let maximumDoublings = 7

  /// The maximum number of moves per event.
  ///
  /// After a long pause the remaining moves are dropped.
  public static let maximumMovesPerEvent = 512

  /// The time without an event after which the key is assumed to have been released elsewhere.
  public static let releaseTimeout = FrameDuration.milliseconds(2_500)

  /// The time when the key was pressed.
  public private(set) var pressTime: FrameInstant
  /// The number of moves that were due so far, including dropped ones, without the first.
  public private(set) var moveCount = 0
  /// The time of the last event.
  private var lastEventTime: FrameInstant

  /// Creates the state of a key that was pressed and made its first move.
  public init(at instant: FrameInstant) {
    pressTime = instant
    lastEventTime = instant
  }

  /// Returns the number of moves of a key that is held for a time, without the first.
  public static func moves(heldFor duration: FrameDuration) -> Int {
    let seconds = (duration - initialDelay).seconds
    guard seconds > 0 else { return 0 }
    let doublings = min(seconds.rounded(.down), Double(maximumDoublings))
    let factor = Double(1 << Int(doublings))
    // The moves at the previous rates, and those at the current rate.
    let moves = movesPerSecond * (factor - 1 + factor * (seconds - doublings))
    // A bound for implausibly long times.
    return Int(min(1e9, moves))
  }

  /// Returns the number of moves that have become due since the last call, for a key repeat event.
  ///
  /// Returns 0 for an instant before the last one, and 1 if the event counts as a new press of the key. At most
  /// ``maximumMovesPerEvent``; moves beyond them are dropped.
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
