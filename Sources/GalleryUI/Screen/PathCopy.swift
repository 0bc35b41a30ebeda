import VitrinePhotoLibrary

/// What ``PathCopyController`` needs from the screen.
protocol PathCopyHost: AnyObject {
  /// Returns the location of a photograph, or nil if it has no file or no longer exists.
  func location(of item: PhotoID) -> PictureLocation?
  /// Copies the bytes of a text to the clipboard, and returns whether that succeeded.
  func copyText(_ bytes: [UInt8]) -> Bool
  /// Shows a text for a few seconds.
  func showNotice(_ text: String)
}

/// The owner of the copying of paths to the clipboard, which takes several frames if there are many.
///
/// Invariants:
/// - The clipboard is set once, when all paths are written.
/// - A new copy replaces one that is in progress.
final class PathCopyController {
  /// The maximum number of paths to copy.
  static let maximumPaths = 20_000
  /// The number of paths to write per frame.
  private static let pathsPerFrame = 1_000

  /// The screen, which owns the controller.
  private unowned let host: any PathCopyHost
  private var copy: PathCopy?

  /// Creates the controller of a screen.
  init(host: any PathCopyHost) { self.host = host }

  /// Whether paths are being copied, which needs frames.
  var isCopying: Bool { copy != nil }

  /// Copies the paths of photographs, or shows why that is not possible.
  ///
  /// - Parameters:
  ///   - count: The number of photographs.
  ///   - format: The format of the paths.
  ///   - items: Returns the photographs; not called if there are none or too many.
  func copyPaths(_ count: Int, as format: PathListText.Format, of items: () -> [PhotoID]) {
    guard count > 0 else { return host.showNotice("Nothing is selected") }
    guard count <= PathCopyController.maximumPaths else {
      let most = CountFormat.number(PathCopyController.maximumPaths)
      return host.showNotice("\(CountFormat.number(count)) paths are too many to copy; \(most) are not")
    }
    copy = PathCopy(of: items(), as: format)
    advance()
  }

  /// Writes more paths, and copies the text once it is complete.
  func advance() {
    copy?.advance(atMost: PathCopyController.pathsPerFrame, location: host.location)
    guard let copy, copy.isComplete else { return }
    self.copy = nil
    guard copy.count > 0 else {
      return host.showNotice("These pictures have no files whose paths could be copied")
    }
    let (one, more) = copy.format == .urls ? ("URL", "URLs") : ("path", "paths")
    let text = "Copied \(CountFormat.number(copy.count)) \(copy.count == 1 ? one : more)"
    host.showNotice(host.copyText(copy.text) ? text : "Paths could not be copied")
  }

  /// Writes all remaining paths at once, as there will be no frames.
  func finish() { while isCopying { advance() } }

  /// Ends the copying; the clipboard is not changed.
  func cancel() { copy = nil }
}

/// A list of paths for the clipboard that is written in steps.
nonisolated struct PathCopy: Sendable {
  /// The format of the paths.
  let format: PathListText.Format
  /// The text written so far, one path per line, without a trailing newline.
  private(set) var text: [UInt8] = []
  /// The number of paths written so far.
  private(set) var count = 0
  /// Whether all paths are written.
  var isComplete: Bool { nextIndex == items.count }

  private let items: [PhotoID]
  private var nextIndex = 0

  /// Creates an empty list.
  init(of items: [PhotoID], as format: PathListText.Format) {
    self.items = items
    self.format = format
  }

  /// Writes more paths.
  ///
  /// - Parameters:
  ///   - most: The maximum number of photographs to process.
  ///   - location: Returns the location of a photograph, or nil if it has no file or no longer exists.
  mutating func advance(atMost most: Int, location: (PhotoID) -> PictureLocation?) {
    let end = min(items.count, nextIndex + most)
    for item in items[nextIndex..<end] {
      guard let location = location(item) else { continue }
      PathListText.append(location, to: &text, as: format)
      count += 1
    }
    nextIndex = end
  }
}

/// A text of paths that other programs can paste.
nonisolated enum PathListText {
  /// The format of the paths.
  enum Format: Hashable {
    /// Plain paths, one per line.
    case plain
    /// URLs, one per line: `file:///home/…`, as in the type `text/uri-list`.
    case urls
  }

  /// Appends a path on its own line, without a trailing newline.
  ///
  /// - Parameters:
  ///   - location: An absolute path, or a URL, which is not changed.
  ///   - text: The text to which the path is appended.
  ///   - format: The format.
  /// - Complexity: O(*n*) in the length of the path.
  static func append(_ location: PictureLocation, to text: inout [UInt8], as format: Format) {
    if !text.isEmpty { text.append(UInt8(ascii: "\n")) }
    switch (location, format) {
    case (.file(let bytes), .plain): text += bytes
    case (.file(let bytes), .urls): text += fileURL(of: bytes)
    case (.url(let address), _): text += address.utf8
    }
  }

  private static func fileURL(of path: [UInt8]) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    var address = Array("file://".utf8)
    for byte in path {
      if isUnreserved(byte) {
        address.append(byte)
      } else {
        address += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return address
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"), UInt8(ascii: "/"):
      true
    default: false
    }
  }
}

/// The location of a photograph for other programs.
nonisolated enum PictureLocation: Hashable, Sendable {
  /// The absolute path of a file, as bytes.
  case file([UInt8])
  /// An address on the web.
  case url(String)
}
