import CollectionEngine
import DataStructures
public import struct FoundationEssentials.IndexPath
import FramePacing

extension CollectionView {
  /// Dequeues a cell of a registration, reused or created, and configures it for an item.
  ///
  /// Call this method in a cell provider, once for each call of the provider. While an item is being reconfigured, the
  /// method returns the item's current cell, and `prepareForReuse` is not called.
  ///
  /// - Precondition: The registration was not created inside the provider.
  public final func dequeueConfiguredReusableCell<Cell: CollectionViewCell, ItemID: Hashable & Sendable>(
    using registration: CellRegistration<Cell, ItemID>, for indexPath: IndexPath, item: ItemID
  ) -> Cell {
    checkPrecondition(
      !registration.isMadeInProvider,
      """
      A cell registration was made inside a cell provider. Each request would make another one, none would ever be \
      used twice, and its cells would never be reused: make the registration once, outside the provider.
      """)
    if let existing = reconfiguredCell {
      guard let cell = existing as? Cell, cell.registration == number(of: registration) else {
        failPrecondition(
          """
          While item \(item) was reconfigured its provider requested a cell of another registration. Reconfiguring keeps \
          the cell: use reloadItems to change its kind.
          """)
      }
      cell.boundItem = item
      registration.handler(cell, indexPath, item)
      cell.configure(using: state(at: indexPath))
      return cell
    }
    checkPrecondition(
      dequeuedCell == nil,
      """
      A cell was dequeued that no provider returned. Dequeue cells within a cell provider alone, one for each call: any \
      other would be lost.
      """)
    let number = number(of: registration)
    // If the maximum number of cells exists, the least needed waiting cell is reused.
    if pool.isEmpty(of: number), hasReachedCellLimit {
      recycleLeastNeeded(than: flatIndex(at: indexPath)) { $0.registration == number }
    }
    let cell: Cell
    if let pooled = pool.dequeueCell(of: number, leaving: cellQuarantine) as? Cell {
      pooled.isPooled = false
      let isSpare = lifecycle.isSpare(pooled.number)
      lifecycle.handle(.reuse, of: pooled.number)
      if !isSpare { pooled.prepareForReuse() }
      cell = pooled
    } else {
      cell = measuringStep(.create, of: number) { Cell() }
      cell.number = lifecycle.create()
      cell.registration = number
    }
    dequeuedCell = cell
    cell.hasRequestedReconfigure = false
    cell.boundItem = item
    registration.handler(cell, indexPath, item)
    cell.configure(using: state(at: indexPath))
    return cell
  }

  private func state(at path: IndexPath) -> CellConfigurationState {
    flatIndex(at: path).map { configurationState(of: $0) } ?? CellConfigurationState()
  }

  private func number<Cell, ItemID>(of registration: CellRegistration<Cell, ItemID>) -> Int {
    let key = ObjectIdentifier(registration)
    return registrations.number(of: key)
      ?? registerEntry(
        RegistrationTable.Entry(
          registration: registration, makeCell: { Cell() }, declared: registration.declaredCosts, log: registration.log),
        for: key)
  }

  final func number<View>(of registration: SupplementaryRegistration<View>) -> Int {
    let key = ObjectIdentifier(registration)
    return registrations.number(of: key)
      ?? registerEntry(
        RegistrationTable.Entry(
          registration: registration, makeCell: nil, declared: registration.declaredCosts, log: registration.log),
        for: key)
  }

  /// Returns the number of a class of decoration views in this view's registrations.
  package final func number(ofDecoration type: CollectionReusableView.Type) -> Int {
    let key = ObjectIdentifier(type)
    return registrations.number(of: key)
      ?? registerEntry(RegistrationTable.Entry(registration: nil, makeCell: nil, declared: .none, log: nil), for: key)
  }

  private func registerEntry(_ entry: RegistrationTable.Entry, for key: ObjectIdentifier) -> Int {
    let number = registrations.add(entry, for: key)
    for step in PreparationStep.allCases where entry.declared[step] > .zero {
      preparation.costs.declare(entry.declared[step], for: step, of: number)
    }
    return number
  }
}

/// The registrations and classes that a collection view uses, numbered.
///
/// Each number has its own reuse pool and costs.
struct RegistrationTable {
  /// The stored properties of a registration.
  struct Entry {
    /// The registration, retained so that its identity cannot become that of another one.
    let registration: AnyObject?
    /// Creates a cell.
    ///
    /// Nil for views that are not created ahead.
    let makeCell: (() -> CollectionViewCell)?
    /// The declared costs of its steps.
    let declared: DeclaredCosts
    /// The log of the measured costs.
    let log: PreparationLog?
  }

  private var numbers: [ObjectIdentifier: Int] = [:]
  private var entries: [Entry] = []

  /// Returns the number of a registration, or nil if it was not added.
  func number(of key: ObjectIdentifier) -> Int? { numbers[key] }

  /// Adds a registration.
  ///
  /// - Returns: The number of the registration.
  mutating func add(_ entry: Entry, for key: ObjectIdentifier) -> Int {
    numbers[key] = entries.count
    entries.append(entry)
    return entries.count - 1
  }

  /// The entry of a registration, or nil if there is none with this number.
  subscript(number: Int) -> Entry? { entries.indices.contains(number) ? entries[number] : nil }
}

/// A task-local value that indicates whether a provider is running.
///
/// Registrations created meanwhile are refused at their first dequeue. The value is task-local, because the provider is
/// client code, through which no argument can be passed.
enum ProviderContext {
  struct Value: Sendable {
    var isInside = false
  }

  @TaskLocal static var current = Value()
}
