/// The identifier of a texture.
///
/// An identifier contains a generation, so that a released one never identifies another texture.
public struct TextureID: Hashable, Sendable, BitwiseCopyable {
  /// The slot in the lower 20 bits and the generation in the 11 bits above, or 0 for no texture.
  public let rawValue: Int32

  /// The identifier of no texture.
  public static let none = TextureID(rawValue: 0)

  /// Creates an identifier from its raw value.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// Creates an identifier from a slot and a generation.
  public init(slot: Int, generation: Int) {
    rawValue = Int32((generation & 0x7FF) << 20 | (slot & 0xF_FFFF))
  }

  /// The index of the slot in a table of textures.
  public var slot: Int { Int(rawValue & 0xF_FFFF) }

  /// The generation, which counts the uses of the slot.
  public var generation: Int { Int(rawValue >> 20) & 0x7FF }
}

/// An allocator of texture IDs that never returns a released ID again.
///
/// A slot is retired after 2,047 generations, which costs a table of textures one unused entry. The allocator stores no
/// textures. They belong in the caller's table, indexed by ``TextureID/slot``.
public struct TextureIDAllocator: Sendable {
  /// The maximum number of slots that an ID can express.
  public static let maximumSlots = 1 << 20
  private static let lastGeneration: Int16 = 0x7FF

  /// The current generation of each slot, negative if the slot is free.
  private var generations: ContiguousArray<Int16> = []
  private var freeSlots: ContiguousArray<Int32> = []
  /// The number of live IDs.
  public private(set) var count = 0

  /// Creates an allocator without live IDs.
  public init() {}

  /// The number of slots ever used, an upper bound of every ``TextureID/slot``.
  public var slotCount: Int { generations.count }

  /// Returns a new ID, or nil if all slots are in use or retired.
  /// - Complexity: O(1), amortised.
  public mutating func makeID() -> TextureID? {
    if let slot = freeSlots.popLast() {
      let generation = -generations[Int(slot)] + 1
      generations[Int(slot)] = generation
      count += 1
      return TextureID(slot: Int(slot), generation: Int(generation))
    }
    guard generations.count < TextureIDAllocator.maximumSlots else { return nil }
    generations.append(1)
    count += 1
    return TextureID(slot: generations.count - 1, generation: 1)
  }

  /// Whether an ID was allocated and not released.
  /// - Complexity: O(1).
  @inline(__always)
  public func isLive(_ id: TextureID) -> Bool {
    id.slot < generations.count && Int(generations[id.slot]) == id.generation
  }

  /// Releases an ID.
  ///
  /// Returns false and does nothing if the ID is not live.
  /// - Complexity: O(1), amortised.
  @discardableResult
  public mutating func releaseID(_ id: TextureID) -> Bool {
    guard isLive(id) else { return false }
    let generation = generations[id.slot]
    generations[id.slot] = -generation
    count -= 1
    if generation < TextureIDAllocator.lastGeneration { freeSlots.append(Int32(id.slot)) }
    return true
  }

  /// Releases an ID and returns the next ID of the same slot, or nil if the ID is not live or the slot is used up.
  ///
  /// For tables that keep the texture of a slot to use it again under another ID.
  /// - Complexity: O(1).
  public mutating func renewID(_ id: TextureID) -> TextureID? {
    guard isLive(id), generations[id.slot] < TextureIDAllocator.lastGeneration else {
      releaseID(id)
      return nil
    }
    generations[id.slot] += 1
    return TextureID(slot: id.slot, generation: id.generation + 1)
  }

  /// Releases all IDs.
  /// - Complexity: O(slots ever used).
  public mutating func releaseAll() {
    for slot in generations.indices where generations[slot] > 0 {
      releaseID(TextureID(slot: slot, generation: Int(generations[slot])))
    }
  }
}
