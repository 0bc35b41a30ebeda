import CollectionUI
import Foundation
import PictureServer
import VitrineDiagnostics
import VitrineHosting
import VitrineImages
import VitrineTestSupport

@testable import vitrine_destinations

/// The destinations example in a window on a virtual clock, with a real server and real decoding processes.
final class DestinationsHarness {
  let example: DestinationsExample
  let harness: WindowHarness
  let catalog: PictureCatalog
  let settings: DestinationsSettings

  /// Creates the example and its window.
  ///
  /// - Parameters:
  ///   - step: The step of the example.
  ///   - customCatalog: The pictures. Default: six small ones.
  ///   - change: A closure that changes the settings.
  init(
    _ step: Step = .prefetchingData, catalog customCatalog: PictureCatalog? = nil,
    change: (inout DestinationsSettings) -> Void = { _ in }
  ) throws {
    var settings = DestinationsSettings()
    settings.step = step
    settings.likeRate = 0
    settings.count = 60
    change(&settings)
    try settings.validate()
    self.settings = settings
    catalog = try customCatalog ?? PictureCatalog(Self.pictures())
    let clock = ForwardingClock()
    example = try DestinationsExample(settings, clock: clock, waker: SilentWaker(), catalog: catalog)
    harness = WindowHarness(root: example.rootView, size: Size(width: 620, height: 700))
    clock.target = harness.clock
    let view = example.collectionView
    DemonstrationSwitches(view).isCellPrefetchingEnabled = settings.common.isCellPrefetchingEnabled
    example.addParticipants(to: harness.window, loop: harness.loop)
    harness.window.addParticipant(view)
  }

  isolated deinit { shutdown() }

  /// Shuts the example down.
  func shutdown() {
    guard !isEnded else { return }
    isEnded = true
    example.shutdown()
  }

  private var isEnded = false

  /// The visible cells.
  var cells: [DestinationCell] { example.collectionView.visibleCells.compactMap { $0 as? DestinationCell } }

  /// The sizes of the pictures in the visible cells.
  var sizes: [PixelSize?] { cells.map { $0.image?.size } }

  /// The notes about damaged pictures in the visible cells.
  var damageTexts: [String] { cells.map(\.damageText) }

  /// The distinct failures shown in the visible cells.
  var failureTexts: Set<String> { Set(cells.map(\.failureText)).subtracting([""]) }

  /// Returns six pictures, encoded as JPEG, each with its own color.
  ///
  /// - Parameters:
  ///   - size: The size in pixels. Default: 480 by 320.
  ///   - isDetailed: Whether neighboring pixels differ, which takes decoders longer.
  static func pictures(
    size: PixelSize? = PixelSize(width: 480, height: 320), isDetailed: Bool = false
  ) throws -> [(name: String, bytes: [UInt8])] {
    guard let size else { return [] }
    let encoder = try EncodingProcess(largest: size)
    return try (0..<6).map { number in
      let color = Color(red: UInt8(40 * number), green: UInt8(200 - 30 * number), blue: 90)
      let bitmap = try Bitmap(size: size, isOpaque: true) { pixels in
        let words = pixels.bindMemory(to: UInt32.self)
        for index in words.indices { words[index] = UInt32(littleEndian: color.packed) }
        guard isDetailed else { return }
        // Numbers that look random, without a function call for each pixel of a debug build.
        var number: UInt32 = 1
        for index in words.indices {
          number = number &* 1_664_525 &+ 1_013_904_223
          words[index] ^= (number >> 8) & 0x3F3F3F
        }
      }
      return ("Picture \(number)", try encoder.encode(bitmap, quality: 90))
    }
  }
}

extension DestinationsHarness {
  /// Returns whether a cell shows the picture of another post.
  func showsPictureOfOtherPost(_ cell: DestinationCell) -> Bool {
    guard let id = cell.itemIdentifier as? DestinationPost.ID, let image = cell.image else { return false }
    let expected = Color(red: UInt8(40 * (id % 6)), green: UInt8(200 - 30 * (id % 6)), blue: 90)
    let shown = image.withPixels { Color(packed: UInt32(littleEndian: $0.load(as: UInt32.self))) }
    return abs(Int(expected.red) - Int(shown.red)) > 20
  }
}

/// A virtual clock that forwards to another one, which may be set later.
final class ForwardingClock: FrameClock {
  /// The clock of the harness.
  var target: SimulatedClock?

  var kind: ClockKind { .virtual }
  func now() -> FrameInstant { target?.now() ?? .zero }
  func spend(_ cost: FrameDuration) { target?.spend(cost) }
  func wait(until instant: FrameInstant) { target?.wait(until: instant) }
  func performUncounted<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }
}

/// The threads of this process, by name.
enum ProcessThreads {
  /// Returns the number of threads with a name.
  static func count(named name: String) -> Int {
    let folder = "/proc/self/task/"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return threads.count { (try? String(contentsOfFile: folder + $0 + "/comm", encoding: .utf8)) == name + "\n" }
  }

  /// Waits until no thread has a name, because a joined thread may remain visible for a moment.
  ///
  /// - Throws: `WaitTimeoutError`.
  static func waitForNone(named name: String) throws {
    try Deadline().wait(for: "the end of all threads “\(name)”") { count(named: name) == 0 ? () : nil }
  }
}
