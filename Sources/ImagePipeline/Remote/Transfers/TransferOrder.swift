/// One try to have something: what is to be sent where, and what may come back.
struct TransferAttempt: Hashable, Sendable {
  /// Names the try; none is used twice.
  let number: UInt64
  /// What somebody wants.
  let request: RemoteRequest
  /// Where to ask: the request's address, or where that has led.
  let url: RemoteURL
  /// Which servers may be asked.
  let scope: RemoteScope
  /// What is known here of what is there.
  let validator: RemoteValidator
  /// The bytes that may come.
  let maximumBytes: Int
  /// The bytes that may be taken in before more are granted.
  let byteAllowance: Int
}
