import Rendering

/// The pixels of a screen, as the server keeps them in its file of the format of `xwd`.
struct Screen: Equatable {
  /// A file that is no such thing.
  struct Unreadable: Error {}

  /// Pixels across and down.
  let width: Int
  let height: Int
  /// Blue, green, red and a byte of nothing for each pixel, rows without padding.
  private let pixels: [UInt8]

  /// Reads the file's bytes: numbers of 32 bits, most significant byte first, then a table of colours, then the pixels.
  init(xwd bytes: [UInt8]) throws {
    func number(_ index: Int) -> Int { (0..<4).reduce(0) { $0 << 8 | Int(bytes[index * 4 + $1]) } }
    guard bytes.count > 100, number(11) == 32, number(7) == 0 else { throw Unreadable() }
    (width, height) = (number(4), number(5))
    let start = number(0) + number(19) * 12
    let rowBytes = number(12)
    guard bytes.count >= start + rowBytes * height, rowBytes >= width * 4 else { throw Unreadable() }
    var pixels: [UInt8] = []
    pixels.reserveCapacity(width * height * 4)
    for row in 0..<height { pixels += bytes[(start + row * rowBytes)..<(start + row * rowBytes + width * 4)] }
    self.pixels = pixels
  }

  /// The colour of a pixel.
  func color(_ x: Int, _ y: Int) -> Color {
    let offset = (y * width + x) * 4
    return Color(red: pixels[offset + 2], green: pixels[offset + 1], blue: pixels[offset])
  }

  /// A row's pixels from one column up to another.
  func row(_ y: Int, from left: Int, to right: Int) -> ArraySlice<UInt8> {
    pixels[((y * width + left) * 4)..<((y * width + right) * 4)]
  }
}
