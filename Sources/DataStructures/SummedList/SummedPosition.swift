/// Where a leaf of a summed list is: good until the list is changed.
public struct SummedPosition: Hashable, Sendable {
  /// Which leaf it is.
  public let leaf: Int
  /// How many elements come before it.
  public let firstElement: Int
  /// How long those are together.
  public let start: Int
  /// The block that holds the leaf, and the leaf's place there.
  let block: Int
  let slot: Int
}
