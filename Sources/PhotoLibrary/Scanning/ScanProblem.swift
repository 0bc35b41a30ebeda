/// A folder that a scan could not read, or not wholly.
///
/// Its photographs are offline: nothing says that they are gone.
public struct ScanProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// Why.
  public enum Reason: Hashable, Sendable {
    /// The system would not open or list it.
    case system(FileError)
    /// More than ``FolderScan/mostDepth`` folders deep.
    case tooDeep
  }

  /// The folder.
  public var folder: PhotoPath
  /// Why.
  public var reason: Reason

  /// Makes a problem.
  public init(folder: PhotoPath, reason: Reason) {
    self.folder = folder
    self.reason = reason
  }

  /// One line that names the folder and the reason.
  public var description: String {
    switch reason {
    case .system(let error): "\(folder.printable): \(error)"
    case .tooDeep: "\(folder.printable): not read, more than \(FolderScan.maximumDepth) folders deep"
    }
  }
}
