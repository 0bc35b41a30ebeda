/// Calls that a frame in which nothing enters is to do without.
public enum RuntimeCall: CaseIterable, Hashable, Sendable {
  /// Memory is asked for.
  case allocation
  /// A reference is counted up.
  case retain
  /// A reference is counted down.
  case release

  /// The word in the names of figures.
  public var key: String {
    switch self {
    case .allocation: "allocations"
    case .retain: "retains"
    case .release: "releases"
    }
  }

  /// The functions of the C library and of Swift's runtime that do it.
  ///
  /// Those that only call another one of them are left out.
  var functions: [String] {
    switch self {
    case .allocation: ["malloc", "calloc", "realloc", "aligned_alloc", "memalign", "posix_memalign"]
    case .retain: ["swift_retain", "swift_retain_n", "swift_weakLoadStrong", "swift_unownedRetainStrong"]
    case .release: ["swift_release", "swift_release_n"]
    }
  }
}
