import Geometry
import Hosting
import PhotoLibrary

/// Where the window stood last, as one line of four numbers in the state folder.
nonisolated struct SavedWindowFrame {
  private static let fileName = "window"
  /// No desktop reaches farther, in points.
  private static let maximumCoordinate = 100_000.0

  /// The place, in points of the desktop.
  let frame: Rect

  /// Takes a place; nothing for one that makes no sense, such as a size below a window's least.
  init?(frame: Rect) {
    let least = HostingOptions.minimumSize
    guard
      [frame.minX, frame.minY, frame.width, frame.height].allSatisfy({ abs($0) < SavedWindowFrame.maximumCoordinate }),
      frame.width >= least.width, frame.height >= least.height
    else { return nil }
    self.frame = frame
  }

  /// Reads the place; nothing where none was kept or it makes no sense.
  init?(in folder: PhotoPath?) {
    guard let folder, let bytes = try? AtomicFile.read(folder.appending(SavedWindowFrame.fileName), atMost: 256) else {
      return nil
    }
    let numbers = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    guard numbers.count == 4 else { return nil }
    self.init(
      frame: Rect(
        x: Double(numbers[0]), y: Double(numbers[1]), width: Double(numbers[2]), height: Double(numbers[3])))
  }

  /// Keeps the place; a place that cannot be kept is no reason to complain at leaving.
  func save(in folder: PhotoPath) {
    let numbers = [frame.minX, frame.minY, frame.width, frame.height].map { String(Int($0.rounded())) }
    do throws(FileError) {
      try AtomicFile.makeFolder(folder)
      try AtomicFile.write(
        Array((numbers.joined(separator: " ") + "\n").utf8), to: folder.appending(SavedWindowFrame.fileName))
    } catch {}
  }
}
