import CollectionEngine
import FramePacing

/// The registrations and classes that a collection view has met, each by a small number: one pool, one set of costs.
struct RegistrationTable {
  /// What is kept of a registration.
  struct Entry {
    /// Held, so that the identity cannot become another registration's.
    let registration: AnyObject?
    /// Makes a cell; nothing for views that are not made ahead of need.
    let makeCell: (() -> CollectionViewCell)?
    /// What its steps are said to cost.
    let declared: DeclaredCosts
    /// Where what they took is written.
    let log: PreparationLog?
  }

  private var numbers: [ObjectIdentifier: Int] = [:]
  private var entries: [Entry] = []

  /// The number of a registration, if it was met.
  func number(of key: ObjectIdentifier) -> Int? { numbers[key] }

  /// Meets a registration.
  ///
  /// - Returns: its number.
  mutating func add(_ entry: Entry, for key: ObjectIdentifier) -> Int {
    numbers[key] = entries.count
    entries.append(entry)
    return entries.count - 1
  }

  /// What is kept of a registration, if it was met.
  subscript(number: Int) -> Entry? { entries.indices.contains(number) ? entries[number] : nil }
}
