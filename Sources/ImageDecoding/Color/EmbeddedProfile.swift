/// Finds a colour profile in the bytes of a JPEG or a WebP, whose decoders do not tell of it.
enum EmbeddedProfile {
  private static let mostSegments = 4096

  /// Puts a JPEG's profile together from its segments (ICC.1:2022, annex B.4); nothing where one is missing.
  static func ofJPEG(_ bytes: UnsafeRawBufferPointer) -> PictureColors {
    let file = FileReader(bytes)
    let letters: StaticString = "ICC_PROFILE\0"
    let headBytes = letters.utf8CodeUnitCount + 2
    var parts: [Int: Range<Int>] = [:]
    var partCount = 0
    var position = 2
    for _ in 0..<mostSegments {
      // Segments follow each other up to the pixels; anything else between them ends the search.
      guard file.byte(position) == 0xFF, let marker = file.byte(position + 1) else { break }
      if marker == 0xFF {
        position += 1
        continue
      }
      guard marker != 0xDA, marker != 0xD9, let length = file.big(position + 2, bytes: 2), length >= 2 else { break }
      let content = position + 4
      if marker == 0xE2, length - 2 > headBytes, file.holds(letters, at: content),
        let number = file.byte(content + headBytes - 2), let count = file.byte(content + headBytes - 1),
        position + 2 + length <= file.count
      {
        parts[Int(number)] = content + headBytes..<position + 2 + length
        partCount = Int(count)
      }
      position += 2 + length
    }
    guard partCount > 0, parts.count == partCount else { return .standard }
    var profile: [UInt8] = []
    for number in 1...partCount {
      guard let part = parts[number], profile.count + part.count <= ICCProfile.mostBytes else { return .standard }
      profile += bytes[part]
    }
    return .profile(profile)
  }

  /// Reads a WebP's profile, which is the first chunk behind the header that promises it (RFC 9649, section 2.7.1.4).
  static func ofWebP(_ bytes: UnsafeRawBufferPointer) -> PictureColors {
    let file = FileReader(bytes)
    let flag: UInt8 = 0x20
    guard file.holds("VP8X", at: 12), let flags = file.byte(20), flags & flag != 0,
      let headerBytes = file.little(16, bytes: 4)
    else { return .standard }
    let start = 20 + headerBytes + headerBytes % 2
    guard file.holds("ICCP", at: start), let count = file.little(start + 4, bytes: 4), count <= ICCProfile.mostBytes,
      let profile = file.slice(start + 8, count)
    else { return .standard }
    return .profile(Array(profile))
  }
}
