import Glibc
import Rendering
import SDLBackend
import Testing

@Suite("Mirrored memory goes on at its beginning")
struct MirroredMemoryTests {
  @Test("What is written behind the end stands at the beginning, and the other way about; and in the file")
  func mirror() throws {
    let size = MirroredMemory.granularity * 3
    let memory = try MirroredMemory(byteCount: size)
    #expect(memory.byteCount == size)
    for place in [0, 1, size / 2, size - 4] {
      memory.start.storeBytes(of: 0x1234_5678 + UInt32(place), toByteOffset: size + place, as: UInt32.self)
      #expect(memory.start.loadUnaligned(fromByteOffset: place, as: UInt32.self) == 0x1234_5678 + UInt32(place))
    }
    memory.start.storeBytes(of: 0xAABB_CCDD, toByteOffset: size - 2, as: UInt32.self)
    #expect(memory.start.loadUnaligned(fromByteOffset: 0, as: UInt16.self) == 0xAABB)
    var bytes: UInt16 = 0
    #expect(pread(memory.descriptor, &bytes, 2, off_t(size - 2)) == 2 && bytes == 0xCCDD)
  }

  @Test("Nobody can take the memory away from those who read along")
  func shrinking() throws {
    let memory = try MirroredMemory(byteCount: MirroredMemory.granularity)
    #expect(ftruncate(memory.descriptor, 0) == -1 && errno == EPERM)
  }

  @Test("More than there is is an error that says how much was asked for")
  func tooMuch() {
    let count = (1 << 60) / MirroredMemory.granularity * MirroredMemory.granularity
    let error = #expect(throws: DisplayError.self) { _ = try MirroredMemory(byteCount: count) }
    #expect(error?.description.contains("\(count) bytes") == true)
  }
}
