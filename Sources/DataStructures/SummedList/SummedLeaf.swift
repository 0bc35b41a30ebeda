/// A run of elements that a summed list holds as one: how many there are, and how long they are together.
public protocol SummedLeaf: Sendable {
  /// How many elements it stands for; never negative.
  var count: Int { get }

  /// How long they are together; never negative.
  var length: Int { get }
}
