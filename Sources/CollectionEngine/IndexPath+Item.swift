public import struct FoundationEssentials.IndexPath

extension IndexPath {
  /// The path of an item in a section.
  public init(item: Int, section: Int) { self.init(indexes: [section, item]) }

  /// The section's place; the first index.
  /// - Precondition: the path has one index or more.
  public var section: Int { self[0] }

  /// The item's place in its section; the second index.
  /// - Precondition: the path has two indexes or more.
  public var item: Int { self[1] }
}
