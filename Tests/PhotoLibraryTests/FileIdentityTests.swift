import Testing

@testable import PhotoLibrary

@Suite("A file's identity")
struct FileIdentityTests {
  @Test("takes any time that a file system may hold")
  func times() {
    let cases: [(Int64, Int64, Int64)] = [
      (0, 5, 5), (1, 2, 1_000_000_002), (-1_000_000_000, 0, -1_000_000_000_000_000_000),
      (4_102_444_800, 0, 4_102_444_800_000_000_000),
      (.max, 999_999_999, .max), (.min, 0, .min), (9_223_372_036, 999_999_999, .max),
    ]
    for (seconds, nanoseconds, expected) in cases {
      let identity = FileIdentity(
        device: 1, inode: 1, byteCount: 1, modificationSeconds: seconds, nanoseconds: nanoseconds)
      #expect(identity.modificationNanoseconds == expected)
    }
  }

  @Test("tells whole seconds rounded down, before 1970 too")
  func seconds() {
    for (nanoseconds, seconds) in [(0, 0), (999_999_999, 0), (1_000_000_000, 1), (-1, -1), (-1_000_000_000, -1)] {
      let identity = FileIdentity(device: 0, inode: 0, byteCount: 0, modificationNanoseconds: Int64(nanoseconds))
      #expect(identity.modificationSeconds == Int64(seconds))
    }
  }

  @Test("has another version when any part of it is another")
  func version() {
    let identity = FileIdentity(device: 1, inode: 2, byteCount: 3, modificationNanoseconds: 4)
    var others = Set([identity.version])
    for number in 5..<200 {
      var device = identity, inode = identity, bytes = identity, time = identity
      device.device = UInt64(number)
      inode.inode = UInt64(number)
      bytes.byteCount = Int64(number)
      time.modificationNanoseconds = Int64(number)
      others.formUnion([device.version, inode.version, bytes.version, time.version])
    }
    #expect(others.count == 1 + 4 * 195)
    #expect(identity.version == FileIdentity(device: 1, inode: 2, byteCount: 3, modificationNanoseconds: 4).version)
  }
}
