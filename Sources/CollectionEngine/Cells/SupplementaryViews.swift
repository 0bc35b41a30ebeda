public import VitrineCollectionLayout
import VitrineDataStructures

/// The supplementary and decoration views on screen, sorted from back to front.
///
/// The list of elements is replaced in every frame. Most frames have the same elements, possibly moved, and need no
/// allocation.
public struct DisplayedElements<View> {
  /// An element on screen and its view, or nil if the view has not been created yet.
  public typealias Entry = (attributes: ElementAttributes, view: View?)

  /// The layout attributes of the elements on screen.
  public private(set) var attributes: [ElementAttributes] = []
  private var views: [View?] = []

  /// Creates an empty collection.
  public init() {}

  /// The number of elements on screen.
  public var count: Int { attributes.count }

  /// Returns the view at an index, or nil if it has not been created yet.
  public func view(at index: Int) -> View? { views[index] }

  /// Returns the index of an element, or nil if it is not on screen.
  ///
  /// - Complexity: O(n) for n elements on screen.
  public func index(of identity: ElementIdentity) -> Int? { attributes.firstIndex { $0.identity == identity } }

  /// Replaces the elements on screen.
  ///
  /// - Parameter next: The new elements. Receives the previous elements, so that the array's storage is reused.
  /// - Returns: The views that left the screen, in order.
  /// - Complexity: O(n) if the same elements are on screen in the same order, otherwise O(n) on average.
  public mutating func replaceElements(with next: inout [ElementAttributes]) -> [(
    identity: ElementIdentity, view: View
  )] {
    defer { swap(&attributes, &next) }
    if next.count == attributes.count, !next.indices.contains(where: { next[$0].identity != attributes[$0].identity }) {
      return []
    }
    var indices: [ElementIdentity: Int] = [:]
    for (index, element) in attributes.enumerated() { indices[element.identity] = index }
    var remaining: [View?] = []
    for element in next {
      let index = indices.removeValue(forKey: element.identity)
      remaining.append(index.flatMap { views[$0] })
      if let index { views[index] = nil }
    }
    var removed: [(identity: ElementIdentity, view: View)] = []
    for (element, view) in zip(attributes, views) { if let view { removed.append((element.identity, view)) } }
    views = remaining
    return removed
  }

  /// Sets the view of the element at an index.
  ///
  /// - Returns: The previous view, or nil if there was none.
  public mutating func setView(_ view: View, at index: Int) -> View? {
    defer { views[index] = view }
    return views[index]
  }

  /// Updates the identities of the elements after an update of the items.
  ///
  /// - Returns: The views of deleted elements.
  public mutating func apply(_ map: IndexMap) -> [(identity: ElementIdentity, view: View)] {
    keepElements(map.newIdentity)
  }

  /// Removes all elements.
  ///
  /// - Returns: The views, in order.
  public mutating func removeAll() -> [(identity: ElementIdentity, view: View)] { keepElements { _ in nil } }

  /// Renames elements, and removes those without a new identity.
  private mutating func keepElements(
    _ newIdentity: (ElementIdentity) -> ElementIdentity?
  ) -> [(identity: ElementIdentity, view: View)] {
    var removed: [(identity: ElementIdentity, view: View)] = []
    var remaining: [ElementAttributes] = []
    var remainingViews: [View?] = []
    for (element, view) in zip(attributes, views) {
      if let identity = newIdentity(element.identity) {
        var element = element
        element.identity = identity
        remaining.append(element)
        remainingViews.append(view)
      } else if let view {
        removed.append((element.identity, view))
      }
    }
    attributes = remaining
    views = remainingViews
    return removed
  }
}

/// The supplementary and decoration views that are prepared or being prepared outside the screen, by element identity.
///
/// There are few of them. They are stored in insertion order, so that removal is deterministic.
public struct WaitingElements<View> {
  /// A waiting view.
  public struct Entry {
    /// The identity of the view's element.
    public fileprivate(set) var identity: ElementIdentity
    /// The view.
    public let view: View
    /// How far the view is prepared.
    public fileprivate(set) var progress: PreparationProgress
  }

  /// The views, in insertion order.
  public private(set) var entries: [Entry] = []

  /// Creates an empty collection.
  public init() {}

  /// The number of waiting views.
  public var count: Int { entries.count }

  /// Whether no view is waiting.
  public var isEmpty: Bool { entries.isEmpty }

  /// The waiting view of an element, or nil if there is none.
  ///
  /// - Complexity: O(n).
  public subscript(identity: ElementIdentity) -> Entry? { entries.first { $0.identity == identity } }

  /// Adds the view of an element.
  ///
  /// - Precondition: No view is waiting for the element.
  public mutating func insert(_ view: View, of identity: ElementIdentity, progress: PreparationProgress = .ready) {
    checkPrecondition(self[identity] == nil, "A view waits for \(identity) already.")
    entries.append(Entry(identity: identity, view: view, progress: progress))
  }

  /// Sets how far the view of an element is prepared.
  ///
  /// Does nothing if no view is waiting for the element.
  public mutating func setProgress(_ progress: PreparationProgress, of identity: ElementIdentity) {
    if let index = entries.firstIndex(where: { $0.identity == identity }) { entries[index].progress = progress }
  }

  /// Resets the preparation of views to a step.
  ///
  /// Views that have not passed the step are not changed.
  ///
  /// - Parameters:
  ///   - step: The next step of these views.
  ///   - shouldReset: Returns whether to reset the view of an element. Default: all views.
  public mutating func resetProgress(
    to step: PreparationStep, where shouldReset: (ElementIdentity) -> Bool = { _ in true }
  ) {
    for index in entries.indices where entries[index].progress.next.map({ $0 > step }) ?? true {
      if shouldReset(entries[index].identity) { entries[index].progress = PreparationProgress(next: step) }
    }
  }

  /// Removes and returns the view of an element, or nil if no view is waiting for it.
  public mutating func removeView(of identity: ElementIdentity) -> Entry? {
    entries.firstIndex { $0.identity == identity }.map { entries.remove(at: $0) }
  }

  /// Updates the identities of the elements after an update of the items.
  ///
  /// - Returns: The views of deleted elements, in order.
  public mutating func apply(_ map: IndexMap) -> [View] {
    removeViews { entry in
      guard let identity = map.newIdentity(of: entry.identity) else { return false }
      entry.identity = identity
      return true
    }
  }

  /// Removes the views whose elements do not satisfy a predicate.
  ///
  /// - Returns: The removed views, in order.
  public mutating func removeViews(unless isRetained: (ElementIdentity) -> Bool) -> [View] {
    guard entries.contains(where: { !isRetained($0.identity) }) else { return [] }
    return removeViews { (entry: inout Entry) in isRetained(entry.identity) }
  }

  /// Removes all views.
  ///
  /// - Returns: The views, in order.
  public mutating func removeAll() -> [View] { removeViews { (_: inout Entry) in false } }

  private mutating func removeViews(unless isRetained: (inout Entry) -> Bool) -> [View] {
    var removed: [View] = []
    var remaining: [Entry] = []
    for var entry in entries {
      if isRetained(&entry) { remaining.append(entry) } else { removed.append(entry.view) }
    }
    entries = remaining
    return removed
  }
}
