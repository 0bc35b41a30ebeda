import CollectionEngine
import CollectionLayout
import struct FoundationEssentials.IndexPath

/// What an apply makes of the numbers of items and sections.
struct ViewUpdate {
  /// The flat index of the item that stood at a path, or nothing when it is gone.
  let newIndex: (IndexPath) -> Int?
  /// The index of the section that stood at another one, or nothing when it is gone.
  let newSection: (Int) -> Int?
  /// The same for all items in stretches; made when something needs it.
  let renumbering: () -> ItemRenumbering
  /// The same as a layout takes it in; nothing where it is to be solved anew.
  let layout: LayoutUpdate?
  /// Whether every item of before stands where it stood.
  let isAppendOnly: Bool
}
