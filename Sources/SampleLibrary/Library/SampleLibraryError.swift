import Glibc

/// The sample pictures could not be made.
public enum SampleLibraryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The folder cannot be made or entered; `code` is the C library's `errno`.
  case folder(path: String, code: Int32)
  /// A file cannot be written; `code` is the C library's `errno`.
  case file(path: String, code: Int32)
  /// The disk, or the user's part of it, is full.
  case diskFull(path: String)
  /// A picture cannot be encoded, for the reason that is given.
  case encoding(reason: String)
  /// There is not the memory to paint, or not the thread.
  case resources(reason: String)
  /// The painting was called off.
  case cancelled

  /// What happened and what to do.
  public var description: String {
    switch self {
    case .folder(let path, let code):
      "the folder for the sample pictures, \(path), cannot be made (\(FolderCalls.description(of: code))); "
        + "name another with --cache-dir"
    case .file(let path, let code):
      "the sample picture \(path) cannot be written (\(FolderCalls.description(of: code))); "
        + "name another folder with --cache-dir"
    case .diskFull(let path):
      "no room for the sample picture \(path): a picture takes about 2 MB; free some, ask for fewer with --sample, "
        + "or name a folder on another disk with --cache-dir"
    case .encoding(let reason): "a sample picture cannot be encoded: \(reason)"
    case .resources(let reason): "a sample picture cannot be painted: \(reason)"
    case .cancelled: "the painting of the sample pictures was called off"
    }
  }

  /// The error of a file that could not be written.
  init(path: String, refusal: FolderCalls.Refusal) {
    let isFull = refusal.code == ENOSPC || refusal.code == EDQUOT
    self = isFull ? .diskFull(path: path) : .file(path: path, code: refusal.code)
  }
}
