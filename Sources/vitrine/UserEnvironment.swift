import FoundationEssentials
import VitrineGeometry
import VitrineHosting
import VitrineImagePipeline
import VitrinePhotoLibrary

/// A namespace for the user's folders and the machine's memory.
enum UserEnvironment {
  /// The user's folders according to the environment and the desktop's settings.
  nonisolated static var folders: UserFolders {
    let environment = ProcessInfo.processInfo.environment
    let directories = UserFolders.userDirectoriesFile(environment: environment).flatMap {
      try? AtomicFile.read($0, atMost: 1 << 16)
    }
    return UserFolders(environment: environment, userDirectories: directories) { AtomicFile.folderExists(at: $0) }
  }

  /// Why there is no folder for caches, if ``folders`` has none.
  static var missingCache: String {
    let environment = ProcessInfo.processInfo.environment
    func absolutePath(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
    if let path = absolutePath("XDG_CACHE_HOME") {
      return "\(PhotoPath(path).parent.printable), the parent of XDG_CACHE_HOME, is not there"
    }
    return absolutePath("HOME").map { "the home folder \(PhotoPath($0).printable) is not there" }
      ?? "the home folder is unknown (HOME is not set)"
  }

  /// The folder for temporary files, as bytes.
  static var temporaryFolder: [UInt8] { Array((ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp").utf8) }

  /// Returns the path prefix of traces that a signal requests: in the state folder, with the number of this process.
  ///
  /// Creates the folder. Returns nil if there is no home folder, the folder cannot be created, or its path is not
  /// UTF-8.
  static func makeTracePrefix() -> String? {
    guard let folder = folders.state else { return nil }
    do throws(FileError) {
      try AtomicFile.makeFolder(folder)
    } catch {
      return nil
    }
    return String(
      validating: folder.appending("vitrine-trace-\(ProcessInfo.processInfo.processIdentifier)").bytes, as: UTF8.self)
  }

  /// Returns the maximum size of the image cache in bytes, for the largest window.
  ///
  /// It is constant in a simulation.
  static func cacheBytes(isSimulated: Bool) -> Int {
    isSimulated ? 512 << 20 : ImageCache.defaultByteLimit(memory: ProcessFigures.memoryLimit)
  }
}

/// The saved frame of the window, stored as one line of four numbers in the state folder.
nonisolated struct SavedWindowFrame {
  private static let fileName = "window"
  /// The maximum magnitude of a coordinate in points.
  private static let maximumCoordinate = 100_000.0

  /// The frame in points of the desktop.
  let frame: Rect

  /// Creates a saved frame, or returns nil for an implausible one, for example if it is smaller than the minimum window
  /// size.
  init?(frame: Rect) {
    let least = HostingOptions.minimumSize
    guard
      [frame.minX, frame.minY, frame.width, frame.height].allSatisfy({ abs($0) < SavedWindowFrame.maximumCoordinate }),
      frame.width >= least.width, frame.height >= least.height
    else { return nil }
    self.frame = frame
  }

  /// Reads the saved frame, or returns nil if there is none or it is implausible.
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

  /// Saves the frame.
  ///
  /// Errors are ignored, because the program is about to exit.
  func save(in folder: PhotoPath) {
    let numbers = [frame.minX, frame.minY, frame.width, frame.height].map { String(Int($0.rounded())) }
    do throws(FileError) {
      try AtomicFile.makeFolder(folder)
      try AtomicFile.write(
        Array((numbers.joined(separator: " ") + "\n").utf8), to: folder.appending(SavedWindowFrame.fileName))
    } catch {}
  }
}
