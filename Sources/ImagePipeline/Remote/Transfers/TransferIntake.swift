/// Takes in what a server answers to one try, and says as early as can be that no more is wanted.
///
/// Used by the thread of the transfers alone.
final class TransferReceiver {
  /// What becomes of bytes that have come.
  enum ReceiveResult {
    /// They were taken in.
    case accepted
    /// They are to be brought again once there is room for them.
    case paused
    /// They are not wanted, nor are more.
    case rejected
  }

  /// What was asked.
  let attempt: TransferAttempt
  /// What stands before the bytes.
  private(set) var head = ResponseHead()
  /// Whether the server is one that everybody can ask.
  private(set) var isAtPublicServer = false
  /// The bytes; nothing before the first.
  private var file: DownloadFile?
  private let store: DownloadStore
  private var check: ResponseBodyCheck
  private var failure: RemoteFailure?
  private var hasOtherStatus = false
  private var isConnected = false
  private var isProxied = false
  /// Whether the server's name led to an address that may not be asked, and to one that may.
  private var hasRefusedAddress = false
  private var hasAllowedAddress = false
  private let isLocalAddress: (IPAddress) -> Bool
  private var byteAllowance: Int
  private var isPaused = false
  /// What was last told of the body.
  private var reportedProgress = TransferProgress()

  /// Makes an intake before anything was answered.
  ///
  /// - Parameter isOwn: whether a number is this machine's.
  init(
    _ order: TransferAttempt, store: DownloadStore,
    isOwn: @escaping (IPAddress) -> Bool = { IPAddress.localAddresses().contains($0) }
  ) {
    self.attempt = order
    self.store = store
    self.isLocalAddress = isOwn
    check = ResponseBodyCheck(kind: order.request.kind, mostBytes: order.maximumBytes)
    byteAllowance = order.byteAllowance
  }

  /// Notes whether the server is asked by way of a proxy: then what is connected to is the proxy, which the user has chosen,
  /// and the server is judged by its name.
  func setProxied(_ isProxied: Bool) { self.isProxied = isProxied }

  /// Judges an address that the server's name leads to, before it is connected to.
  /// - Returns: whether to try it.
  func allowsConnection(to address: IPAddress?) -> Bool {
    guard !isProxied else { return true }
    let isFit = address.map { attempt.scope == .anyServer || !isPrivate($0) } ?? false
    if isFit { hasAllowedAddress = true } else { hasRefusedAddress = true }
    return isFit
  }

  /// Judges the connection that was made or was there, before anything is asked over it.
  /// - Returns: whether to ask.
  func allowsRequest(to address: IPAddress?) -> Bool {
    isConnected = true
    let isNear = isProxied ? false : address.map(isPrivate) ?? true
    isAtPublicServer = !isNear && !attempt.url.origin.isPrivate
    return isAtPublicServer || attempt.scope == .anyServer || fail(.privateAddress)
  }

  /// Takes a line of the head in.
  /// - Returns: whether to go on.
  func receive(line: UnsafeRawBufferPointer) -> Bool {
    guard !head.isComplete else { return true }
    guard head.parse(line: line) else { return fail(.malformedResponse) }
    guard head.isComplete else { return true }
    switch head.status {
    case 200: break
    case 304 where !attempt.validator.isEmpty: return true
    default:
      // What it says besides is for people with browsers.
      hasOtherStatus = true
      return false
    }
    if head.isEncoded { return fail(.unexpected(.compressed, wanted: attempt.request.kind)) }
    if let length = head.contentLength, length > attempt.maximumBytes {
      return fail(.tooLarge(limit: attempt.maximumBytes))
    }
    do throws(RemoteFailure) {
      file = try store.makeFile(isSecret: head.forbidsStoring, now: DownloadFileSystem.wallSeconds())
    } catch {
      return fail(error)
    }
    return true
  }

  /// Takes bytes in, where they have room.
  func receive(body: UnsafeRawBufferPointer) -> ReceiveResult {
    if head.status == 304 { return .accepted }
    guard let file else { return reject(.malformedResponse) }
    guard body.count <= attempt.maximumBytes - check.byteCount else {
      return reject(.tooLarge(limit: attempt.maximumBytes))
    }
    guard body.count <= byteAllowance - check.byteCount else {
      isPaused = true
      return .paused
    }
    if let failure = check.checkBytes(body) { return reject(failure) }
    do throws(RemoteFailure) {
      try file.write(body)
      return .accepted
    } catch {
      store.recordFailure(of: file, now: DownloadFileSystem.wallSeconds())
      return reject(error)
    }
  }

  /// Gives room for more.
  ///
  /// - Parameter bytes: what may be taken in altogether.
  /// - Returns: whether bytes wait for it.
  func grantBytes(_ bytes: Int) -> Bool {
    byteAllowance = bytes
    guard isPaused else { return false }
    isPaused = false
    // Where it does not do for the bytes that wait, that is to be told again.
    reportedProgress = TransferProgress()
    return true
  }

  /// How far the body has come, where that was not told yet.
  func takeProgress() -> TransferProgress? {
    guard file != nil else { return nil }
    let progress = TransferProgress(received: check.byteCount, expected: head.contentLength, isPaused: isPaused)
    guard progress != reportedProgress else { return nil }
    reportedProgress = progress
    return progress
  }

  /// How the try ended.
  ///
  /// - Parameter transport: why the transfer broke off, where it did.
  func outcome(_ transport: RemoteFailure?) -> TransferOutcome {
    if let failure { return .failed(failure) }
    if hasOtherStatus {
      return .responded(
        status: head.status, location: head.location,
        retrySeconds: head.retrySeconds(now: DownloadFileSystem.wallSeconds()))
    }
    if let transport {
      if hasRefusedAddress, !hasAllowedAddress, transport == .unreachable { return .failed(.privateAddress) }
      return .failed(transport == .stalled && !isConnected ? .unreachable : transport)
    }
    guard head.isComplete else { return .failed(.malformedResponse) }
    if head.status == 304 { return .complete }
    return check.finish().map { .failed($0) } ?? .complete
  }

  /// Gives the bytes to who keeps them.
  func takeFile() -> DownloadFile? {
    defer { file = nil }
    return file
  }

  /// Takes away what has come.
  func discardFile() {
    if let file { store.discard(file) }
    file = nil
  }

  /// This machine's own numbers are near, also where everybody can ask them: it trusts itself.
  private func isPrivate(_ address: IPAddress) -> Bool { address.isPrivate || isLocalAddress(address.translated) }

  private func fail(_ failure: RemoteFailure) -> Bool {
    self.failure = failure
    return false
  }

  private func reject(_ failure: RemoteFailure) -> ReceiveResult {
    self.failure = failure
    return .rejected
  }
}
