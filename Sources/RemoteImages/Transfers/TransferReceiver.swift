/// The receiver of one attempt's response, which stops the transfer as soon as the response is unusable.
///
/// Confined to the transfers' thread.
final class TransferReceiver {
  /// The result of receiving bytes.
  enum ReceiveResult {
    /// The bytes were stored.
    case accepted
    /// The bytes must be delivered again after the next grant.
    case paused
    /// The transfer must stop.
    case rejected
  }

  /// The attempt.
  let attempt: TransferAttempt
  /// The response head.
  private(set) var head = ResponseHead()
  /// Whether the connected server is public.
  private(set) var isAtPublicServer = false
  /// The stored bytes, or nil before the end of the head.
  private var file: DownloadFile?
  private let store: DownloadStore
  private var check: ResponseBodyCheck
  private var failure: RemoteFailure?
  private var hasOtherStatus = false
  private var isConnected = false
  private var isProxied = false
  /// Whether the server's name resolved to a forbidden address, and to an allowed one.
  private var hasRefusedAddress = false
  private var hasAllowedAddress = false
  private let isLocalAddress: (IPAddress) -> Bool
  private var byteAllowance: Int
  private var isPaused = false
  /// The progress that was last reported.
  private var reportedProgress = TransferProgress()

  /// Creates a receiver before the response.
  ///
  /// - Parameter isLocalAddress: Returns whether an address belongs to this machine.
  init(
    _ attempt: TransferAttempt, store: DownloadStore,
    isLocalAddress: @escaping (IPAddress) -> Bool = { IPAddress.localAddresses().contains($0) }
  ) {
    self.attempt = attempt
    self.store = store
    self.isLocalAddress = isLocalAddress
    check = ResponseBodyCheck(kind: attempt.request.kind, maximumBytes: attempt.maximumBytes)
    byteAllowance = attempt.byteAllowance
  }

  /// Sets whether the connection uses a proxy.
  ///
  /// The connected address is then the proxy's, which the user has chosen, and the server is judged by its name only.
  func setProxied(_ isProxied: Bool) { self.isProxied = isProxied }

  /// Checks an address of the server before connecting to it.
  /// - Returns: Whether the connection is allowed.
  func allowsConnection(to address: IPAddress?) -> Bool {
    guard !isProxied else { return true }
    let isAllowed = address.map { attempt.scope == .anyServer || !isPrivate($0) } ?? false
    if isAllowed { hasAllowedAddress = true } else { hasRefusedAddress = true }
    return isAllowed
  }

  /// Checks a new or reused connection before sending the request.
  /// - Returns: Whether the request is allowed.
  func allowsRequest(to address: IPAddress?) -> Bool {
    isConnected = true
    let isPrivateAddress = isProxied ? false : address.map(isPrivate) ?? true
    isAtPublicServer = !isPrivateAddress && !attempt.url.origin.isPrivate
    return isAtPublicServer || attempt.scope == .anyServer || fail(.privateAddress)
  }

  /// Parses a line of the response head.
  /// - Returns: Whether the transfer continues.
  func receive(line: UnsafeRawBufferPointer) -> Bool {
    guard !head.isComplete else { return true }
    guard head.parse(line: line) else { return fail(.malformedResponse) }
    guard head.isComplete else { return true }
    switch head.status {
    case 200: break
    case 304 where !attempt.validator.isEmpty: return true
    default:
      // The body is for people who use a browser.
      hasOtherStatus = true
      return false
    }
    if head.isEncoded { return fail(.unexpected(.compressed, expected: attempt.request.kind)) }
    if let length = head.contentLength, length > attempt.maximumBytes {
      return fail(.tooLarge(limit: attempt.maximumBytes))
    }
    do throws(RemoteFailure) {
      file = try store.makeFile(forbidsDiskStorage: head.forbidsStoring, now: DownloadFileSystem.wallSeconds())
    } catch {
      return fail(error)
    }
    return true
  }

  /// Stores bytes of the body if they are within the allowance.
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

  /// Raises the byte allowance.
  ///
  /// - Parameter bytes: The new total allowance.
  /// - Returns: Whether the transfer was paused and must be resumed.
  func grantBytes(_ bytes: Int) -> Bool {
    byteAllowance = bytes
    guard isPaused else { return false }
    isPaused = false
    // Report again if the allowance is still too small for the waiting bytes.
    reportedProgress = TransferProgress()
    return true
  }

  /// Returns the progress of the body if it has changed since the last call, or else nil.
  func takeProgress() -> TransferProgress? {
    guard file != nil else { return nil }
    let progress = TransferProgress(received: check.byteCount, expected: head.contentLength, isPaused: isPaused)
    guard progress != reportedProgress else { return nil }
    reportedProgress = progress
    return progress
  }

  /// Returns the outcome of the attempt.
  ///
  /// - Parameter transport: libcurl's failure, or nil if the transfer has completed.
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

  /// Returns the file and gives up its ownership.
  func takeFile() -> DownloadFile? {
    defer { file = nil }
    return file
  }

  /// Discards the received bytes.
  func discardFile() {
    if let file { store.discard(file) }
    file = nil
  }

  /// Returns whether an address is private.
  ///
  /// This machine's own addresses are, even if they are public, because its servers trust local clients.
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
