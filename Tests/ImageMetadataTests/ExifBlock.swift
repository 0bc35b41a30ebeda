/// Writes EXIF data by hand: a main directory, one of details, and one for the preview.
struct ExifBlock {
  var isBigEndian = false
  var orientation: Int?
  var dateTime: String?
  var dateTimeOriginal: String?
  var dateTimeDigitized: String?
  var preview: [UInt8]?
  /// Bytes between the main directory and the rest, as a camera's own notes take them.
  var gap = 0

  private enum Value {
    case short(Int)
    case long(Int)
    case text(String)
  }

  /// The TIFF structure, from the byte order's letters on.
  var bytes: [UInt8] {
    var main: [(Int, Value)] = []
    if let orientation { main.append((0x0112, .short(orientation))) }
    if let dateTime { main.append((0x0132, .text(dateTime))) }
    var details: [(Int, Value)] = []
    if let dateTimeOriginal { details.append((0x9003, .text(dateTimeOriginal))) }
    if let dateTimeDigitized { details.append((0x9004, .text(dateTimeDigitized))) }
    let hasDetails = !details.isEmpty
    let mainLength = directoryLength(main) + (hasDetails ? 12 : 0)
    let detailsOffset = 8 + mainLength + gap
    let previewOffset = detailsOffset + (hasDetails ? directoryLength(details) : 0)
    if hasDetails { main.append((0x8769, .long(detailsOffset))) }

    var out: [UInt8] = isBigEndian ? Array("MM".utf8) : Array("II".utf8)
    out += number(42, 2) + number(8, 4)
    out += directory(main, at: 8, next: preview == nil ? 0 : previewOffset)
    out += [UInt8](repeating: 0xAA, count: gap)
    if hasDetails { out += directory(details, at: detailsOffset, next: 0) }
    if let preview {
      let entries: [(Int, Value)] = [
        (0x0103, .short(6)), (0x0201, .long(previewOffset + 2 + 3 * 12 + 4)), (0x0202, .long(preview.count)),
      ]
      out += directory(entries, at: previewOffset, next: 0) + preview
    }
    return out
  }

  private func directoryLength(_ entries: [(Int, Value)]) -> Int {
    let texts = entries.reduce(0) { sum, entry in
      if case .text(let text) = entry.1 { sum + text.utf8.count + 1 } else { sum }
    }
    return 2 + entries.count * 12 + 4 + texts
  }

  private func directory(_ entries: [(Int, Value)], at offset: Int, next: Int) -> [UInt8] {
    var out = number(entries.count, 2)
    var texts: [UInt8] = []
    let textsOffset = offset + 2 + entries.count * 12 + 4
    for (tag, value) in entries {
      out += number(tag, 2)
      switch value {
      case .short(let short): out += number(3, 2) + number(1, 4) + number(short, 2) + [0, 0]
      case .long(let long): out += number(4, 2) + number(1, 4) + number(long, 4)
      case .text(let text):
        out += number(2, 2) + number(text.utf8.count + 1, 4) + number(textsOffset + texts.count, 4)
        texts += Array(text.utf8) + [0]
      }
    }
    return out + number(next, 4) + texts
  }

  private func number(_ value: Int, _ count: Int) -> [UInt8] {
    let little = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return isBigEndian ? little.reversed() : little
  }
}
