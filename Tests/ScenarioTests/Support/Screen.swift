import Foundation
import Rendering

/// The pixels of a screen, as the server keeps them in its file of the format of `xwd`.
struct Screen: Equatable {
  /// A file that is no such thing.
  struct Unreadable: Error {}

  /// Pixels across and down.
  let width: Int
  let height: Int
  /// The whole file: numbers of 32 bits, a table of colours, then blue, green, red and nothing for each pixel.
  private let file: Data
  private let start: Int
  private let rowBytes: Int

  /// Reads the file's bytes.
  init(xwd file: Data) throws {
    func number(_ index: Int) -> Int { (0..<4).reduce(0) { $0 << 8 | Int(file[index * 4 + $1]) } }
    guard file.count > 100, number(11) == 32, number(7) == 0 else { throw Unreadable() }
    self.file = file
    (width, height) = (number(4), number(5))
    start = number(0) + number(19) * 12
    rowBytes = number(12)
    guard rowBytes >= width * 4, file.count >= start + rowBytes * height else { throw Unreadable() }
  }

  /// The colour of a pixel.
  func color(_ x: Int, _ y: Int) -> Color {
    let offset = start + y * rowBytes + x * 4
    return Color(red: file[offset + 2], green: file[offset + 1], blue: file[offset])
  }

  /// A row's pixels from one column up to another.
  func row(_ y: Int, from left: Int, to right: Int) -> Data {
    file[(start + y * rowBytes + left * 4)..<(start + y * rowBytes + right * 4)]
  }
}
