import Glibc
import VitrineGeometry
import VitrineRendering

/// The gallery in a window of an X server, with photographs of one colour each.
final class GalleryWindow {
  /// The height of the bar above the photographs, in points at scale 1.
  static let barHeight = 48
  static let messageBarHeight = 40
  /// The height of the caption under each photograph, in points.
  static let captionHeight = 28

  /// The X server.
  let server: XServer
  /// The run of the program.
  let run: VitrineRun
  /// The folder of the photographs.
  let folder: TemporaryFolder
  /// The X window ID.
  let window: String

  /// Opens the gallery and waits until it is idle, with the pointer in the middle of its window.
  ///
  /// - Parameters:
  ///   - options: The options of the command line.
  ///   - server: The X server. Default: a new one.
  ///   - name: A closure that returns the file name, without the extension, for the number of a photograph.
  init(_ options: [String], on server: XServer? = nil, name: (Int) -> String = { "\($0)" }) throws {
    let folder = try TemporaryFolder()
    let maker = try PictureMaker()
    for number in 0..<VisibleItems.count {
      try folder.write(maker.jpeg(VisibleItems.color(of: number)), to: "\(name(number)).jpg")
    }
    let server = try server ?? XServer()
    let run = try VitrineRun(["--no-cache", "--report", "-"] + options, on: folder, display: server)
    window = try run.process.wait(for: "the window") { try server.window() }
    _ = try run.waitUntilIdle()
    self.folder = folder
    self.server = server
    self.run = run
    let frame = try server.frame(of: window)
    try server.xdotool("mousemove", "\(frame.x + frame.width / 2)", "\(frame.y + frame.height / 2)")
    _ = try run.waitUntilIdle()
  }

  /// Returns the current screen, the frame of the window and its visible items.
  func capture() throws -> (screen: Screen, frame: PixelRect, items: VisibleItems) {
    let frame = try server.frame(of: window)
    let screen = try server.screen()
    return (screen, frame, VisibleItems(screen, in: frame))
  }

  /// Waits until the scroll indicator has faded out, which starts a second after the content has stopped.
  func waitForIndicatorFade() throws { _ = try run.waitUntilIdle(for: .milliseconds(1_200)) }

  /// Runs xdotool with the given arguments, and waits until the screen changes and the program is idle again.
  func performInput(_ arguments: String...) throws { try performInput(arguments) }

  /// Runs xdotool with the given arguments, and waits until the screen changes and the program is idle again.
  func performInput(_ arguments: [String]) throws {
    let before = try server.screen()
    try server.xdotool(arguments)
    _ = try run.process.wait(for: "an effect of \(arguments)") { try server.screen() == before ? nil : () }
    _ = try run.waitUntilIdle()
  }
}

/// The visible photographs of one colour each, and their frames in the window.
struct VisibleItems {
  /// Returns the colour of the photograph with the given number: one of twelve hues in one of five tones.
  ///
  /// Any two colours differ by at least 50 in some channel, and each is far from every grey, so that no blended pixel
  /// of a caption looks like one of them.
  static func color(of number: Int) -> Color {
    let (low, high) = [(0, 240), (0, 165), (85, 240), (50, 150), (0, 100)][number / 12]
    let (sixth, isBetween) = (number % 12 / 2, number % 2 == 1)
    let middle = (low + high) / 2
    // Around the colour circle one channel at a time rises or falls, and the other two are at their minimum or maximum.
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

  /// The number of colours.
  static let count = 60

  /// The visible part of a picture, in pixels relative to the window, with an inclusive last row.
  struct Frame: Equatable {
    var top: Int
    var bottom: Int
    var left: Int

    /// The number of visible rows.
    var height: Int { bottom - top + 1 }
  }

  /// The frames of the visible photographs, by number.
  private(set) var frames: [Int: Frame] = [:]

  /// The minimum number of pixels of one colour in a column of a picture.
  ///
  /// Blended edges and letters have fewer.
  private static let minimumRunLength = 6

  /// Finds the photographs in every fourth column of pixels of a window, below its bar.
  init(_ screen: Screen, in window: PixelRect) {
    var numbers: [UInt32: Int] = [:]
    for column in stride(from: 0, to: Int(window.width), by: 4) {
      var run = (number: -1, top: GalleryWindow.barHeight)
      for row in GalleryWindow.barHeight...Int(window.height) {
        let number =
          row < Int(window.height)
          ? VisibleItems.number(of: screen.color(Int(window.x) + column, Int(window.y) + row), &numbers) : -1
        guard number != run.number else { continue }
        add(run.number, top: run.top, bottom: row - 1, left: column)
        run = (number, row)
      }
    }
  }

  private mutating func add(_ number: Int, top: Int, bottom: Int, left: Int) {
    guard number >= 0, bottom - top + 1 >= VisibleItems.minimumRunLength else { return }
    var frame = frames[number] ?? Frame(top: top, bottom: bottom, left: left)
    frame.top = min(frame.top, top)
    frame.bottom = max(frame.bottom, bottom)
    frames[number] = frame
  }

  /// The numbers of the visible photographs, in ascending order.
  var numbers: [Int] { frames.keys.sorted() }

  /// The height of a completely visible picture, in pixels.
  var pictureHeight: Int { frames.values.map(\.height).max() ?? 0 }

  /// Returns the fraction of an item's height, including the caption, that is above the given row, or nil if the item
  /// is not visible.
  func hiddenFraction(of number: Int, below top: Int, captionHeight: Int) -> Double? {
    frames[number].map {
      1 - Double($0.bottom + 1 - top + captionHeight) / Double(pictureHeight + captionHeight)
    }
  }

  /// Returns the number of the photograph with the given colour, or -1.
  private static func number(of color: Color, _ cache: inout [UInt32: Int]) -> Int {
    if let number = cache[color.packed] { return number }
    let number = (0..<count).first { number in
      let other = VisibleItems.color(of: number)
      return abs(Int(color.red) - Int(other.red)) < 8 && abs(Int(color.green) - Int(other.green)) < 8
        && abs(Int(color.blue) - Int(other.blue)) < 8
    }
    cache[color.packed] = number ?? -1
    return number ?? -1
  }
}
