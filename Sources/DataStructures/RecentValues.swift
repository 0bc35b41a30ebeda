/// The last so many of a run of values, in room that is taken once: adding one takes no more.
public struct RecentValues<Element> {
  /// How many are kept.
  public let capacity: Int
  /// How many there were in all, kept or not.
  public private(set) var count = 0

  private var values: [Element] = []

  /// Takes the room; memory is first touched where values come to lie.
  ///
  /// - Parameter capacity: how many are kept; at least one.
  public init(capacity: Int) {
    self.capacity = max(1, capacity)
    values.reserveCapacity(self.capacity)
  }

  /// How many can be looked at.
  public var storedCount: Int { values.count }

  /// Adds a value; where there is no room the oldest goes.
  ///
  /// - Complexity: O(1).
  public mutating func append(_ value: Element) {
    if values.count < capacity {
      values.append(value)
    } else {
      values[count % capacity] = value
    }
    count += 1
  }

  /// A kept value, 0 the newest.
  ///
  /// - Precondition: less than ``keptCount``.
  public func value(atAge age: Int) -> Element {
    checkPrecondition(age >= 0 && age < values.count, "There is no value of age \(age) among \(values.count).")
    return values[(count - 1 - age) % capacity]
  }

  /// The newest values that a condition holds for without a gap, the oldest of them first.
  ///
  /// - Complexity: O(values that are returned).
  public func newestValues(while isWanted: (Element) -> Bool = { _ in true }) -> [Element] {
    var wanted = 0
    while wanted < values.count, isWanted(value(atAge: wanted)) { wanted += 1 }
    return (0..<wanted).reversed().map { value(atAge: $0) }
  }
}

extension RecentValues: Sendable where Element: Sendable {}
