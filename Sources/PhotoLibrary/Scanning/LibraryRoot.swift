package import VitrineFileReading
import VitrineImageMetadata
import VitrineReadingProtocol
package import VitrineThreads

/// A root of a scan: a folder with all its contents, or one picture.
package struct LibraryRoot: Hashable, Sendable {
  /// The kind of a root.
  package enum Kind: Hashable, Sendable {
    /// A folder, scanned with all its contents.
    case folder
    /// A file with the extension or the first bytes of a picture.
    case picture
  }

  /// The path as the user entered it, without "." and ".." components (``PhotoPath/withoutDotComponents``).
  package let path: PhotoPath
  /// The kind of the root.
  package let kind: Kind
  /// Whether the root is that of the file system, so that the library is everything on the disk.
  package let isWholeFileSystem: Bool

  /// Checks a path that the user entered.
  ///
  /// Symbolic links are followed.
  ///
  /// A file is a picture if its extension or its first bytes are those of a picture. It may still fail to decode.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - reader: The reader of a file whose name has no extension of a picture. Default: one of its own.
  /// - Throws: ``LibraryError`` if there is no such file, it cannot be read, or it is not a picture.
  package init(checking path: PhotoPath, reader: FileReader = FileReader()) throws(LibraryError) {
    self.path = path.withoutDotComponents
    do {
      let status = try SystemCalls.status(of: path)
      if status.type == .folder {
        _ = try SystemCalls.openFolder(path)
        kind = .folder
        isWholeFileSystem = (try? SystemCalls.status(of: PhotoPath("/")).key) == status.key
        return
      }
      kind = .picture
      isWholeFileSystem = false
      if try LibraryRoot.isPicture(path, status, reader) { return }
    } catch {
      throw LibraryError(
        input: path.bytes,
        reason: error.isNotFound ? .notFound : error.isPermissionDenied ? .permissionDenied : .system(error))
    }
    throw LibraryError(input: path.bytes, reason: .notAPicture)
  }

  /// Checks a path that the user typed.
  ///
  /// Errors contain the path as typed.
  ///
  /// - Parameters:
  ///   - input: The bytes of the path.
  ///   - reader: The reader of a file whose name has no extension of a picture. Default: one of its own.
  /// - Throws: ``LibraryError`` if there is no such file, it cannot be read, or it is not a picture.
  package init(input: [UInt8], reader: FileReader = FileReader()) throws(LibraryError) {
    do {
      try self.init(checking: PhotoPath(input), reader: reader)
    } catch {
      throw LibraryError(input: input, reason: error.reason)
    }
  }

  private static func isPicture(_ path: PhotoPath, _ status: FileStatus, _ reader: FileReader) throws(FileError) -> Bool
  {
    guard status.type == .file else { return ImageFileExtensions.isImageFileName(path.lastComponent) }
    let file = try SystemCalls.openFile(path)
    if ImageFileExtensions.isImageFileName(path.lastComponent) { return true }
    let byteCount = try SystemCalls.status(of: file).identity.byteCount
    do throws(FileReadingError) {
      return try reader.read(.header, of: file.number, byteCount: byteCount) != nil
    } catch {
      if let error = FileError(error) { throw error }
      return false
    }
  }
}

/// The checked paths that a user entered, with which a scan starts.
package struct LibraryRoots: Hashable, Sendable {
  /// The roots to scan, in the order in which they were entered.
  package let roots: [LibraryRoot]
  /// The picture to select, if a single picture was entered.
  ///
  /// Its folder is scanned.
  package var pathToReveal: PhotoPath? { picture?.path }
  /// What is known of that picture before its folder is listed.
  package let picture: OpenedPicture?

  /// Checks paths as the user typed them.
  ///
  /// Symbolic links are followed.
  ///
  /// Blocks as long as the disks or networks take to respond.
  ///
  /// - Parameters:
  ///   - paths: The bytes of the paths.
  ///   - reader: The reader of pictures. Default: one of its own.
  /// - Throws: ``LibraryError`` for the first path that cannot be opened.
  /// - Complexity: O(*n*) system calls for *n* paths.
  package init(checking paths: [[UInt8]], reader: FileReader = FileReader()) throws(LibraryError) {
    var roots: [LibraryRoot] = []
    for path in paths { roots.append(try LibraryRoot(input: path, reader: reader)) }
    guard roots.count == 1, roots[0].kind == .picture else {
      self.roots = roots
      self.picture = nil
      return
    }
    let picture = roots[0].path.absolute
    self.roots = [try LibraryRoot(checking: picture.parent)]
    self.picture = OpenedPicture(reading: picture, by: reader)
  }
}

/// A picture that a user opened, which can be shown before its folder is listed.
package struct OpenedPicture: Hashable, Sendable {
  /// The photograph, with the ordinal 0.
  private(set) var photo: FoundPhoto
  /// Its header.
  private(set) var result: HeaderResult

  /// The path.
  package var path: PhotoPath { photo.folder.appending(photo.name) }

  /// Creates a picture that is known.
  ///
  /// - Parameters:
  ///   - photo: The photograph.
  ///   - result: The result of reading its header.
  package init(_ photo: FoundPhoto, _ result: HeaderResult) {
    (self.photo, self.result) = (photo, result)
    (self.photo.ordinal, self.result.ordinal) = (0, 0)
  }

  /// Reads the status of a picture, and has its header read.
  ///
  /// A picture whose file cannot be read has a failure.
  ///
  /// Blocks as long as the disk or network takes to respond.
  ///
  /// - Parameters:
  ///   - path: The path of the picture.
  ///   - reader: The reader of its header. Default: one of its own.
  package init(reading path: PhotoPath, by reader: FileReader = FileReader()) {
    let photo =
      FoundPhoto(statusOf: path, ordinal: 0)
      ?? FoundPhoto(ordinal: 0, folder: path.parent, name: Array(path.lastComponent), identity: .unknown)
    do {
      self.init(photo, try HeaderReader.readHeader(0, of: try SystemCalls.openFile(path), by: reader))
    } catch {
      self.init(photo, HeaderResult(ordinal: 0, identity: nil, failure: PhotoFailure(error)))
    }
  }
}

/// A check of paths on its own thread, because a disk may be asleep or a network may be down.
///
/// Releasing the object discards the result. The thread ends when the system has responded; no caller waits for it.
package final class LibraryPathCheck: Sendable {
  private let outcome = Lock<Result<LibraryRoots, LibraryError>?>(nil)

  /// Starts the check.
  ///
  /// - Parameters:
  ///   - paths: The bytes of the paths.
  ///   - reader: The reader of pictures. Default: one of its own.
  ///   - wake: A closure that is called on the thread when the result is available.
  /// - Throws: `ThreadError` if the system cannot create a thread.
  package init(
    _ paths: [[UInt8]], reader: FileReader = FileReader(), wake: @escaping @Sendable () -> Void
  ) throws(ThreadError) {
    let thread = try WorkerThread(name: "open") { [outcome] in
      let checked = Result { () throws(LibraryError) in try LibraryRoots(checking: paths, reader: reader) }
      outcome.withLock { $0 = checked }
      wake()
    }
    thread.detach()
  }

  /// The checked paths or the error, or nil while the check is running.
  package var result: Result<LibraryRoots, LibraryError>? { outcome.withLock { $0 } }
}

/// An error that is thrown for a path that cannot be opened as a library.
package struct LibraryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason for an error.
  package enum Reason: Hashable, Sendable {
    /// There is no such file or folder.
    case notFound
    /// The user has no permission to read it.
    case permissionDenied
    /// The file is not a picture.
    case notAPicture
    /// Another system error.
    case system(FileError)
  }

  /// The bytes of the path as the user entered it.
  package var input: [UInt8]
  /// The reason.
  package var reason: Reason

  /// Creates an error.
  package init(input: [UInt8], reason: Reason) {
    self.input = input
    self.reason = reason
  }

  /// A line with the path and what is wrong with it.
  package var description: String {
    let name = PhotoPath.printable(input)
    return switch reason {
    case .notFound where input.isEmpty: "\"\": an empty path; give a folder or a picture that exists"
    case .notFound where isAddress: "\(name): no such file or folder; addresses that are opened are http and https"
    case .notFound: "\(name): no such file or folder; give a folder or a picture that exists"
    case .permissionDenied: "\(name): no permission to read it; give a folder or a picture that you may read"
    case .notAPicture: "\(name): neither a folder nor a picture"
    case .system(let error): "\(name): \(error)"
    }
  }

  /// Whether the input starts like an address, for example with `http://` (RFC 3986, section 3.1).
  private var isAddress: Bool {
    let scheme = input.prefix { $0 != UInt8(ascii: ":") }
    guard input.dropFirst(scheme.count).starts(with: "://".utf8), let first = scheme.first else { return false }
    func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }
    return isLetter(first)
      && scheme.allSatisfy {
        isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || "+-.".utf8.contains($0)
      }
  }
}
