import CPlatform

/// What a decoding process gets of a core that others want too.
///
/// It is told at the start: without privileges the kernel lets no process out of the lowest again.
enum ProcessPriority: Hashable, Sendable {
  /// As much as they.
  case normal
  /// As much as they, in long slices, and it never takes a core from the thread that draws when that wakes.
  case screen
  /// What they leave.
  case background

  /// The same in C.
  var number: platform_priority {
    switch self {
    case .normal: PLATFORM_PRIORITY_USUAL
    case .screen: PLATFORM_PRIORITY_BATCH
    case .background: PLATFORM_PRIORITY_IDLE
    }
  }
}
