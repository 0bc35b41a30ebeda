/// How a try ended.
enum TransferOutcome: Hashable, Sendable {
  /// With what was wanted, or with word that what is known here still holds.
  case complete
  /// With another answer: one of the other statuses.
  case responded(status: Int, location: String?, retrySeconds: Int?)
  /// Without one.
  case failed(RemoteFailure)
}
