import Foundation
import Hosting
import ImagePipeline
import PhotoLibrary

/// What the program finds around it: the user's folders and the machine.
enum UserEnvironment {
  /// The user's folders, as the environment and the desktop's settings say.
  nonisolated static var folders: UserFolders {
    let environment = ProcessInfo.processInfo.environment
    let directories = UserFolders.userDirectoriesFile(environment: environment).flatMap {
      try? AtomicFile.read($0, atMost: 1 << 16)
    }
    return UserFolders(environment: environment, userDirectories: directories) { AtomicFile.folderExists(at: $0) }
  }

  /// Where files that are not kept may stand, in bytes.
  static var temporaryFolder: [UInt8] { Array((ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp").utf8) }

  /// Where traces go that a signal asks for: into the state folder, under the number of this process.
  ///
  /// The folder is made; nothing where there is no home, it cannot be made or its path is no text.
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

  /// The bytes of pictures that are kept in memory in the largest window; a simulation keeps equally many on every machine.
  static func cacheBytes(isSimulated: Bool) -> Int {
    isSimulated ? 512 << 20 : ImageCache.defaultByteLimit(memory: ProcessFigures.memoryLimit)
  }
}
