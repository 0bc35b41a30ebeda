/// Takes in what a server answers to one try, and says as early as can be that no more is wanted.
///
/// Used by the thread of the transfers alone.
final class TransferIntake {
  /// What becomes of bytes that have come.
  enum Reception {
    /// They were taken in.
    case taken
    /// They are to be brought again once there is room for them.
    case held
    /// They are not wanted, nor are more.
    case refused
  }

  /// What was asked.
  let order: TransferOrder
  /// What stands before the bytes.
  private(set) var head = ResponseHead()
  /// Whether the server is one that everybody can ask.
  private(set) var isAtPublicServer = false
  /// The bytes; nothing before the first.
  private var file: BodyFile?
  private let store: BodyStore
  private var check: BodyCheck
  private var failure: RemoteFailure?
  private var isAnsweredOtherwise = false
  private var isConnected = false
  private var isProxied = false
  /// Whether the server's name led to an address that may not be asked, and to one that may.
  private var hasRefusedAddress = false
  private var hasFitAddress = false
  private let isOwn: (IPAddress) -> Bool
  private var room: Int
  private var isHeld = false
  /// What was last told of the body.
  private var told = TransferProgress()

  /// Makes an intake before anything was answered.
  ///
  /// - Parameter isOwn: whether a number is this machine's.
  init(
    _ order: TransferOrder, store: BodyStore, isOwn: @escaping (IPAddress) -> Bool = { IPAddress.own().contains($0) }
  ) {
    self.order = order
    self.store = store
    self.isOwn = isOwn
    check = BodyCheck(kind: order.request.kind, mostBytes: order.mostBytes)
    room = order.room
  }

  /// Notes whether the server is asked by way of a proxy: then what is connected to is the proxy, which the user has chosen,
  /// and the server is judged by its name.
  func begin(isProxied: Bool) { self.isProxied = isProxied }

  /// Judges an address that the server's name leads to, before it is connected to.
  /// - Returns: whether to try it.
  func opens(_ address: IPAddress?) -> Bool {
    guard !isProxied else { return true }
    let isFit = address.map { order.reach == .anywhere || !isNear($0) } ?? false
    if isFit { hasFitAddress = true } else { hasRefusedAddress = true }
    return isFit
  }

  /// Judges the connection that was made or was there, before anything is asked over it.
  /// - Returns: whether to ask.
  func asks(_ address: IPAddress?) -> Bool {
    isConnected = true
    let isNear = isProxied ? false : address.map(isNear) ?? true
    isAtPublicServer = !isNear && !order.url.origin.isNear
    return isAtPublicServer || order.reach == .anywhere || stop(.privateAddress)
  }

  /// Takes a line of the head in.
  /// - Returns: whether to go on.
  func take(line: UnsafeRawBufferPointer) -> Bool {
    guard !head.isComplete else { return true }
    guard head.take(line: line) else { return stop(.nonsense) }
    guard head.isComplete else { return true }
    switch head.status {
    case 200: break
    case 304 where !order.validator.isEmpty: return true
    default:
      // What it says besides is for people with browsers.
      isAnsweredOtherwise = true
      return false
    }
    if head.isEncoded { return stop(.unexpected(.compressed, wanted: order.request.kind)) }
    if let length = head.contentLength, length > order.mostBytes { return stop(.tooLarge(limit: order.mostBytes)) }
    do throws(RemoteFailure) {
      file = try store.begin(isSecret: head.isSecret, now: BodyCalls.wallSeconds())
    } catch {
      return stop(error)
    }
    return true
  }

  /// Takes bytes in, where they have room.
  func take(body: UnsafeRawBufferPointer) -> Reception {
    if head.status == 304 { return .taken }
    guard let file else { return refuse(.nonsense) }
    guard body.count <= order.mostBytes - check.byteCount else { return refuse(.tooLarge(limit: order.mostBytes)) }
    guard body.count <= room - check.byteCount else {
      isHeld = true
      return .held
    }
    if let failure = check.take(body) { return refuse(failure) }
    do throws(RemoteFailure) {
      try file.write(body)
      return .taken
    } catch {
      store.noteFailure(of: file, now: BodyCalls.wallSeconds())
      return refuse(error)
    }
  }

  /// Gives room for more.
  ///
  /// - Parameter bytes: what may be taken in altogether.
  /// - Returns: whether bytes wait for it.
  func grant(_ bytes: Int) -> Bool {
    room = bytes
    guard isHeld else { return false }
    isHeld = false
    // Where it does not do for the bytes that wait, that is to be told again.
    told = TransferProgress()
    return true
  }

  /// How far the body has come, where that was not told yet.
  func takeProgress() -> TransferProgress? {
    guard file != nil else { return nil }
    let progress = TransferProgress(received: check.byteCount, expected: head.contentLength, isHeld: isHeld)
    guard progress != told else { return nil }
    told = progress
    return progress
  }

  /// How the try ended.
  ///
  /// - Parameter transport: why the transfer broke off, where it did.
  func ending(_ transport: RemoteFailure?) -> TransferEnding {
    if let failure { return .failed(failure) }
    if isAnsweredOtherwise {
      return .answered(
        status: head.status, location: head.location, retrySeconds: head.retrySeconds(now: BodyCalls.wallSeconds()))
    }
    if let transport {
      if hasRefusedAddress, !hasFitAddress, transport == .unreachable { return .failed(.privateAddress) }
      return .failed(transport == .stalled && !isConnected ? .unreachable : transport)
    }
    guard head.isComplete else { return .failed(.nonsense) }
    if head.status == 304 { return .complete }
    return check.finish().map { .failed($0) } ?? .complete
  }

  /// Gives the bytes to who keeps them.
  func takeFile() -> BodyFile? {
    defer { file = nil }
    return file
  }

  /// Takes away what has come.
  func discard() {
    if let file { store.discard(file) }
    file = nil
  }

  /// This machine's own numbers are near, also where everybody can ask them: it trusts itself.
  private func isNear(_ address: IPAddress) -> Bool { address.isNear || isOwn(address.translated) }

  private func stop(_ failure: RemoteFailure) -> Bool {
    self.failure = failure
    return false
  }

  private func refuse(_ failure: RemoteFailure) -> Reception {
    self.failure = failure
    return .refused
  }
}
