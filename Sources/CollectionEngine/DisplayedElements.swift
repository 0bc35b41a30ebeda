public import CollectionLayout
import DataStructures

/// The supplementary and decoration views on screen, those behind first.
///
/// A frame's list of elements goes in; in most frames it names the same ones, moved perhaps, and nothing is allocated.
public struct DisplayedElements<View> {
  /// An element that is on screen, and its view unless it is to be made.
  public typealias Entry = (attributes: ElementAttributes, view: View?)

  /// The elements on screen as the layout places them.
  public private(set) var attributes: [ElementAttributes] = []
  private var views: [View?] = []

  /// Nothing on screen.
  public init() {}

  /// How many elements are on screen.
  public var count: Int { attributes.count }

  /// The view at a place in the list, if it was made.
  public func view(at place: Int) -> View? { views[place] }

  /// The place of an element in the list, if it is on screen.
  ///
  /// - Complexity: O(elements on screen).
  public func index(of identity: ElementIdentity) -> Int? { attributes.firstIndex { $0.identity == identity } }

  /// Takes the elements of a frame; the list that is given gets the last one's memory.
  ///
  /// - Returns: the views that left, in their order.
  /// - Complexity: O(n) where the same elements are on screen in the same order, O(n) in the mean otherwise.
  public mutating func replaceElements(with next: inout [ElementAttributes]) -> [(
    identity: ElementIdentity, view: View
  )] {
    defer { swap(&attributes, &next) }
    if next.count == attributes.count, !next.indices.contains(where: { next[$0].identity != attributes[$0].identity }) {
      return []
    }
    var places: [ElementIdentity: Int] = [:]
    for (place, element) in attributes.enumerated() { places[element.identity] = place }
    var kept: [View?] = []
    for element in next {
      let place = places.removeValue(forKey: element.identity)
      kept.append(place.flatMap { views[$0] })
      if let place { views[place] = nil }
    }
    var left: [(identity: ElementIdentity, view: View)] = []
    for (element, view) in zip(attributes, views) { if let view { left.append((element.identity, view)) } }
    views = kept
    return left
  }

  /// Gives an element its view.
  ///
  /// - Returns: the view that it had, if it is another one.
  public mutating func setView(_ view: View, at place: Int) -> View? {
    defer { views[place] = view }
    return views[place]
  }

  /// Elements have other names: keeps the views of those that stay.
  ///
  /// - Parameter newIdentity: the new name of an element by its old one, no name twice; nothing for one that is gone.
  /// - Returns: the views of those that are gone.
  public mutating func remapIdentities(
    _ newIdentity: (ElementIdentity) -> ElementIdentity?
  ) -> [(identity: ElementIdentity, view: View)] {
    var gone: [(identity: ElementIdentity, view: View)] = []
    var kept: [ElementAttributes] = []
    var keptViews: [View?] = []
    for (element, view) in zip(attributes, views) {
      if let identity = newIdentity(element.identity) {
        var element = element
        element.identity = identity
        kept.append(element)
        keptViews.append(view)
      } else if let view {
        gone.append((element.identity, view))
      }
    }
    attributes = kept
    views = keptViews
    return gone
  }

  /// Lets go of everything.
  ///
  /// - Returns: the views, in their order.
  public mutating func removeAll() -> [(identity: ElementIdentity, view: View)] { remapIdentities { _ in nil } }
}
