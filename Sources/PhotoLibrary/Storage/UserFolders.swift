/// Where a user's pictures lie, and where our own files may.
///
/// A pure function of the environment: the XDG base directories and the list of user directories. Where there is no
/// home, what would lie in it is nothing, and the program goes on without: nobody's home is ever made.
public struct UserFolders: Hashable, Sendable {
  /// The folder of pictures; nothing where the user has none.
  public let pictures: PhotoPath?
  /// Our folder for what can be made again.
  public let cache: PhotoPath?
  /// Our folder for what is remembered from run to run, such as the window's place.
  public let state: PhotoPath?
  /// Our folder for settings.
  public let configuration: PhotoPath?
  /// The folder of thumbnails that programs share.
  public let thumbnails: PhotoPath?

  /// Finds the folders.
  ///
  /// - Parameters:
  ///   - environment: the process's environment.
  ///   - userDirectories: the bytes of the file at ``userDirectoriesFile(environment:)``; nothing where there is none.
  ///   - name: our folder's name in each of the user's.
  ///   - stands: whether a folder stands at a path: asked of the home folder, and of the folder around a base directory
  ///     that the environment names, as that alone may be made.
  public init(
    environment: [String: String], userDirectories: [UInt8]? = nil, name: String = "vitrine",
    stands: (PhotoPath) -> Bool
  ) {
    var base = UserFolders.baseDirectories(environment)
    if let home = base.home, !stands(home) { base.home = nil }
    pictures = UserDirectoriesFile(userDirectories ?? [], home: base.home).pictures
    let cacheHome = base.directory("XDG_CACHE_HOME", ".cache", stands)
    cache = cacheHome?.appending(name)
    thumbnails = cacheHome?.appending("thumbnails")
    state = base.directory("XDG_STATE_HOME", ".local/state", stands)?.appending(name)
    configuration = base.directory("XDG_CONFIG_HOME", ".config", stands)?.appending(name)
  }

  /// The file that names the user's directories; nothing where there is no home.
  public static func userDirectoriesFile(environment: [String: String]) -> PhotoPath? {
    baseDirectories(environment).directory("XDG_CONFIG_HOME", ".config") { _ in true }?.appending("user-dirs.dirs")
  }

  private struct BaseDirectories {
    var environment: [String: String]
    var home: PhotoPath?

    /// A base directory; one that is not absolute is passed over, as the specification says.
    func directory(_ variable: String, _ inHome: String, _ stands: (PhotoPath) -> Bool) -> PhotoPath? {
      if let path = UserFolders.absolutePath(environment[variable]) { return stands(path.parent) ? path : nil }
      return home?.appending(inHome)
    }
  }

  private static func baseDirectories(_ environment: [String: String]) -> BaseDirectories {
    BaseDirectories(environment: environment, home: absolutePath(environment["HOME"]))
  }

  private static func absolutePath(_ text: String?) -> PhotoPath? {
    text.map { PhotoPath($0) }.flatMap { $0.isAbsolute ? $0 : nil }
  }
}
