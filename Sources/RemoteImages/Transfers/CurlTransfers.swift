import CVitrineCurl
import Glibc
import VitrineFramePacing

/// Concurrent HTTP transfers by libcurl, on one thread.
///
/// Transfers use no files, cookies, `.netrc` credentials, content encodings or environment variables, and follow no
/// redirects. Received bytes are passed to a `TransferReceiver` as they arrive.
final class CurlTransfers: @unchecked Sendable {
  // @unchecked: `wake()` calls a function that libcurl allows on any thread while the handle exists, which is as long
  // as this object. All other methods are called on the transfers' thread only, which owns a reference and has ended
  // before the last other reference is released.
  private struct RunningTransfer {
    let easy: UnsafeMutableRawPointer
    let headers: UnsafeMutablePointer<curl_slist>?
    let receiver: TransferReceiver
  }

  private let multi: UnsafeMutableRawPointer
  private let proxies: ProxyRules
  private let stallSeconds: Int
  private let resolvedHosts: UnsafeMutablePointer<curl_slist>?
  private var running: [UInt64: RunningTransfer] = [:]
  private var numbers: [UnsafeMutableRawPointer: UInt64] = [:]

  /// Whether libcurl is initialized.
  ///
  /// It is initialized once per process. This version allows that on any thread.
  private static let isReady = ccurl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  /// Creates an object without transfers.
  ///
  /// The C functions are `curl_global_init`, `curl_multi_init` and `curl_multi_wakeup`.
  init(_ settings: TransferSettings) throws(RemoteFailure) {
    guard CurlURL.isAvailable else { throw .libraryMissing }
    guard CurlTransfers.isReady, let multi = ccurl_multi_init() else {
      throw .transport(Int32(CURLE_FAILED_INIT.rawValue))
    }
    // If no descriptor is available, `curl_multi_init` succeeds, but the handle cannot be woken and its thread could
    // not be stopped.
    guard ccurl_multi_wakeup(multi) == CURLM_OK else {
      ccurl_multi_cleanup(multi)
      throw .transport(Int32(CURLE_FAILED_INIT.rawValue))
    }
    self.multi = multi
    proxies = settings.proxies
    stallSeconds = max(1, Int(min(settings.stallTimeout.seconds.rounded(.up), 1_000_000)))
    resolvedHosts = CurlTransfers.makeList(settings.resolvedHosts)
    _ = ccurl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, settings.connectionsPerHost)
    _ = ccurl_multi_set_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, settings.connections)
    _ = ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, settings.connections)
  }

  deinit {
    for number in running.keys.sorted() { stop(number) }
    ccurl_multi_cleanup(multi)
    ccurl_slist_free_all(resolvedHosts)
  }

  /// Makes the current or next call of ``wait(atMost:)`` return, from any thread.
  ///
  /// The C function is `curl_multi_wakeup`.
  func wake() { ccurl_multi_wakeup(multi) }

  /// Starts an attempt.
  ///
  /// The C functions are `curl_easy_init`, `curl_easy_setopt` and `curl_multi_add_handle`.
  func start(_ receiver: TransferReceiver) throws(RemoteFailure) {
    guard let easy = ccurl_easy_init() else { throw .transport(Int32(CURLE_OUT_OF_MEMORY.rawValue)) }
    let headers = CurlTransfers.makeList(["Accept-Encoding: identity"] + receiver.attempt.validator.headerLines)
    let proxy = proxies.proxy(for: receiver.attempt.url)
    receiver.setProxied(proxy != nil)
    var code = CurlTransfers.configure(easy, receiver, headers, proxy: proxy ?? "", stallSeconds: stallSeconds)
    if code == CURLE_OK, let resolvedHosts { code = ccurl_set_pointer(easy, CURLOPT_RESOLVE, resolvedHosts) }
    if code == CURLE_OK, ccurl_multi_add_handle(multi, easy) != CURLM_OK { code = CURLE_FAILED_INIT }
    guard code == CURLE_OK else {
      ccurl_easy_cleanup(easy)
      ccurl_slist_free_all(headers)
      throw CurlTransfers.failure(code)
    }
    running[receiver.attempt.number] = RunningTransfer(easy: easy, headers: headers, receiver: receiver)
    numbers[easy] = receiver.attempt.number
  }

  /// Stops an attempt in any state.
  ///
  /// The C functions are `curl_multi_remove_handle` and `curl_easy_cleanup`.
  func stop(_ number: UInt64) {
    guard let transfer = running.removeValue(forKey: number) else { return }
    numbers[transfer.easy] = nil
    ccurl_multi_remove_handle(multi, transfer.easy)
    ccurl_easy_cleanup(transfer.easy)
    ccurl_slist_free_all(transfer.headers)
  }

  /// Resumes a paused attempt.
  ///
  /// Its receiver gets the waiting bytes before this method returns. The C function is `curl_easy_pause`.
  /// - Throws: The failure of the attempt, for instance because its receiver rejected the bytes. The attempt must then
  ///   be stopped.
  func resume(_ number: UInt64) throws(RemoteFailure) {
    guard let transfer = running[number] else { return }
    let code = ccurl_easy_pause(transfer.easy, CURLPAUSE_CONT)
    guard code == CURLE_OK else { throw CurlTransfers.failure(code) }
  }

  /// Sends and receives without blocking, and passes received bytes to the receivers.
  ///
  /// The C functions are `curl_multi_perform` and `curl_multi_info_read`.
  /// - Returns: The attempts that have ended, with their failures or nil.
  func perform() -> [(number: UInt64, failure: RemoteFailure?)] {
    var count: Int32 = 0
    ccurl_multi_perform(multi, &count)
    var ended: [(number: UInt64, failure: RemoteFailure?)] = []
    while let message = ccurl_multi_info_read(multi, &count) {
      guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle, let number = numbers[easy]
      else {
        continue
      }
      let code = ccurl_result(message)
      ended.append((number, code == CURLE_OK ? nil : CurlTransfers.failure(code)))
    }
    for (number, _) in ended { stop(number) }
    return ended
  }

  /// Waits until there is something to do or the time has passed; nil waits indefinitely.
  ///
  /// The C function is `curl_multi_poll`.
  func wait(atMost limit: FrameDuration?) {
    let milliseconds = limit.map { Int32(clamping: max(0, $0.nanoseconds / 1_000_000 + 1)) } ?? .max
    ccurl_multi_poll(multi, milliseconds)
  }

  // MARK: - Configuration

  private static func configure(
    _ easy: UnsafeMutableRawPointer, _ receiver: TransferReceiver, _ headers: UnsafeMutablePointer<curl_slist>?,
    proxy: String, stallSeconds: Int
  ) -> CURLcode {
    // Retained by `running` while the handle exists.
    let context = Unmanaged.passUnretained(receiver).toOpaque()
    let numbers: [(CURLoption, Int)] = [
      (CURLOPT_NOSIGNAL, 1), (CURLOPT_NOPROGRESS, 1), (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_MAXREDIRS, 0),
      (CURLOPT_SSL_VERIFYPEER, 1), (CURLOPT_SSL_VERIFYHOST, 2), (CURLOPT_NETRC, 0), (CURLOPT_HTTP09_ALLOWED, 0),
      (CURLOPT_SUPPRESS_CONNECT_HEADERS, 1), (CURLOPT_CONNECTTIMEOUT_MS, 8_000),
      // With HTTP/2, a paused response would block the others of its connection.
      (CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)),
      // Fails transfers that are practically stalled, before their total time ends.
      (CURLOPT_LOW_SPEED_LIMIT, 64), (CURLOPT_LOW_SPEED_TIME, stallSeconds),
      // Otherwise stopping an attempt would wait for its name lookup.
      (CURLOPT_QUICK_EXIT, 1), (CURLOPT_BUFFERSIZE, 64 << 10),
    ]
    for (option, value) in numbers {
      let code = ccurl_set_long(easy, option, value)
      guard code == CURLE_OK else { return code }
    }
    let texts: [(CURLoption, String)] = [
      (CURLOPT_URL, receiver.attempt.url.text), (CURLOPT_USERAGENT, "vitrine"), (CURLOPT_PROTOCOLS_STR, "http,https"),
      (CURLOPT_REDIR_PROTOCOLS_STR, "http,https"),
      // An empty text means no proxy and no exceptions. The environment's rules are already applied.
      (CURLOPT_PROXY, proxy), (CURLOPT_NOPROXY, ""),
    ]
    for (option, value) in texts {
      let code = ccurl_set_text(easy, option, value)
      guard code == CURLE_OK else { return code }
    }
    let codes = [
      ccurl_set_pointer(easy, CURLOPT_HTTPHEADER, headers),
      ccurl_set_pointer(easy, CURLOPT_HEADERDATA, context), ccurl_set_pointer(easy, CURLOPT_WRITEDATA, context),
      ccurl_set_pointer(easy, CURLOPT_PREREQDATA, context), ccurl_set_pointer(easy, CURLOPT_OPENSOCKETDATA, context),
      ccurl_set_write_callback(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
        CurlTransfers.deliver(bytes, size * count, context) { $0.receive(line: $1) ? .accepted : .rejected }
      },
      ccurl_set_write_callback(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
        CurlTransfers.deliver(bytes, size * count, context) { $0.receive(body: $1) }
      },
      ccurl_set_before_request(easy) { context, address, _, _, _ in
        guard let context, let address else { return CURL_PREREQFUNC_ABORT }
        let receiver = Unmanaged<TransferReceiver>.fromOpaque(context).takeUnretainedValue()
        return receiver.allowsRequest(to: IPAddress(String(cString: address)))
          ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
      },
      ccurl_set_open_socket(easy) { context, _, address in CurlTransfers.openSocket(context, address) },
    ]
    return codes.first { $0 != CURLE_OK } ?? CURLE_OK
  }

  // MARK: - Callbacks

  /// Creates a socket for an address of the server if the receiver allows it.
  ///
  /// The C function is `socket`.
  private static func openSocket(
    _ context: UnsafeMutableRawPointer?, _ address: UnsafeMutablePointer<curl_sockaddr>?
  ) -> curl_socket_t {
    guard let context, let address, let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) else { return -1 }
    let receiver = Unmanaged<TransferReceiver>.fromOpaque(context).takeUnretainedValue()
    // The address is longer than its declared type, depending on the family.
    guard receiver.allowsConnection(to: IPAddress(UnsafeRawPointer(address) + offset)) else { return -1 }
    let parameters = address.pointee
    return socket(parameters.family, parameters.socktype | Int32(SOCK_CLOEXEC.rawValue), parameters.protocol)
  }

  private static func makeList(_ lines: [String]) -> UnsafeMutablePointer<curl_slist>? {
    var list: UnsafeMutablePointer<curl_slist>?
    for line in lines {
      guard let longer = ccurl_slist_append(list, line) else { continue }
      list = longer
    }
    return list
  }

  /// Passes bytes to a receiver, and returns their count or libcurl's code to pause or fail the transfer.
  private static func deliver(
    _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
    _ receive: (TransferReceiver, UnsafeRawBufferPointer) -> TransferReceiver.ReceiveResult
  ) -> Int {
    guard let context else { return Int(CURL_WRITEFUNC_ERROR) }
    let receiver = Unmanaged<TransferReceiver>.fromOpaque(context).takeUnretainedValue()
    switch receive(receiver, UnsafeRawBufferPointer(start: bytes, count: count)) {
    case .accepted: return count
    case .paused: return Int(CURL_WRITEFUNC_PAUSE)
    case .rejected: return Int(CURL_WRITEFUNC_ERROR)
    }
  }

  private static func failure(_ code: CURLcode) -> RemoteFailure {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .unknownHost
    case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED: .unreachable
    case CURLE_OPERATION_TIMEDOUT: .stalled
    case CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING: .connectionLost
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM,
      CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH:
      .untrusted(String(cString: ccurl_easy_strerror(code)))
    case CURLE_URL_MALFORMAT: .badAddress
    // The first is libcurl's error for a response without a head, as in HTTP 0.9.
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_HTTP2,
      CURLE_HTTP2_STREAM:
      .malformedResponse
    default: .transport(Int32(code.rawValue))
    }
  }
}
