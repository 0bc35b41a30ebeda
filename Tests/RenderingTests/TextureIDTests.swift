import Testing
import VitrineRendering
import VitrineTestSupport

@Suite("A texture identifier is never reused")
struct TextureIDTests {
  @Test("No identifier is returned twice, and only live identifiers are live", arguments: 1...10 as ClosedRange<UInt64>)
  func identifiersAreUnique(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var allocator = TextureIDAllocator()
    var live: [TextureID] = []
    var released: [TextureID] = []
    var identifiers: Set<TextureID> = []
    for _ in 0..<4_000 {
      let choice = Int.random(in: 0..<5, using: &random)
      if live.isEmpty || choice < 2 && live.count < 8 {
        let made = allocator.makeID()
        let id = try #require(made)
        #expect(identifiers.insert(id).inserted && id != .none)
        live.append(id)
      } else {
        let id = live.remove(at: .random(in: 0..<live.count, using: &random))
        released.append(id)
        if choice == 4 {
          if let next = allocator.renewID(id) {
            #expect(identifiers.insert(next).inserted && next.slot == id.slot)
            live.append(next)
          }
        } else {
          let wasLive = allocator.releaseID(id)
          #expect(wasLive)
        }
        let isReleasedTwice = allocator.releaseID(id)
        let renewed = allocator.renewID(id)
        #expect(!isReleasedTwice && renewed == nil)
      }
      #expect(allocator.count == live.count)
    }
    #expect(live.allSatisfy(allocator.isLive))
    #expect(!released.contains(where: allocator.isLive))
  }

  @Test("A slot whose generations are exhausted is retired")
  func slotsRetire() throws {
    var allocator = TextureIDAllocator()
    for generation in 1...2_047 {
      let made = allocator.makeID()
      let id = try #require(made)
      #expect(id == TextureID(slot: 0, generation: generation))
      allocator.releaseID(id)
    }
    let made = allocator.makeID()
    let next = try #require(made)
    #expect(next == TextureID(slot: 1, generation: 1))
    #expect(allocator.slotCount == 2)
  }

  @Test("Renewing ends when the generations are exhausted")
  func renewingEnds() throws {
    var allocator = TextureIDAllocator()
    let made = allocator.makeID()
    var id = try #require(made)
    var count = 1
    while let next = allocator.renewID(id) {
      id = next
      count += 1
    }
    #expect(count == 2_047 && allocator.count == 0 && !allocator.isLive(id))
  }

  @Test("The empty identifier belongs to no texture, and foreign identifiers are not live")
  func foreignIdentifiers() {
    var allocator = TextureIDAllocator()
    let wasReleased = allocator.releaseID(.none)
    #expect(!wasReleased && !allocator.isLive(.none))
    #expect(!allocator.isLive(TextureID(slot: 77, generation: 3)))
    #expect(!allocator.isLive(TextureID(rawValue: -1)))
  }

  @Test("The slot and the generation can be read from an identifier")
  func roundTrip() {
    let id = TextureID(slot: 0xF_FFFE, generation: 0x7FE)
    #expect(id.slot == 0xF_FFFE && id.generation == 0x7FE && id.rawValue > 0)
  }
}
