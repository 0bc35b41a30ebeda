import Glibc

/// What can be told of a colour profile without a library (ICC.1:2022): whether it is one at all, and whether it is sRGB.
///
/// Most profiles in files are sRGB, under many names and in many makers' words; conversion would cost and change nothing.
struct ICCProfile {
  /// Profiles longer than this are left out, in bytes.
  static let mostBytes = 4 << 20

  private let bytes: [UInt8]
  private let tags: [Tag]

  private struct Tag {
    var name: Int
    var offset: Int
    var count: Int
  }

  private static let headerBytes = 128
  private static let mostTags = 128

  /// Reads the table of tags; nothing where there is none.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= ICCProfile.headerBytes + 4, bytes.count <= ICCProfile.mostBytes,
      bytes[36..<40].elementsEqual("acsp".utf8)
    else { return nil }
    self.bytes = bytes
    var tags: [Tag] = []
    let count = min(ICCProfile.mostTags, ICCProfile.number(bytes, ICCProfile.headerBytes) ?? 0)
    for index in 0..<count {
      let place = ICCProfile.headerBytes + 4 + index * 12
      guard let name = ICCProfile.number(bytes, place), let offset = ICCProfile.number(bytes, place + 4),
        let length = ICCProfile.number(bytes, place + 8), offset <= bytes.count, length <= bytes.count - offset
      else { break }
      tags.append(Tag(name: name, offset: offset, count: length))
    }
    self.tags = tags
  }

  /// Whether it says of every colour what sRGB says, to within half a step of eight bits or so.
  var isStandard: Bool {
    guard bytes[16..<20].elementsEqual("RGB ".utf8), tag("A2B0") == nil else { return false }
    // The primaries of IEC 61966-2-1, adapted to the profile's white.
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

  /// What a curve makes of a level; nothing for kinds that are not known here.
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

  /// A number with sixteen bits behind the point.
  private func fixed(_ place: Int) -> Double? {
    ICCProfile.number(bytes, place).map { Double(Int32(truncatingIfNeeded: $0)) / 65_536 }
  }

  private static func number(_ bytes: [UInt8], _ place: Int) -> Int? {
    guard place >= 0, place + 4 <= bytes.count else { return nil }
    return bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
  }
}
