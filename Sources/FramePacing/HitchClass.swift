/// Why a frame was shown late.
public enum HitchClass: UInt8, CaseIterable, Sendable {
  /// It was not late.
  case none
  /// Its commit ended after its deadline.
  case commitLate
  /// Work ahead ran past its limit: our own fault.
  case slackOverrun
  /// Presenting took longer than it was measured to.
  case presentLate
  /// The thread was ready and had no processor while this program's own threads or processes ran.
  case ownWorkers
  /// The system woke us too late.
  case wakeLate
  /// The thread was ready and did not run, or the refresh changed under it.
  case external

  /// The name in reports.
  public var name: String {
    switch self {
    case .none: "none"
    case .commitLate: "commitLate"
    case .slackOverrun: "slackOverrun"
    case .presentLate: "presentLate"
    case .ownWorkers: "ownWorkers"
    case .wakeLate: "wakeLate"
    case .external: "external"
    }
  }

  /// Classes that a late frame can have, in the order of reports.
  public static let lateClasses: [HitchClass] = [
    .commitLate, .slackOverrun, .presentLate, .ownWorkers, .wakeLate, .external,
  ]
}
