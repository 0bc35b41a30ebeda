package import VitrineImageMetadata

/// An event of a library scan.
///
/// For each photograph, the scan first reports that it was found and later what its header contains.
package enum LibraryEvent: Hashable, Sendable {
  /// The next photographs in the final order.
  case found([FoundPhoto])
  /// All pictures of an album with numbers below the given one are listed, and everything about them is known.
  case listed(upTo: Int)
  /// The next pictures of a list on the web, in the order of the list.
  ///
  /// `list` is the index of the list, the same in every scan. `isFromPublicServer` indicates whether a server on the
  /// internet sent the list.
  case entries([ManifestItem], list: Int, isFromPublicServer: Bool)
  /// The list with the given index could not be read to its end: its other pictures may still be in it.
  case unread(list: Int)
  /// The results of reading headers, in the order of the photographs.
  case headers([HeaderResult])
  /// An update begins: the following events, up to ``finished(_:)``, tell what has changed in some folders.
  case updating
  /// A folder that was listed again because it changed, after its photographs were found.
  case relisted(FolderListing)
  /// A folder that could not be read completely.
  case problem(ScanProblem)
  /// The progress of the scan.
  case progress(ScanProgress)
  /// The last event: every photograph has been found and read.
  case finished(ScanSummary)
}

/// A photograph that a scan found, before its file is read.
package struct FoundPhoto: Hashable, Sendable {
  /// The index in the final order of the scan, starting at 0.
  package var ordinal: UInt32
  /// The folder that contains the file.
  package var folder: PhotoPath
  /// The bytes of the file name.
  package var name: [UInt8]
  /// The identity of the file, including its version.
  package var identity: FileIdentity
  /// Why the photograph cannot be shown, if that is known without reading it.
  package var failure: PhotoFailure?
  /// Whether the name is a symbolic link.
  package var isLink = false
  /// The path of the file in the library, if this is a link to it that an update found: the file is shown there.
  package var shownPath: PhotoPath?

  /// Creates a found photograph.
  package init(
    ordinal: UInt32, folder: PhotoPath, name: [UInt8], identity: FileIdentity, failure: PhotoFailure? = nil
  ) {
    self.ordinal = ordinal
    self.folder = folder
    self.name = name
    self.identity = identity
    self.failure = failure
  }

  /// The path of the file.
  package var path: PhotoPath { folder.appending(name) }
}

/// A list of a folder that changed while the library was open.
package struct FolderListing: Hashable, Sendable {
  /// The folder.
  package var folder: PhotoPath
  /// The ordinals of the photographs in the folder itself.
  package var ordinals: Range<UInt32>
  /// The names of the folders within.
  package var subfolders: Set<[UInt8]>
  /// The names of files that are being written; those that are shown stay.
  package var unfinishedNames: Set<[UInt8]>
  /// Whether the folder does not exist any more.
  package var isMissing = false

  /// Creates a list.
  package init(
    folder: PhotoPath, ordinals: Range<UInt32>, subfolders: Set<[UInt8]> = [], unfinishedNames: Set<[UInt8]> = []
  ) {
    self.folder = folder
    self.ordinals = ordinals
    self.subfolders = subfolders
    self.unfinishedNames = unfinishedNames
  }
}

extension FoundPhoto {
  /// Creates a found photograph from the status of a file, for libraries that know their files without a scan.
  ///
  /// The C function is `fstatat`.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - ordinal: The index in the final order.
  /// - Returns: nil if the status of the file cannot be read.
  package init?(statusOf path: PhotoPath, ordinal: UInt32) {
    guard let status = try? SystemCalls.status(of: path) else { return nil }
    self.init(
      ordinal: ordinal, folder: path.parent, name: Array(path.lastComponent), identity: status.identity, failure: nil)
  }
}

/// The result of reading the header of a found photograph.
package struct HeaderResult: Hashable, Sendable {
  /// The ordinal of the photograph in the scan.
  package var ordinal: UInt32
  /// The identity of the file that was read, or nil if no file could be opened.
  ///
  /// It differs from the identity that was found if the file was replaced in the meantime.
  package var identity: FileIdentity?
  /// The header, or nil if the photograph cannot be shown.
  package var header: ImageHeader?
  /// Why the photograph cannot be shown, or nil if there is a header.
  package var failure: PhotoFailure?

  /// Creates the result for a file that is a picture.
  package init(ordinal: UInt32, identity: FileIdentity, header: ImageHeader) {
    self.ordinal = ordinal
    self.identity = identity
    self.header = header
  }

  /// Creates the result for a file that cannot be shown.
  package init(ordinal: UInt32, identity: FileIdentity?, failure: PhotoFailure) {
    self.ordinal = ordinal
    self.identity = identity
    self.failure = failure
  }
}

/// A problem with a folder that a scan could not read completely, or left out.
///
/// The photographs of a folder that could not be read are offline; they are not known to be deleted.
package struct ScanProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason for a problem.
  package enum Reason: Hashable, Sendable {
    /// The system failed to open or list the folder.
    case system(FileError)
    /// The folder is nested more than ``FolderScan/maximumDepth`` levels deep.
    case tooDeep
    /// The file system of the folder was removed.
    case unmounted
    /// The folder is on a file system in which the kernel presents itself, such as `/proc`.
    case kernelFileSystem
    /// The folder is a symbolic link to a folder that contains the library, such as the root of the file system.
    case linkToContainingFolder
    /// No process can read the photographs' headers, with a sentence that says why.
    case noReader(String)
  }

  /// The folder.
  package var folder: PhotoPath
  /// The reason.
  package var reason: Reason

  /// Creates a problem.
  package init(folder: PhotoPath, reason: Reason) {
    self.folder = folder
    self.reason = reason
  }

  /// Whether the folder is left out on purpose, so that there are no photographs of it to keep.
  package var isLeftOut: Bool {
    switch reason {
    case .kernelFileSystem, .linkToContainingFolder, .noReader: true
    case .system, .tooDeep, .unmounted: false
    }
  }

  /// A sentence for users with the folder and the reason, without a full stop.
  package var description: String {
    switch reason {
    case .system(let error) where error.isNotAFolder: "\(folder.printable) is not a folder any more"
    case .system(let error) where error.isNotFound: "\(folder.printable) is not there (is its disk connected?)"
    case .system(let error) where error.isPermissionDenied: "\(folder.printable) may not be read"
    case .system(let error): "\(folder.printable) cannot be read: \(error.reason)"
    case .tooDeep: "\(folder.printable) is not read: more than \(FolderScan.maximumDepth) folders deep"
    case .unmounted: "\(folder.printable) is not there: its disk was removed"
    case .kernelFileSystem: "\(folder.printable) is left out: it belongs to the system and holds no photographs"
    case .noReader(let cause): "photographs cannot be read: \(cause)"
    case .linkToContainingFolder: "\(folder.printable) is left out: it is a link to a folder that contains this one"
    }
  }
}

/// The progress of a scan.
package struct ScanProgress: Hashable, Sendable {
  /// The number of photographs found so far.
  package var found = 0
  /// The number of folders that were listed or skipped.
  package var foldersRead = 0
  /// The number of folders known to exist.
  package var foldersKnown = 0

  /// Creates the progress of a scan that has not started.
  package init() {}

  /// Whether all names are known; headers may still be missing.
  package var isListed: Bool { foldersRead == foldersKnown }
}

/// The summary of a finished scan.
package struct ScanSummary: Hashable, Sendable {
  /// The number of photographs found.
  package var found = 0
  /// The number of folders listed, at least in part.
  package var folders = 0
  /// The number of folders that could not be read completely.
  package var problems = 0
  /// Whether the scan was cancelled.
  package var wasCancelled = false

  /// Creates an empty summary.
  package init() {}
}
