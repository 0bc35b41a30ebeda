import DataStructures

/// Failures that are known already, so that a broken file is tried once and not in every frame.
///
/// Bounded: of 65,536 failures and more the ones asked for least recently are forgotten, and so are tried again.
struct FailureMemory: Sendable {
  private var files = LeastRecentlyUsed<UInt64, ImageFailure>(costLimit: 1 << 16)
  private var sizes = LeastRecentlyUsed<ImageKey, ImageFailure>(costLimit: 1 << 16)

  /// The failure that a request for this key would meet again.
  mutating func failure(for key: ImageKey) -> ImageFailure? { files.value(for: key.source) ?? sizes.value(for: key) }

  /// Remembers a failure for as much as it is a fact of.
  mutating func remember(_ failure: ImageFailure, for key: ImageKey) {
    switch failure.scope {
    case .nothing: break
    case .size: sizes.insert(failure, for: key, cost: 1)
    case .file: files.insert(failure, for: key.source, cost: 1)
    }
  }

  /// Forgets everything, so that each file is tried once more.
  mutating func forgetAll() {
    files.removeAll()
    sizes.removeAll()
  }
}
