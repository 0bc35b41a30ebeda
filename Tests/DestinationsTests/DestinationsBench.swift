import CollectionUI
import FramePacing
import Geometry
import Hosting
import ImagePipeline
import PictureServer
import Rendering
import TestSupport
import Views

@testable import vitrine_destinations

/// The destinations on a stage: a virtual clock, a real server on this machine, real decoding processes.
final class DestinationsBench {
  let example: DestinationsExample
  let stage: WindowHarness
  let shelf: PictureShelf
  let settings: DestinationsSettings

  /// Opens the destinations.
  ///
  /// - Parameters:
  ///   - step: how far it has come.
  ///   - given: the pictures; a few small ones unless told.
  ///   - change: what is set otherwise than usual.
  init(
    _ step: Step = .prefetchingData, shelf given: PictureShelf? = nil,
    change: (inout DestinationsSettings) -> Void = { _ in }
  ) throws {
    var settings = DestinationsSettings()
    settings.step = step
    settings.likeRate = 0
    settings.count = 60
    change(&settings)
    try settings.validate()
    self.settings = settings
    shelf = try given ?? PictureShelf(Self.pictures())
    let clock = BorrowedClock()
    example = try DestinationsExample(settings, clock: clock, waker: SilentWaker(), shelf: shelf)
    stage = WindowHarness(root: example.root, size: Size(width: 620, height: 700))
    clock.lender = stage.clock
    let view = example.collectionView
    view.isCellPrefetchingEnabled = settings.hosting.preparesCellsAhead
    example.join(stage.window, stage.loop)
    stage.window.addParticipant(view)
  }

  isolated deinit { end() }

  /// Ends the example, as its program does.
  func end() {
    guard !isEnded else { return }
    isEnded = true
    example.end()
  }

  private var isEnded = false

  /// The cells on screen.
  var cells: [DestinationCell] { example.collectionView.visibleCells.compactMap { $0 as? DestinationCell } }

  /// The sizes of the pictures in the cells on screen.
  var sizes: [PixelSize?] { cells.map { $0.image?.size } }

  /// What the cells on screen say of their pictures.
  var damages: [String] { cells.map(\.damageText) }

  /// What the cells on screen say instead of a picture, each once.
  var failures: Set<String> { Set(cells.map(\.failureText)).subtracting([""]) }

  /// A few pictures, as files, each of another colour.
  ///
  /// - Parameter size: how large; small unless told.
  static func pictures(size: PixelSize? = PixelSize(width: 480, height: 320)) throws -> [(name: String, bytes: [UInt8])]
  {
    guard let size else { return [] }
    let encoder = try EncodingProcess(largest: size)
    return try (0..<6).map { number in
      let color = Color(red: UInt8(40 * number), green: UInt8(200 - 30 * number), blue: 90)
      let bitmap = try Bitmap(size: size, isOpaque: true) { pixels in
        let words = pixels.bindMemory(to: UInt32.self)
        for place in words.indices { words[place] = UInt32(littleEndian: color.packed) }
      }
      return ("Picture \(number)", try encoder.encode(bitmap, quality: 90))
    }
  }
}

extension DestinationsBench {
  /// Whether a cell shows the picture of another post than its own.
  func showsForeignPicture(_ cell: DestinationCell) -> Bool {
    guard let id = cell.itemIdentifier as? DestinationPost.ID, let image = cell.image else { return false }
    let own = Color(red: UInt8(40 * (id % 6)), green: UInt8(200 - 30 * (id % 6)), blue: 90)
    let shown = image.withPixels { Color(packed: UInt32(littleEndian: $0.load(as: UInt32.self))) }
    return abs(Int(own.red) - Int(shown.red)) > 20
  }
}
