/// How far a cell is prepared: between two frames it may stand between any two steps.
public struct PreparationProgress: Hashable, Sendable {
  /// The step to be done next; nothing where all are done.
  public private(set) var next: PreparationStep?
  /// How many parts of that step are done, for cells that are prepared in parts.
  public private(set) var part = 0

  /// Everything is done.
  public static let ready = PreparationProgress(next: nil)

  /// Makes a progress: everything before a step is done.
  public init(next: PreparationStep?) { self.next = next }

  /// Whether nothing is left to do.
  public var isReady: Bool { next == nil }

  /// The next step is done, or a part of it.
  ///
  /// - Parameter isWhole: whether no part of the step is left.
  public mutating func advance(isWhole: Bool = true) {
    guard let step = next else { return }
    next = isWhole ? step.next : step
    part = isWhole ? 0 : part + 1
  }
}
