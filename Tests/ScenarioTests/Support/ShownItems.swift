import Geometry
import Rendering

/// Which photographs of one colour each are to be seen in a window, and where.
struct ShownItems {
  /// The colour of a photograph by its number, at least 40 away from every other one and from the window's greys.
  static func color(of number: Int) -> Color {
    Color(
      red: UInt8(40 + number % 5 * 45), green: UInt8(40 + number / 5 % 5 * 45), blue: UInt8(100 + number / 25 * 50))
  }

  /// How many colours there are.
  static let count = 60

  /// What is seen of a photograph's picture, in pixels from the window's corner; ends are the last pixels of it.
  struct Place: Equatable {
    var top: Int
    var bottom: Int
    var left: Int

    /// How many rows of it are seen.
    var height: Int { bottom - top + 1 }
  }

  /// The photographs that are seen, by number.
  private(set) var places: [Int: Place] = [:]

  /// The fewest pixels of one colour in a column that are a picture, and no blend at an edge or in a letter.
  private static let shortestRun = 6

  /// Looks at every fourth column of pixels of a window.
  init(_ screen: Screen, in window: PixelRect) {
    var numbers: [UInt32: Int] = [:]
    for column in stride(from: 0, to: Int(window.width), by: 4) {
      var run = (number: -1, top: 0)
      for row in 0...Int(window.height) {
        let number =
          row < Int(window.height)
          ? ShownItems.number(of: screen.color(Int(window.x) + column, Int(window.y) + row), &numbers) : -1
        guard number != run.number else { continue }
        add(run.number, top: run.top, bottom: row - 1, left: column)
        run = (number, row)
      }
    }
  }

  private mutating func add(_ number: Int, top: Int, bottom: Int, left: Int) {
    guard number >= 0, bottom - top + 1 >= ShownItems.shortestRun else { return }
    var place = places[number] ?? Place(top: top, bottom: bottom, left: left)
    place.top = min(place.top, top)
    place.bottom = max(place.bottom, bottom)
    places[number] = place
  }

  /// The numbers that are seen, in their order.
  var numbers: [Int] { places.keys.sorted() }

  /// The rows that a whole picture has.
  var pictureHeight: Int { places.values.map(\.height).max() ?? 0 }

  /// How much of an item lies above the place where the items begin, as a share of its height, caption included.
  func hiddenShare(of number: Int, below top: Int, captionHeight: Int) -> Double? {
    places[number].map {
      1 - Double($0.bottom + 1 - top + captionHeight) / Double(pictureHeight + captionHeight)
    }
  }

  /// The photograph that has a colour, or -1.
  private static func number(of color: Color, _ known: inout [UInt32: Int]) -> Int {
    if let number = known[color.packed] { return number }
    let number = (0..<count).first { number in
      let other = ShownItems.color(of: number)
      return abs(Int(color.red) - Int(other.red)) < 8 && abs(Int(color.green) - Int(other.green)) < 8
        && abs(Int(color.blue) - Int(other.blue)) < 8
    }
    known[color.packed] = number ?? -1
    return number ?? -1
  }
}
