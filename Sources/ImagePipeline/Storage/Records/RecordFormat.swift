import Rendering

/// How records stand in a log's bytes; a pure function of them, which takes any bytes.
///
/// A header of 32 bytes names the program, the format, what is kept and how it is laid out. Then record follows record: its
/// length, a check of the length, a digest of the payload and of the place in the file, the payload, and zeros up to a
/// multiple of 8. So a record that was overtaken by a crash is not taken for one, a damaged payload loses that record
/// alone, and a damaged length loses what follows it. Numbers are little-endian.
struct RecordFormat: Hashable, Sendable {
  /// Why reading stopped.
  enum StopReason: Hashable {
    /// The bytes end with a record.
    case complete
    /// The bytes end within a record.
    case cutOff
    /// What follows is no record.
    case unreadable
  }

  /// The bytes of the header.
  static let headerBytes = 32
  /// The bytes before a payload.
  static let frameBytes = 16
  /// The longest payload, so that nobody has to have more in memory than this.
  static let longestPayload = 1 << 20

  private static let magic: UInt64 = 0x0A47_4F4C_5254_4956  // "VITRLOG\n"
  private static let version: UInt32 = 1

  /// What is kept.
  var kind: UInt32
  /// How its payloads are laid out: another number for another layout.
  var layout: UInt32

  /// The header's bytes.
  var header: [UInt8] {
    var bytes: [UInt8] = []
    for word in headerWords { withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) } }
    return bytes
  }

  private var headerWords: [UInt64] {
    let words = [
      RecordFormat.magic, UInt64(RecordFormat.version) << 32 | UInt64(kind), UInt64(layout),
    ]
    var digest = ContentDigest()
    for word in words { digest.combine(word) }
    return words + [digest.value]
  }

  /// Whether bytes begin with this format's header.
  func matchesHeader(_ bytes: UnsafeRawBufferPointer) -> Bool { bytes.starts(with: header) }

  /// The bytes that a record with such a payload takes.
  static func recordBytes(payload count: Int) -> Int { frameBytes + (count + 7) & ~7 }

  /// Adds a record.
  ///
  /// - Parameters:
  ///   - payload: what it holds.
  ///   - offset: where in the file it will stand.
  ///   - bytes: what it is added to.
  static func appendRecord(_ payload: UnsafeRawBufferPointer, at offset: Int, to bytes: inout [UInt8]) {
    bytes.reserveCapacity(bytes.count + recordBytes(payload: payload.count))
    let length = UInt32(truncatingIfNeeded: payload.count)
    withUnsafeBytes(of: length.littleEndian) { bytes.append(contentsOf: $0) }
    withUnsafeBytes(of: lengthChecksum(length, at: offset).littleEndian) { bytes.append(contentsOf: $0) }
    withUnsafeBytes(of: digest(payload, at: offset).littleEndian) { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: payload)
    while bytes.count % 8 != 0 { bytes.append(0) }
  }

  /// Hands over the payloads of whole records.
  ///
  /// - Parameters:
  ///   - bytes: the file's bytes from a place on, which is the end of the header or of a record.
  ///   - offset: that place.
  ///   - body: takes a payload; nothing for one that is damaged.
  /// - Returns: how many bytes were read as records, and why no more.
  static func readRecords(
    _ bytes: UnsafeRawBufferPointer, at offset: Int, _ body: (UnsafeRawBufferPointer?) -> Void
  ) -> (count: Int, ending: StopReason) {
    var done = 0
    while done < bytes.count {
      guard done + frameBytes <= bytes.count else { return (done, .cutOff) }
      let length = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: done, as: UInt32.self))
      let found = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: done + 4, as: UInt32.self))
      guard length <= longestPayload, found == lengthChecksum(length, at: offset + done) else {
        return (done, .unreadable)
      }
      let end = done + recordBytes(payload: Int(length))
      guard end <= bytes.count else { return (done, .cutOff) }
      let payload = UnsafeRawBufferPointer(rebasing: bytes[(done + frameBytes)..<(done + frameBytes + Int(length))])
      let expected = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: done + 8, as: UInt64.self))
      body(expected == digest(payload, at: offset + done) ? payload : nil)
      done = end
    }
    return (done, .complete)
  }

  private static func lengthChecksum(_ length: UInt32, at offset: Int) -> UInt32 {
    var digest = ContentDigest()
    digest.combine(UInt64(length))
    digest.combine(UInt64(offset))
    return UInt32(truncatingIfNeeded: digest.value >> 32)
  }

  private static func digest(_ payload: UnsafeRawBufferPointer, at offset: Int) -> UInt64 {
    var digest = ContentDigest()
    digest.combine(UInt64(offset))
    digest.combine(bytes: payload)
    return digest.value
  }
}
