import Rendering
import TestSupport
import Testing

@Suite("A texture's name never comes back")
struct TextureNamesTests {
  @Test("No name is given twice and only live names are live", arguments: 1...10 as ClosedRange<UInt64>)
  func namesAreUnique(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var names = TextureIDAllocator()
    var live: [TextureID] = []
    var dead: [TextureID] = []
    var given: Set<TextureID> = []
    for _ in 0..<4_000 {
      let choice = Int.random(in: 0..<5, using: &random)
      if live.isEmpty || choice < 2 && live.count < 8 {
        let made = names.makeID()
        let name = try #require(made)
        #expect(given.insert(name).inserted && name != .none)
        live.append(name)
      } else {
        let name = live.remove(at: .random(in: 0..<live.count, using: &random))
        dead.append(name)
        if choice == 4 {
          if let next = names.renewID(name) {
            #expect(given.insert(next).inserted && next.slot == name.slot)
            live.append(next)
          }
        } else {
          let wasLive = names.releaseID(name)
          #expect(wasLive)
        }
        let diesTwice = names.releaseID(name)
        let renewed = names.renewID(name)
        #expect(!diesTwice && renewed == nil)
      }
      #expect(names.count == live.count)
    }
    #expect(live.allSatisfy(names.isLive))
    #expect(!dead.contains(where: names.isLive))
  }

  @Test("A slot that has used up its generations is retired")
  func slotsRetire() throws {
    var names = TextureIDAllocator()
    for generation in 1...2_047 {
      let made = names.makeID()
      let name = try #require(made)
      #expect(name == TextureID(slot: 0, generation: generation))
      names.releaseID(name)
    }
    let made = names.makeID()
    let next = try #require(made)
    #expect(next == TextureID(slot: 1, generation: 1))
    #expect(names.slotCount == 2)
  }

  @Test("Renewing ends where the generations end")
  func renewingEnds() throws {
    var names = TextureIDAllocator()
    let made = names.makeID()
    var name = try #require(made)
    var count = 1
    while let next = names.renewID(name) {
      name = next
      count += 1
    }
    #expect(count == 2_047 && names.count == 0 && !names.isLive(name))
  }

  @Test("Nothing is the name of no texture, and foreign names are not live")
  func foreignNames() {
    var names = TextureIDAllocator()
    let released = names.releaseID(.none)
    #expect(!released && !names.isLive(.none))
    #expect(!names.isLive(TextureID(slot: 77, generation: 3)))
    #expect(!names.isLive(TextureID(rawValue: -1)))
  }

  @Test("Slot and generation are read back from a name")
  func roundTrip() {
    let name = TextureID(slot: 0xF_FFFE, generation: 0x7FE)
    #expect(name.slot == 0xF_FFFE && name.generation == 0x7FE && name.rawValue > 0)
  }
}
