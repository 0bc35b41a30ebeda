import Synchronization
internal import VitrineDataStructures

/// A hash table of distinct identifiers in insertion order.
///
/// It uses open addressing with linear probing (Knuth, The Art of Computer Programming 3, 6.4, algorithm L) at a load
/// factor of at most 3/4. Each slot has a tag of one byte, so that a probe compares an identifier only if seven bits of
/// the hash are equal. The table uses 5 / 0.75 = 6.7 bytes in addition to each identifier.
///
/// The identifiers of a table may be hashed later, when one is looked up first. Copies share the result.
struct IdentifierTable<ID: Hashable & Sendable>: Sendable {
  /// The number of identifiers from which hashing is deferred; fewer are hashed in less time than it takes to notice.
  static var minimumDeferredCount: Int { 4_096 }

  /// The identifiers, in insertion order.
  private(set) var identifiers: [ID] = []
  private var slots = HashSlots()
  /// The slots to be made by the first look-up, or nil if ``slots`` are complete.
  private var deferred: DeferredHashSlots?

  /// Creates an empty table with a capacity.
  init(capacity: Int) { reserve(capacity) }

  /// Creates a table whose identifiers are hashed later.
  ///
  /// - Complexity: O(1). The array is not copied.
  init(deferring identifiers: [ID]) {
    self.identifiers = identifiers
    deferred = DeferredHashSlots()
  }

  var count: Int { identifiers.count }

  /// Whether the identifiers are not hashed yet.
  var isDeferred: Bool { deferred?.isPending ?? false }

  /// Hashes the identifiers, unless they are.
  func hash() { if let deferred, deferred.isPending { _ = deferred.store(makeSlots()) } }

  /// Takes the slots that were made for the table and its copies, if they were, so that a look-up finds them here.
  mutating func adoptHashes() { if deferred?.isPending == false { completeSlots() } }

  /// Returns the number of an identifier, or -1 if it does not exist.
  ///
  /// - Parameters:
  ///   - id: The identifier.
  ///   - hash: The hash value of the identifier.
  /// - Complexity: O(1) expected, or O(n) if the identifiers must be hashed.
  func find(_ id: ID, hash: Int) -> Int32 {
    guard deferred == nil else { return findDeferred(id, hash: hash) }
    return search(id, hash: hash, in: slots).number
  }

  @inline(never)
  private func findDeferred(_ id: ID, hash: Int) -> Int32 {
    self.hash()
    guard let made = deferred?.made else { return -1 }
    return search(id, hash: hash, in: made.slots).number
  }

  /// Returns the number of an identifier, or -1 with the slot where it belongs.
  @inline(__always)
  private func search(_ id: ID, hash: Int, in slots: HashSlots) -> (number: Int32, slot: Int) {
    let tag = HashSlots.tag(hash)
    var slot = slots.slot(hash)
    while true {
      let other = slots.tags[slot]
      if other == 0 { return (-1, slot) }
      if other == tag, identifiers[Int(slots.numbers[slot])] == id { return (slots.numbers[slot], slot) }
      slot = slot + 1 == slots.tags.count ? 0 : slot + 1
    }
  }

  /// Returns the slots of all identifiers.
  ///
  /// - Precondition: No identifier is named twice.
  /// - Complexity: O(n).
  private func makeSlots() -> HashSlots {
    var slots = HashSlots(count: HashSlots.count(for: identifiers.count))
    for number in identifiers.indices {
      let id = identifiers[number]
      let hash = id.hashValue
      let (known, slot) = search(id, hash: hash, in: slots)
      checkPrecondition(known < 0, "The item \(id) is named twice in one call.")
      slots.fill(slot, hash: hash, with: Int32(truncatingIfNeeded: number))
    }
    return slots
  }

  /// Returns the number of an identifier, which is added if it does not exist.
  ///
  /// - Precondition: The capacity is sufficient.
  /// - Complexity: O(1) expected.
  mutating func insert(_ id: ID, hash: Int) -> Int32 {
    if deferred != nil { completeSlots() }
    // The loop of `find`, on the table's own storage: passing it on would retain it for every identifier.
    let tag = HashSlots.tag(hash)
    var slot = slots.slot(hash)
    while true {
      let other = slots.tags[slot]
      if other == 0 { break }
      if other == tag, identifiers[Int(slots.numbers[slot])] == id { return slots.numbers[slot] }
      slot = slot + 1 == slots.tags.count ? 0 : slot + 1
    }
    let number = Int32(truncatingIfNeeded: identifiers.count)
    slots.tags[slot] = tag
    slots.numbers[slot] = number
    identifiers.append(id)
    return number
  }

  /// Reserves capacity for a total number of identifiers.
  ///
  /// - Complexity: O(1) if the capacity is sufficient, otherwise O(n).
  mutating func reserve(_ capacity: Int) {
    if deferred != nil { completeSlots() }
    guard capacity * 4 > slots.count * 3 || slots.isEmpty else { return }
    // Grown in proportion to its size, so that single insertions cost O(1) amortised.
    let slotCount = Swift.max(HashSlots.count(for: capacity), slots.isEmpty ? 0 : slots.count * 2)
    slots = HashSlots(count: slotCount)
    identifiers.reserveCapacity(slotCount * 3 / 4)
    for number in identifiers.indices { slots.insertNew(identifiers[number].hashValue, number) }
  }

  private mutating func completeSlots() {
    hash()
    if let made = deferred?.made { slots = made.slots }
    deferred = nil
  }
}

/// The slots of a hash table with open addressing, without its identifiers.
private struct HashSlots: Sendable {
  /// For each slot, 0 if it is empty, otherwise seven bits of the hash with the eighth bit set.
  var tags: ContiguousArray<UInt8> = []
  /// For each slot with a tag, the number of the identifier.
  var numbers: ContiguousArray<Int32> = []

  init() {}

  /// Creates empty slots.
  init(count: Int) {
    tags = ContiguousArray(repeating: 0, count: count)
    numbers = ContiguousArray(repeating: 0, count: count)
  }

  var count: Int { tags.count }
  var isEmpty: Bool { tags.isEmpty }

  /// Returns the number of slots for a number of identifiers.
  static func count(for capacity: Int) -> Int { Swift.max(8, capacity * 4 / 3 + 1) }

  /// Fills an empty slot.
  mutating func fill(_ slot: Int, hash: Int, with number: Int32) {
    tags[slot] = HashSlots.tag(hash)
    numbers[slot] = number
  }

  /// Adds an identifier that is known to be new.
  mutating func insertNew(_ hash: Int, _ number: Int) {
    var slot = slot(hash)
    while tags[slot] != 0 { slot = slot + 1 == tags.count ? 0 : slot + 1 }
    fill(slot, hash: hash, with: Int32(truncatingIfNeeded: number))
  }

  func slot(_ hash: Int) -> Int {
    // The upper half of a product is distributed evenly over any range (Lemire, Fast random integer generation in an
    // interval).
    Int(truncatingIfNeeded: UInt(bitPattern: hash).multipliedFullWidth(by: UInt(bitPattern: tags.count)).high)
  }

  static func tag(_ hash: Int) -> UInt8 { UInt8(truncatingIfNeeded: hash) | 0x80 }
}

/// The slots of a table that were not needed yet, shared by the table's copies.
///
/// Not generic: looking up the metadata of a generic class would cost more than looking up an identifier.
private final class DeferredHashSlots: Sendable {
  /// The slots that were made.
  final class Made: Sendable {
    let slots: HashSlots

    init(_ slots: HashSlots) { self.slots = slots }
  }

  private let reference = AtomicLazyReference<Made>()

  /// The slots, or nil if they are not made yet.
  var made: Made? { reference.load() }

  /// Whether the slots are not made yet.
  var isPending: Bool { made == nil }

  /// Stores the slots and returns those that are stored.
  ///
  /// Another thread may have made them at the same time; equal identifiers give equal slots.
  func store(_ slots: HashSlots) -> Made { reference.storeIfNil(Made(slots)) }
}
