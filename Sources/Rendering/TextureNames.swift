/// Gives out texture names such that a name, once released, never comes back.
///
/// A slot that has used up its 2,047 generations is retired, which costs a table of textures one dead entry each time.
/// Not a store: what a name stands for is the caller's table, indexed by ``TextureID/slot``.
public struct TextureIDAllocator: Sendable {
  /// The number of slots that the bits of a name can tell apart.
  public static let maximumSlots = 1 << 20
  private static let lastGeneration: Int16 = 0x7FF

  /// The current generation of each slot, negative where the slot's name is not in use.
  private var generations: ContiguousArray<Int16> = []
  private var freeSlots: ContiguousArray<Int32> = []
  /// The number of names in use.
  public private(set) var count = 0

  /// Makes a giver of names that has given none.
  public init() {}

  /// The number of slots ever used: an upper bound of every name's ``TextureID/slot``.
  public var slotCount: Int { generations.count }

  /// A new name, or nothing when all slots are in use or retired.
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

  /// Whether a name was given and not released.
  /// - Complexity: O(1).
  @inline(__always)
  public func isLive(_ name: TextureID) -> Bool {
    name.slot < generations.count && Int(generations[name.slot]) == name.generation
  }

  /// Ends a name and says whether it was live; a name that is not live is left alone.
  /// - Complexity: O(1), amortised.
  @discardableResult
  public mutating func releaseID(_ name: TextureID) -> Bool {
    guard isLive(name) else { return false }
    let generation = generations[name.slot]
    generations[name.slot] = -generation
    count -= 1
    if generation < TextureIDAllocator.lastGeneration { freeSlots.append(Int32(name.slot)) }
    return true
  }

  /// Ends a name and returns the next one of the same slot, or nothing when the name is not live or its slot is used up.
  ///
  /// For tables that keep what a name stood for, to give it out again under another name.
  /// - Complexity: O(1).
  public mutating func renewID(_ name: TextureID) -> TextureID? {
    guard isLive(name), generations[name.slot] < TextureIDAllocator.lastGeneration else {
      releaseID(name)
      return nil
    }
    generations[name.slot] += 1
    return TextureID(slot: name.slot, generation: name.generation + 1)
  }

  /// Ends every name.
  /// - Complexity: O(slots ever used).
  public mutating func releaseAll() {
    for slot in generations.indices where generations[slot] > 0 {
      releaseID(TextureID(slot: slot, generation: Int(generations[slot])))
    }
  }
}
