public import CollectionLayout
import DataStructures

/// The supplementary and decoration views that stand ready beside the screen, by the names of their elements.
///
/// They are few; they stand in the order in which they came, so that equal runs let go of equal views.
public struct WaitingElements<View> {
  /// A waiting view.
  public struct Entry {
    /// Its name.
    public fileprivate(set) var identity: ElementIdentity
    /// The view.
    public let view: View
    /// How far it is prepared.
    public fileprivate(set) var progress: PreparationProgress
  }

  /// The views, by when they came.
  public private(set) var entries: [Entry] = []

  /// None waits.
  public init() {}

  /// How many wait.
  public var count: Int { entries.count }

  /// Whether none waits.
  public var isEmpty: Bool { entries.isEmpty }

  /// The view of an element, if one waits.
  ///
  /// - Complexity: O(n).
  public subscript(identity: ElementIdentity) -> Entry? { entries.first { $0.identity == identity } }

  /// Lets a view wait for its element.
  ///
  /// - Precondition: none waits for it.
  public mutating func insert(_ view: View, of identity: ElementIdentity, progress: PreparationProgress = .ready) {
    checkPrecondition(self[identity] == nil, "A view waits for \(identity) already.")
    entries.append(Entry(identity: identity, view: view, progress: progress))
  }

  /// The view of an element is prepared so far; nothing happens where none waits.
  public mutating func setProgress(_ progress: PreparationProgress, of identity: ElementIdentity) {
    if let place = entries.firstIndex(where: { $0.identity == identity }) { entries[place].progress = progress }
  }

  /// Those that have come so far are to be prepared from a step on.
  ///
  /// - Parameters:
  ///   - step: the step.
  ///   - isMeant: whether the view of an element is; all are unless told.
  public mutating func resetProgress(to step: PreparationStep, where isMeant: (ElementIdentity) -> Bool = { _ in true })
  {
    for place in entries.indices where entries[place].progress.next.map({ $0 > step }) ?? true {
      if isMeant(entries[place].identity) { entries[place].progress = PreparationProgress(next: step) }
    }
  }

  /// Takes the view of an element out, if one waits.
  public mutating func removeView(of identity: ElementIdentity) -> Entry? {
    entries.firstIndex { $0.identity == identity }.map { entries.remove(at: $0) }
  }

  /// Elements have other names: keeps the views of those that stay.
  ///
  /// - Parameter newIdentity: the new name of an element by its old one, no name twice; nothing for one that is gone.
  /// - Returns: the views of those that are gone, in their order.
  public mutating func remapIdentities(_ newIdentity: (ElementIdentity) -> ElementIdentity?) -> [View] {
    removeViews { entry in
      guard let identity = newIdentity(entry.identity) else { return false }
      entry.identity = identity
      return true
    }
  }

  /// Lets go of the views that may not wait.
  ///
  /// - Returns: these, in their order.
  public mutating func removeViews(unless isKept: (ElementIdentity) -> Bool) -> [View] {
    guard entries.contains(where: { !isKept($0.identity) }) else { return [] }
    return removeViews { (entry: inout Entry) in isKept(entry.identity) }
  }

  /// Lets go of all.
  ///
  /// - Returns: the views, in their order.
  public mutating func removeAll() -> [View] { removeViews { (_: inout Entry) in false } }

  private mutating func removeViews(unless isKept: (inout Entry) -> Bool) -> [View] {
    var dropped: [View] = []
    var kept: [Entry] = []
    for var entry in entries {
      if isKept(&entry) { kept.append(entry) } else { dropped.append(entry.view) }
    }
    entries = kept
    return dropped
  }
}
