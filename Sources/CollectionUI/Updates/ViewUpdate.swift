import CollectionEngine
import CollectionLayout
import struct FoundationEssentials.IndexPath

/// What an apply makes of the numbers of items and sections.
struct CollectionUpdate {
  /// The flat index of the item that stood at a path, or nothing when it is gone.
  let newIndex: (IndexPath) -> Int?
  /// The index of the section that stood at another one, or nothing when it is gone.
  let newSection: (Int) -> Int?
  /// The same for all items in stretches; made when something needs it.
  let indexMap: () -> ItemIndexMap
  /// The same as a layout takes it in; nothing where it is to be solved anew.
  let layout: LayoutUpdate?
  /// Whether every item of before stands where it stood.
  let isAppendOnly: Bool
  /// Where the item stood that stands at a path now, or nothing when it is new.
  var oldPath: (IndexPath) -> IndexPath? = { _ in nil }
  /// Whether the item that stands at a path now was moved there, and did not only make way.
  var isMoved: (IndexPath) -> Bool = { _ in false }
  /// How many runs of items were moved.
  var moveCount = 0
  /// Whether the stretches of ``renumbering`` are too many for a frame.
  var hasManyRuns = false
  /// Whether the offset stays, and not what is seen first.
  var keepsOffset = false

  /// The name of a view beside the cells after the update, or nothing when its section is gone.
  func newIdentity(of identity: ElementIdentity) -> ElementIdentity? {
    guard let section = identity.section else { return identity }
    return newSection(section).map { section in
      var renamed = identity
      renamed.section = section
      return renamed
    }
  }
}
