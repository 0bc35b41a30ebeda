import CollectionUI
import DiffableData
import FramePacing
import Geometry
import ImagePipeline
import PhotoLibrary
import Rendering
import TestSupport
import Views

@testable import GalleryUI

/// The gallery on a stage, with a feed and a decoder that a test commands, on a modelled time line.
final class Gallery {
  let feed: FakeFeed
  let library: LibraryModel
  let decoder: GatedDecoder
  let pipeline: ImagePipeline
  let screen: GalleryScreen
  let stage: WindowHarness

  init(
    _ feed: FakeFeed, size: Size = Size(width: 640, height: 480), workers: Int = 2,
    decodeDelay: FrameDuration = .milliseconds(10), layout: GalleryLayoutKind = .grid,
    grouping: GalleryGrouping = .none, wantedPath: PhotoPath? = nil,
    preparesAhead: Bool = false, archive: PreviewArchive? = nil, cacheBytes: Int = 64 << 20,
    aside: ArrangementThread? = nil,
    outcome: @escaping @Sendable (ImageRequest) -> ImageOutcome = { GatedDecoder.generatedImage(for: $0.key) }
  ) throws {
    self.feed = feed
    library = LibraryModel(
      feed: feed, grouping: grouping, wantedPath: wantedPath, archive: archive, arrangementThread: aside)
    decoder = GatedDecoder(isOpen: true, makeOutcome: outcome)
    pipeline = try ImagePipeline(
      ImagePipelineConfiguration(
        workers: workers, mode: .modelled, cacheBytes: cacheBytes, decodeDelay: decodeDelay),
      decoders: decoder, waker: TestWaker())
    screen = GalleryScreen(
      library: library, pipeline: pipeline, layout: layout, columns: nil)
    // What is prepared ahead has tests of its own.
    screen.grid.isCellPrefetchingEnabled = preparesAhead
    stage = WindowHarness(root: screen, size: size)
    screen.attach(to: stage.window)
  }

  isolated deinit { pipeline.shutdown() }

  /// Types as a keyboard of the United States does: a key by what it types without Shift, then what it types.
  ///
  /// - Parameter milliseconds: how long each key takes; none, and all come in one frame.
  func type(_ text: String, milliseconds: Double = 400) {
    let shifted: [Character: Character] = ["_": "-", "?": "/", "+": "=", "(": "9", "!": "1"]
    for letter in text {
      let key = Character(letter.lowercased())
      let modifiers: KeyModifiers = shifted[letter] != nil || letter.isUppercase ? .shift : []
      let symbol: Key = letter == " " ? .space : .character(shifted[letter] ?? key)
      stage.sendEvent(.keyDown(symbol, modifiers: modifiers, isRepeat: false))
      stage.sendEvent(.text(String(letter)))
      stage.sendEvent(.keyUp(symbol, modifiers: modifiers))
      if milliseconds > 0 { stage.run(milliseconds: milliseconds) }
    }
  }

  /// The photographs' cells on screen.
  var cells: [PhotoCell] { screen.grid.visibleCells.compactMap { $0 as? PhotoCell } }

  /// All cells of photographs on screen, whatever they show beside the picture.
  var pictures: [PictureCell] { screen.grid.visibleCells.compactMap { $0 as? PictureCell } }

  /// The headers on screen, from the top, by what they say.
  var headers: [String] {
    stage.drawnTexts(screen.dataSource.shownSnapshot().sectionIdentifiers.map(\.title), in: Theme.sectionStyle).map(
      \.text)
  }

  /// The number of small previews that a frame stretches over their places.
  static func previews(in frame: RecordedFrame) -> Int {
    frame.commands.count { command in
      let (source, target) = (command.source, command.destination)
      return command.kind == .texture && max(source.width, source.height) == 32 && target.width > source.width
    }
  }

  /// The number of commands in a frame that fill with a colour.
  static func fills(_ color: Color, in frame: RecordedFrame) -> Int {
    frame.commands.count { $0.kind == .fill && $0.color == color }
  }
}
