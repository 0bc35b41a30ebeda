import CVitrineSDL2
import Glibc
import VitrineGeometry
import VitrineRendering

/// A writer of PNG files, for screenshots.
///
/// Writing is atomic: the image is written to a temporary file in the same folder, which is then renamed. Devices and
/// the targets of symbolic links are written to directly, because they must not be replaced.
///
/// SDL2_image writes them. It is loaded for the first one, because it needs many libraries, and most runs write none.
nonisolated enum PNGFile {
  private typealias SaveFunction =
    @convention(c) (UnsafeMutablePointer<SDL_Surface>?, UnsafeMutablePointer<SDL_RWops>?, Int32) -> Int32
  /// SDL2_image's `IMG_SavePNG_RW`, or nil if the library is not installed.
  ///
  /// The library is never unloaded. It is global, so that preloaded libraries can replace its functions. The C functions
  /// are `dlopen` and `dlsym`.
  private static let saveFunction: SaveFunction? =
    dlopen("libSDL2_image-2.0.so.0", RTLD_LAZY | RTLD_GLOBAL)
    .flatMap { _ in dlsym(nil, "IMG_SavePNG_RW") }.map { unsafeBitCast($0, to: SaveFunction.self) }

  /// Writes a bitmap to a path, replacing an existing file, using `IMG_SavePNG_RW` and `rename`.
  ///
  /// - Throws: ``DisplayError`` with the path, if the folder is not writable or the disk is full.
  static func write(_ bitmap: Bitmap, to path: String) throws(DisplayError) {
    let action = "write \(path)"
    var status = stat()
    if lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG, status.st_mode & S_IFMT != S_IFDIR {
      guard let file = fopen(path, "wbe") else { throw DisplayError.fromErrno(action) }
      return try encode(bitmap, into: file, action: action)
    }
    let (temporary, file) = try openTemporaryFile(nextTo: path, action: action)
    do {
      try encode(bitmap, into: file, action: action)
    } catch {
      unlink(temporary)
      throw error
    }
    guard rename(temporary, path) == 0 else {
      let error = DisplayError.fromErrno(action)
      unlink(temporary)
      throw error
    }
  }

  /// Creates a file with a new name in the same folder, because rename(2) cannot move a file to another file system.
  private static func openTemporaryFile(
    nextTo path: String, action: String
  ) throws(DisplayError) -> (path: String, file: UnsafeMutablePointer<FILE>) {
    for attempt in 0..<64 {
      let temporary = "\(path).\(getpid())-\(attempt).part"
      let descriptor = Glibc.open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if descriptor < 0 {
        if errno == EEXIST { continue }
        throw DisplayError.fromErrno(action)
      }
      guard let file = fdopen(descriptor, "wb") else {
        let error = DisplayError.fromErrno(action)
        close(descriptor)
        unlink(temporary)
        throw error
      }
      return (temporary, file)
    }
    throw DisplayError(action: action, reason: "too many unfinished files beside it")
  }

  /// Encodes a bitmap into a file and closes the file in any case.
  private static func encode(
    _ bitmap: Bitmap, into file: UnsafeMutablePointer<FILE>, action: String
  ) throws(DisplayError) {
    var encodingError: DisplayError?
    do {
      try SurfaceHandle.withSurface(over: bitmap) { (surface) throws(DisplayError) in
        guard let save = saveFunction else {
          throw DisplayError(action: action, reason: "SDL2_image is not installed (Debian: libsdl2-image-2.0-0)")
        }
        guard let stream = SDL_RWFromFP(file, SDL_FALSE) else { throw DisplayError.fromSDL(action) }
        guard save(surface, stream, 1) == 0 else { throw DisplayError.fromSDL(action) }
      }
    } catch {
      encodingError = error
    }
    // The library may ignore that the disk is full. The stream does not.
    let isComplete = fflush(file) == 0 && ferror(file) == 0
    let diskError = isComplete ? nil : DisplayError.fromErrno(action)
    let closingError = fclose(file) == 0 ? nil : DisplayError.fromErrno(action)
    if let error = diskError ?? encodingError ?? closingError { throw error }
  }
}

extension DisplayError {
  /// Returns an error with the system's reason for the last failed call, using `strerror`.
  fileprivate nonisolated static func fromErrno(_ action: String) -> DisplayError {
    DisplayError(action: action, reason: String(cString: strerror(errno)))
  }
}
