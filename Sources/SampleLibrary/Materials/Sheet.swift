/// A rectangle of numbers or colours outside Swift's arrays: rows from the top without padding.
///
/// A scene is painted through a dozen of these, each read millions of times; debug builds check every index.
final class Sheet<Element: BitwiseCopyable> {
  let width: Int
  let height: Int
  private let start: UnsafeMutablePointer<Element>

  /// Makes a sheet full of one value.
  init(width: Int, height: Int, filledWith value: Element) {
    self.width = max(width, 1)
    self.height = max(height, 1)
    start = .allocate(capacity: self.width * self.height)
    start.initialize(repeating: value, count: self.width * self.height)
  }

  deinit { start.deallocate() }

  /// All cells, row after row.
  var cells: UnsafeMutableBufferPointer<Element> {
    @inline(__always) get { UnsafeMutableBufferPointer(start: start, count: width &* height) }
  }

  /// The cell in a column and a row, both within the sheet.
  subscript(column: Int, row: Int) -> Element {
    @inline(__always) get { cells[row &* width &+ column] }
    @inline(__always) set { cells[row &* width &+ column] = newValue }
  }

  /// A row's cells.
  @inline(__always) func row(_ row: Int) -> UnsafeMutablePointer<Element> {
    start + row &* width
  }
}
