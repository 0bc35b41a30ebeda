import FoundationEssentials
import VitrineGalleryUI
import VitrinePhotoLibrary
import VitrineThreads

/// The file in which the gallery's settings are stored: `settings.json` in the state folder.
///
/// It is written on a thread, completely or not at all. Two instances add their folders to it one after the other; of
/// what both changed, the last one's is kept. Of a damaged file what can be read is kept. A file that cannot be read or
/// that a later version wrote is left as it is.
final class SettingsFile: SettingsStore {
  private nonisolated static let name = "settings.json"
  private nonisolated static let maximumBytes = 1 << 20

  private let folder: @Sendable () -> PhotoPath?
  private let pending = Lock<Pending>(Pending())

  private struct Pending {
    var changes: GallerySettings?
    var isWriting = false
  }

  /// Creates a file in a folder, which is created when the file is written.
  ///
  /// - Parameter folder: A closure that returns the folder, or nil if there is none. It is called for each access, because
  ///   the home folder may have been removed and must not be created.
  nonisolated init(in folder: @escaping @Sendable () -> PhotoPath?) { self.folder = folder }

  /// Reads the settings, or returns empty ones if there are none or they cannot be read.
  nonisolated func load() -> GallerySettings {
    folder().flatMap { try? SettingsFile.read(in: $0) } ?? GallerySettings()
  }

  /// Reads the settings.
  ///
  /// - Returns: The settings, or nil if there is no file or it is damaged.
  /// - Throws: ``ForeignFile`` if the file must not be replaced.
  private nonisolated static func read(in folder: PhotoPath) throws(ForeignFile) -> GallerySettings? {
    let data: Data
    do throws(FileError) {
      data = Data(try AtomicFile.read(folder.appending(name), atMost: maximumBytes))
    } catch {
      if error.isNotFound { return nil }
      throw ForeignFile()
    }
    struct Header: Decodable { var version: Int }
    guard let header = try? JSONDecoder().decode(Header.self, from: data) else { return nil }
    guard header.version <= GallerySettings.currentVersion else { throw ForeignFile() }
    return try? JSONDecoder().decode(GallerySettings.self, from: data)
  }

  /// The file cannot be read, or a later version of the program wrote it.
  private struct ForeignFile: Error {}

  func save(_ changes: GallerySettings) {
    let starts = pending.withLock { pending in
      pending.changes = changes
      defer { pending.isWriting = true }
      return !pending.isWriting
    }
    guard starts else { return }
    do throws(ThreadError) {
      let thread = try WorkerThread(name: "settings") { [folder, pending] in
        while let changes =
          (pending.withLock { pending -> GallerySettings? in
            defer { pending.changes = nil }
            if pending.changes == nil { pending.isWriting = false }
            return pending.changes
          })
        {
          if let folder = folder() { SettingsFile.write(changes, in: folder) }
        }
        pending.wakeAll()
      }
      thread.detach()
    } catch {
      pending.withLock { $0.isWriting = false }
    }
  }

  private nonisolated static func write(_ changes: GallerySettings, in folder: PhotoPath) {
    do {
      var settings = try read(in: folder) ?? GallerySettings()
      settings.merge(changes)
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
      try AtomicFile.makeFolder(folder)
      try AtomicFile.write(Array(try encoder.encode(settings)), to: folder.appending(name))
    } catch {
      // Settings are a convenience: a full disk or a read-only home must not disturb the user.
    }
  }

  /// Waits until the settings are written.
  nonisolated func finish() {
    pending.wait { pending -> Void? in pending.isWriting ? nil : () }
  }
}
