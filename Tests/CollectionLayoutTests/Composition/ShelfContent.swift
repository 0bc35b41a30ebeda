import Geometry

@testable import CollectionLayout

/// Rules for tests: shelves of a few items each, whose lengths are made of a seed and are guessed until they are looked
/// at.
struct ShelfContent: SectionContent, Hashable {
  /// What lengths are made of.
  var seed: UInt64
  /// Items on a shelf.
  var itemsAShelf = 3
  /// The longest shelf in pixels.
  var longest = 40
  /// What a shelf that was not looked at counts as, or nothing where all are known at once.
  var guess: Int?
  /// Whether cells are asked for their size.
  var asksForSizes = false
  var dependsOnSeenLength = true

  func usesSeenLength(_ flow: Axis) -> Bool { dependsOnSeenLength }

  func body(of itemCount: Int, in room: SectionRoom) -> any SectionBody {
    ShelfBody(content: self, itemCount: itemCount, room: room)
  }
}

extension CollectionLayoutSection {
  /// A section of shelves.
  static func shelves(_ content: ShelfContent) -> CollectionLayoutSection { CollectionLayoutSection(content: content) }
}
