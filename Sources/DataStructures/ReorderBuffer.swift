/// Puts what comes in any order back in order: gives each element out as soon as all before it have come.
///
/// Holds only what waits for something before it.
public struct ReorderBuffer<Element> {
  /// What came early, by its place; nothing at places that stay empty.
  private var pendingElements: [Int: Element?] = [:]
  private var nextPosition = 0

  /// Makes a buffer that waits for place 0.
  public init() {}

  /// Takes what came for a place, or learns that nothing will.
  ///
  /// - Parameters:
  ///   - element: what came; nothing where the place stays empty and holds nobody back any longer.
  ///   - place: counted from 0.
  /// - Precondition: nothing came for the place before, and it is not negative.
  /// - Returns: the elements that may be given out now, in the order of their places.
  /// - Complexity: O(elements given out), amortised.
  public mutating func insert(_ element: Element?, at place: Int) -> [Element] {
    checkPrecondition(
      place >= nextPosition && pendingElements[place] == nil, "a place of a ReorderBuffer is filled once")
    pendingElements.updateValue(element, forKey: place)
    var ready: [Element] = []
    while let entry = pendingElements.removeValue(forKey: nextPosition) {
      nextPosition += 1
      if let entry { ready.append(entry) }
    }
    return ready
  }
}
