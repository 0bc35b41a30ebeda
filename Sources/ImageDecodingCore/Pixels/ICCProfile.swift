import Glibc

/// A colour profile, parsed without a library (ICC.1:2022) to validate it and to detect sRGB.
///
/// Most profiles in files are sRGB, under many names and by many vendors; converting from them would cost time and
/// change nothing.
package struct ICCProfile {
  /// The maximum size of a profile in bytes.
  ///
  /// Larger profiles are ignored.
  package static let maximumBytes = 4 << 20

  private let bytes: [UInt8]
  private let tags: [Tag]

  private struct Tag {
    var name: Int
    var offset: Int
    var count: Int
  }

  private static let headerBytes = 128
  private static let maximumTags = 128

  /// Reads the table of tags, or returns nil if the bytes are not a profile.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= ICCProfile.headerBytes + 4, bytes.count <= ICCProfile.maximumBytes,
      bytes[36..<40].elementsEqual("acsp".utf8)
    else { return nil }
    self.bytes = bytes
    var tags: [Tag] = []
    let count = min(ICCProfile.maximumTags, ICCProfile.number(bytes, ICCProfile.headerBytes) ?? 0)
    for index in 0..<count {
      let place = ICCProfile.headerBytes + 4 + index * 12
      guard let name = ICCProfile.number(bytes, place), let offset = ICCProfile.number(bytes, place + 4),
        let length = ICCProfile.number(bytes, place + 8), offset <= bytes.count, length <= bytes.count - offset
      else { break }
      tags.append(Tag(name: name, offset: offset, count: length))
    }
    self.tags = tags
  }

  /// Whether the profile matches sRGB for every colour, to within about half a level of eight bits.
  var isStandard: Bool {
    guard bytes[16..<20].elementsEqual("RGB ".utf8), tag("A2B0") == nil else { return false }
    // The primaries of IEC 61966-2-1, adapted to the profile's white point.
    let primaries: [(StaticString, [Double])] = [
      ("rXYZ", [0.4361, 0.2225, 0.0139]), ("gXYZ", [0.3851, 0.7169, 0.0971]), ("bXYZ", [0.1431, 0.0606, 0.7139]),
    ]
    let isNear = primaries.allSatisfy { name, wanted in
      guard let place = tag(name), place.count >= 20 else { return false }
      return (0..<3).allSatisfy { axis in
        fixed(place.offset + 8 + axis * 4).map { abs($0 - wanted[axis]) < 0.002 } ?? false
      }
    }
    let curves: [StaticString] = ["rTRC", "gTRC", "bTRC"]
    return isNear && curves.allSatisfy { name in tag(name).map(isStandardCurve) ?? false }
  }

  private func isStandardCurve(_ tag: Tag) -> Bool {
    (1..<16).allSatisfy { step in
      let level = Double(step) / 16
      let wanted = level <= 0.04045 ? level / 12.92 : pow((level + 0.055) / 1.055, 2.4)
      return curve(tag, at: level).map { abs($0 - wanted) < 0.004 } ?? false
    }
  }

  /// Evaluates a tone curve at a level, or returns nil for unsupported curve types.
  private func curve(_ tag: Tag, at level: Double) -> Double? {
    guard tag.count >= 12 else { return nil }
    if bytes[tag.offset..<tag.offset + 4].elementsEqual("curv".utf8) {
      guard let count = ICCProfile.number(bytes, tag.offset + 8), count >= 2, count <= (tag.count - 12) / 2 else {
        return nil
      }
      let place = level * Double(count - 1)
      let index = min(count - 2, Int(place))
      func entry(_ index: Int) -> Double {
        let start = tag.offset + 12 + index * 2
        return Double(Int(bytes[start]) << 8 | Int(bytes[start + 1])) / 65_535
      }
      return entry(index) + (entry(index + 1) - entry(index)) * (place - Double(index))
    }
    let isParametric = bytes[tag.offset..<tag.offset + 4].elementsEqual("para".utf8)
    guard isParametric, bytes[tag.offset + 8] == 0, bytes[tag.offset + 9] == 3, tag.count >= 32 else { return nil }
    let values = (0..<5).compactMap { fixed(tag.offset + 12 + $0 * 4) }
    guard values.count == 5 else { return nil }
    return level >= values[4] ? pow(max(0, values[1] * level + values[2]), values[0]) : values[3] * level
  }

  private func tag(_ name: StaticString) -> Tag? {
    let wanted = name.withUTF8Buffer { $0.reduce(0) { $0 << 8 | Int($1) } }
    return tags.first { $0.name == wanted }
  }

  /// Reads a fixed-point number with sixteen fractional bits.
  private func fixed(_ place: Int) -> Double? {
    ICCProfile.number(bytes, place).map { Double(Int32(truncatingIfNeeded: $0)) / 65_536 }
  }

  private static func number(_ bytes: [UInt8], _ place: Int) -> Int? {
    guard place >= 0, place + 4 <= bytes.count else { return nil }
    return bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
  }
}

/// The colour profile embedded in a JPEG or WebP file, whose decoder does not report it.
enum EmbeddedProfile {
  private static let maximumSegments = 4096

  /// Assembles a JPEG's profile from its segments (ICC.1:2022, annex B.4).
  ///
  /// - Returns: The profile, or the standard colour space if a segment is missing.
  static func ofJPEG(_ bytes: UnsafeRawBufferPointer) -> PictureColors {
    let file = FileReader(bytes)
    let letters: StaticString = "ICC_PROFILE\0"
    let headBytes = letters.utf8CodeUnitCount + 2
    var parts: [Int: Range<Int>] = [:]
    var partCount = 0
    var position = 2
    for _ in 0..<maximumSegments {
      // Segments are contiguous up to the pixels; anything else ends the search.
      guard file.byte(position) == 0xFF, let marker = file.byte(position + 1) else { break }
      if marker == 0xFF {
        position += 1
        continue
      }
      guard marker != 0xDA, marker != 0xD9, let length = file.bigEndian(position + 2, bytes: 2), length >= 2 else {
        break
      }
      let content = position + 4
      if marker == 0xE2, length - 2 > headBytes, file.matches(letters, at: content),
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
      guard let part = parts[number], profile.count + part.count <= ICCProfile.maximumBytes else { return .standard }
      profile += bytes[part]
    }
    return .profile(profile)
  }

  /// Reads a WebP's profile, the first chunk after the header whose flag announces it (RFC 9649, section 2.7.1.4).
  static func ofWebP(_ bytes: UnsafeRawBufferPointer) -> PictureColors {
    let file = FileReader(bytes)
    let flag: UInt8 = 0x20
    guard file.matches("VP8X", at: 12), let flags = file.byte(20), flags & flag != 0,
      let headerBytes = file.littleEndian(16, bytes: 4)
    else { return .standard }
    let start = 20 + headerBytes + headerBytes % 2
    guard file.matches("ICCP", at: start), let count = file.littleEndian(start + 4, bytes: 4),
      count <= ICCProfile.maximumBytes,
      let profile = file.slice(start + 8, count)
    else { return .standard }
    return .profile(Array(profile))
  }
}
