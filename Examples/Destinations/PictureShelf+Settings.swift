import Foundation
import Hosting
import PictureServer

extension PictureShelf {
  /// The pictures that the settings ask for: those of a folder, or painted ones, which threads begin to paint.
  ///
  /// - Throws: `UsageError` where there are none in the folder, `ThreadError`.
  static func open(_ settings: DestinationsSettings) throws -> PictureShelf {
    guard let folder = settings.folder else {
      let shelf = PictureShelf(
        painting: settings.paintedCount, seed: settings.hosting.seed, longSide: settings.paintedSide)
      // In a window a core is left to the thread that draws.
      let isWatched = !settings.tellsStory && !settings.hosting.clock.isSimulated
      let cores = ProcessInfo.processInfo.activeProcessorCount
      try shelf.open(painters: max(1, isWatched ? cores - 1 : cores))
      return shelf
    }
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      throw UsageError("--pictures \(folder): no such folder; a folder of JPEG, PNG or WebP files is accepted")
    }
    let files = names.sorted().filter { name in
      ["jpg", "jpeg", "png", "webp"].contains(URL(fileURLWithPath: name).pathExtension.lowercased())
    }.compactMap { ShelfFile(path: folder + "/" + $0) }
    guard !files.isEmpty else {
      throw UsageError("--pictures \(folder): no pictures in it; a folder of JPEG, PNG or WebP files is accepted")
    }
    return PictureShelf(files: files)
  }

  /// Waits until all are painted.
  ///
  /// - Throws: `HostError` where they cannot be, or the shelf was closed.
  func waitUntilPainted() throws(HostError) {
    guard !paintAll() else { return }
    throw HostError("no pictures could be painted: \(failure ?? "interrupted")")
  }
}
