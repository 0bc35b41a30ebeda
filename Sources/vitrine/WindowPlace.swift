import Geometry
import PhotoLibrary

/// Where the window stood last, as one line of four numbers in the state folder.
struct WindowPlace {
  private static let fileName = "window"

  /// The place, in points of the desktop.
  var frame: Rect

  init(frame: Rect) { self.frame = frame }

  /// Reads the place; nothing where none was kept or it makes no sense.
  init?(in folder: PhotoPath?) {
    guard let folder, let bytes = try? AtomicFile.read(folder.appending(WindowPlace.fileName), atMost: 256) else {
      return nil
    }
    let numbers = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    guard numbers.count == 4, numbers.allSatisfy({ abs($0) < 100_000 }), numbers[2] >= 160, numbers[3] >= 120 else {
      return nil
    }
    frame = Rect(
      x: Double(numbers[0]), y: Double(numbers[1]), width: Double(numbers[2]), height: Double(numbers[3]))
  }

  /// Keeps the place; a place that cannot be kept is no reason to complain at leaving.
  func keep(in folder: PhotoPath) {
    let numbers = [frame.minX, frame.minY, frame.width, frame.height].map { String(Int($0.rounded())) }
    do throws(FileError) {
      try AtomicFile.makeFolder(folder)
      try AtomicFile.write(
        Array((numbers.joined(separator: " ") + "\n").utf8), to: folder.appending(WindowPlace.fileName))
    } catch {}
  }
}
