import Geometry
import Rendering

/// Which photographs of one colour each are to be seen in a window, and where.
struct ShownItems {
  /// The colour of a photograph by its number: one of twelve hues in one of five tones.
  ///
  /// Two of them differ by 50 or more in some channel, and each is far from every grey, so that no blend in a letter of
  /// a caption looks like one.
  static func color(of number: Int) -> Color {
    let (low, high) = [(0, 240), (0, 165), (85, 240), (50, 150), (0, 100)][number / 12]
    let (sixth, isBetween) = (number % 12 / 2, number % 2 == 1)
    let middle = (low + high) / 2
    // Around the circle one channel after the other rises or falls, and the other two stand at an end.
    let (full, rising, falling) = (UInt8(high), UInt8(isBetween ? middle : low), UInt8(isBetween ? middle : high))
    let none = UInt8(low)
    switch sixth {
    case 0: return Color(red: full, green: rising, blue: none)
    case 1: return Color(red: falling, green: full, blue: none)
    case 2: return Color(red: none, green: full, blue: rising)
    case 3: return Color(red: none, green: falling, blue: full)
    case 4: return Color(red: rising, green: none, blue: full)
    default: return Color(red: full, green: none, blue: falling)
    }
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

  /// Looks at every fourth column of pixels of a window, below its bar.
  init(_ screen: Screen, in window: PixelRect) {
    var numbers: [UInt32: Int] = [:]
    for column in stride(from: 0, to: Int(window.width), by: 4) {
      var run = (number: -1, top: GalleryWindow.barHeight)
      for row in GalleryWindow.barHeight...Int(window.height) {
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
