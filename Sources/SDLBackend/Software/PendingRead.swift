/// What is known of a request to read memory, until the X server has done so.
///
/// Requests are numbered in their order, around 2^32. The last one of a frame is to be answered by an event; any of them may
/// be by an error.
package nonisolated struct PendingRead: Hashable {
  /// What an event says.
  package enum Outcome: Hashable {
    /// Nothing of this.
    case none
    /// All has been read.
    case read
    /// Something was refused: what was to be shown is not.
    case refused
  }

  private var awaitedRequest: UInt32?

  /// Nothing is being read.
  package init() {}

  /// Whether the memory is being read, as far as is known.
  package var isReading: Bool { awaitedRequest != nil }

  /// The number of a frame's last request.
  package mutating func begin(_ request: UInt32) { awaitedRequest = request }

  /// Nobody answers any more.
  package mutating func end() { awaitedRequest = nil }

  /// Takes an event in.
  ///
  /// - Parameters:
  ///   - isError: whether it is an error.
  ///   - isCompletion: whether it says that memory has been read.
  ///   - request: the number of the last request that the server had done.
  package mutating func handleEvent(isError: Bool, isCompletion: Bool, request: UInt32) -> Outcome {
    guard let awaitedRequest, isError || isCompletion else { return .none }
    let isLast = Int32(bitPattern: request &- awaitedRequest) >= 0
    if isLast { self.awaitedRequest = nil }
    if isError { return .refused }
    return isLast ? .read : .none
  }
}
