import Geometry

/// Rows of a bitmap that is stored in runs: two bytes a command, rows from the bottom.
///
/// A command may lead to another row, so where each row begins is found first, in one pass over the commands; each row is
/// then made when it is wanted, from the top as the others are.
struct BMPRuns {
  private struct Start {
    var offset: Int
    var column: Int
  }

  private enum Command {
    case run(count: Int, value: UInt8)
    case pixels(count: Int, offset: Int)
    case endOfRow
    case move(right: Int, up: Int)
    case end
  }

  private let file: FileReader
  private let header: BMPHeader
  /// Where the commands for a row begin, counted from the bottom; nothing for rows that are skipped or missing.
  private var starts: [Start?]
  /// Whether the commands end before the last row without saying so.
  private(set) var isCutOff = false

  /// Looks through the commands.
  ///
  /// - Complexity: O(bytes of the file).
  init(_ file: FileReader, _ header: BMPHeader, interruption: DecodingInterruption) throws(DecodingError) {
    self.file = file
    self.header = header
    starts = Array(repeating: nil, count: header.size.height)
    var meter = WorkMeter(interruption)
    var position = header.pixelOffset
    var row = 0
    var column = 0
    starts[0] = Start(offset: position, column: 0)
    while row < header.size.height {
      guard let command = command(at: &position) else {
        isCutOff = true
        return
      }
      switch command {
      case .run(let count, _), .pixels(let count, _):
        column += count
        continue
      case .endOfRow:
        row += 1
        column = 0
      case .move(let right, let up):
        column += right
        guard up > 0 else { continue }
        row += up
      case .end:
        return
      }
      if row < header.size.height { starts[row] = Start(offset: position, column: column) }
      try meter.add(header.size.width)
    }
  }

  /// Whether no row holds a pixel.
  var isEmpty: Bool {
    guard let first = starts.first.flatMap({ $0 }) else { return true }
    var position = first.offset
    return command(at: &position) == nil
  }

  /// Writes the numbers of a row's pixels, counted from the bottom; those that no command paints stay as they are.
  func draw(row: Int, into pixels: UnsafeMutableBufferPointer<Int16>) {
    guard let start = starts[row] else { return }
    var position = start.offset
    var column = start.column
    while let command = command(at: &position) {
      switch command {
      case .run(let count, let value):
        for index in 0..<count where column + index < pixels.count {
          pixels[column + index] = number(value, index)
        }
        column += count
      case .pixels(let count, let offset):
        for index in 0..<count where column + index < pixels.count {
          let byte = header.compression == .runs8 ? index : index / 2
          pixels[column + index] = number(file.byte(offset + byte) ?? 0, index)
        }
        column += count
      case .move(let right, 0):
        column += right
      case .endOfRow, .move, .end:
        return
      }
    }
  }

  /// Half bytes come in turn, the higher first.
  private func number(_ byte: UInt8, _ index: Int) -> Int16 {
    switch header.compression {
    case .runs4: Int16(index % 2 == 0 ? byte >> 4 : byte & 15)
    case .none, .runs8: Int16(byte)
    }
  }

  /// The next command; nothing where the file ends before or in it.
  private func command(at position: inout Int) -> Command? {
    guard let count = file.byte(position), let value = file.byte(position + 1) else { return nil }
    position += 2
    guard count == 0 else { return .run(count: Int(count), value: value) }
    switch value {
    case 0: return .endOfRow
    case 1: return .end
    case 2:
      guard let right = file.byte(position), let up = file.byte(position + 1) else { return nil }
      position += 2
      return .move(right: Int(right), up: Int(up))
    default:
      let bytes = header.compression == .runs8 ? Int(value) : (Int(value) + 1) / 2
      guard position + bytes <= file.count else { return nil }
      let start = position
      // Padded to whole pairs.
      position += (bytes + 1) / 2 * 2
      return .pixels(count: Int(value), offset: start)
    }
  }
}
