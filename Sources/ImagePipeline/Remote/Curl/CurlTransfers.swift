import CCurl
import FramePacing
import Glibc

/// The one door to libcurl: transfers that run at once, on one thread.
///
/// It is told nothing of files, cookies, passwords of other programs, packings or the environment: it asks by HTTP for bytes as
/// they are, follows nothing, and hands over what comes as it comes.
final class CurlTransfers: @unchecked Sendable {
  // @unchecked: wake() calls a function that libcurl lets any thread call, as long as the handle lives, which is as long as
  // this object. All else is called by the transfers' thread alone, which is given this object and is joined or has ended
  // before the last other reference goes.
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

  /// Whether libcurl is there: made ready once for the program, which its functions of this version allow from any thread.
  private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  /// Makes a door without transfers.
  ///
  /// The C functions are `curl_global_init`, `curl_multi_init` and `curl_multi_wakeup`.
  init(_ settings: TransferSettings) throws(RemoteFailure) {
    guard CurlTransfers.isReady, let multi = curl_multi_init() else {
      throw .transport(Int32(CURLE_FAILED_INIT.rawValue))
    }
    // Without a descriptor to spare it is made all the same, and could not be woken, nor its thread be ended.
    guard curl_multi_wakeup(multi) == CURLM_OK else {
      curl_multi_cleanup(multi)
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
    curl_multi_cleanup(multi)
    curl_slist_free_all(resolvedHosts)
  }

  /// Makes ``wait(atMost:)`` return, now or when it is next called; from any thread.
  ///
  /// The C function is `curl_multi_wakeup`.
  func wake() { curl_multi_wakeup(multi) }

  /// Begins a try.
  ///
  /// The C functions are `curl_easy_init`, `curl_easy_setopt` and `curl_multi_add_handle`.
  func start(_ intake: TransferReceiver) throws(RemoteFailure) {
    guard let easy = curl_easy_init() else { throw .transport(Int32(CURLE_OUT_OF_MEMORY.rawValue)) }
    let headers = CurlTransfers.makeList(["Accept-Encoding: identity"] + intake.attempt.validator.headerLines)
    let proxy = proxies.proxy(for: intake.attempt.url)
    intake.setProxied(proxy != nil)
    var code = CurlTransfers.configure(easy, intake, headers, proxy: proxy ?? "", silentSeconds: stallSeconds)
    if code == CURLE_OK, let resolvedHosts { code = ccurl_set_pointer(easy, CURLOPT_RESOLVE, resolvedHosts) }
    if code == CURLE_OK, curl_multi_add_handle(multi, easy) != CURLM_OK { code = CURLE_FAILED_INIT }
    guard code == CURLE_OK else {
      curl_easy_cleanup(easy)
      curl_slist_free_all(headers)
      throw CurlTransfers.failure(code)
    }
    running[intake.attempt.number] = RunningTransfer(easy: easy, headers: headers, receiver: intake)
    numbers[easy] = intake.attempt.number
  }

  /// Leaves a try, whatever it is doing.
  ///
  /// The C functions are `curl_multi_remove_handle` and `curl_easy_cleanup`.
  func stop(_ number: UInt64) {
    guard let transfer = running.removeValue(forKey: number) else { return }
    numbers[transfer.easy] = nil
    curl_multi_remove_handle(multi, transfer.easy)
    curl_easy_cleanup(transfer.easy)
    curl_slist_free_all(transfer.headers)
  }

  /// Goes on with a try whose bytes were held; its intake is told of them before this returns.
  ///
  /// The C function is `curl_easy_pause`.
  /// - Throws: why it cannot go on, for instance as its intake has refused them; then it is to be ended.
  func resume(_ number: UInt64) throws(RemoteFailure) {
    guard let transfer = running[number] else { return }
    let code = curl_easy_pause(transfer.easy, CURLPAUSE_CONT)
    guard code == CURLE_OK else { throw CurlTransfers.failure(code) }
  }

  /// Sends and takes in what can be without waiting; intakes are told on the way.
  ///
  /// The C functions are `curl_multi_perform` and `curl_multi_info_read`.
  /// - Returns: the tries that have ended, with why they broke off, where they did.
  func perform() -> [(number: UInt64, failure: RemoteFailure?)] {
    var count: Int32 = 0
    curl_multi_perform(multi, &count)
    var ended: [(number: UInt64, failure: RemoteFailure?)] = []
    while let message = curl_multi_info_read(multi, &count) {
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

  /// Waits until there is something to do, but no longer than told, and for ever where nothing is told.
  ///
  /// The C function is `curl_multi_poll`.
  func wait(atMost limit: FrameDuration?) {
    let milliseconds = limit.map { Int32(clamping: max(0, $0.nanoseconds / 1_000_000 + 1)) } ?? .max
    curl_multi_poll(multi, nil, 0, milliseconds, nil)
  }

  private static func configure(
    _ easy: UnsafeMutableRawPointer, _ intake: TransferReceiver, _ headers: UnsafeMutablePointer<curl_slist>?,
    proxy: String, silentSeconds: Int
  ) -> CURLcode {
    // Kept by `running` for as long as the handle lives.
    let context = Unmanaged.passUnretained(intake).toOpaque()
    let numbers: [(CURLoption, Int)] = [
      (CURLOPT_NOSIGNAL, 1), (CURLOPT_NOPROGRESS, 1), (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_MAXREDIRS, 0),
      (CURLOPT_SSL_VERIFYPEER, 1), (CURLOPT_SSL_VERIFYHOST, 2), (CURLOPT_NETRC, 0), (CURLOPT_HTTP09_ALLOWED, 0),
      (CURLOPT_SUPPRESS_CONNECT_HEADERS, 1), (CURLOPT_CONNECTTIMEOUT_MS, 8_000),
      // A held answer would keep others of the same connection from coming.
      (CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)),
      // A byte a second is no download, whatever time there is.
      (CURLOPT_LOW_SPEED_LIMIT, 64), (CURLOPT_LOW_SPEED_TIME, silentSeconds),
      // Else to leave a try whose name is being looked up would wait for the name server.
      (CURLOPT_QUICK_EXIT, 1), (CURLOPT_BUFFERSIZE, 64 << 10),
    ]
    for (option, value) in numbers {
      let code = ccurl_set_long(easy, option, value)
      guard code == CURLE_OK else { return code }
    }
    let texts: [(CURLoption, String)] = [
      (CURLOPT_URL, intake.attempt.url.text), (CURLOPT_USERAGENT, "vitrine"), (CURLOPT_PROTOCOLS_STR, "http,https"),
      (CURLOPT_REDIR_PROTOCOLS_STR, "http,https"),
      // None where it is empty, nor exceptions: those of the environment have been heeded.
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
      ccurl_set_intake(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
        CurlTransfers.deliver(bytes, size * count, context) { $0.receive(line: $1) ? .accepted : .rejected }
      },
      ccurl_set_intake(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
        CurlTransfers.deliver(bytes, size * count, context) { $0.receive(body: $1) }
      },
      ccurl_set_before_request(easy) { context, address, _, _, _ in
        guard let context, let address else { return CURL_PREREQFUNC_ABORT }
        let intake = Unmanaged<TransferReceiver>.fromOpaque(context).takeUnretainedValue()
        return intake.allowsRequest(to: IPAddress(String(cString: address)))
          ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
      },
      ccurl_set_open_socket(easy) { context, _, address in CurlTransfers.openSocket(context, address) },
    ]
    return codes.first { $0 != CURLE_OK } ?? CURLE_OK
  }

  /// Makes a socket for an address that a name was found to lead to, where it may be asked.
  ///
  /// The C function is `socket`.
  private static func openSocket(
    _ context: UnsafeMutableRawPointer?, _ address: UnsafeMutablePointer<curl_sockaddr>?
  ) -> curl_socket_t {
    guard let context, let address, let place = MemoryLayout<curl_sockaddr>.offset(of: \.addr) else { return -1 }
    let intake = Unmanaged<TransferReceiver>.fromOpaque(context).takeUnretainedValue()
    // Longer than the type says, as the family has it.
    guard intake.allowsConnection(to: IPAddress(UnsafeRawPointer(address) + place)) else { return -1 }
    let given = address.pointee
    return socket(given.family, given.socktype | Int32(SOCK_CLOEXEC.rawValue), given.protocol)
  }

  private static func makeList(_ lines: [String]) -> UnsafeMutablePointer<curl_slist>? {
    var list: UnsafeMutablePointer<curl_slist>?
    for line in lines {
      guard let longer = curl_slist_append(list, line) else { continue }
      list = longer
    }
    return list
  }

  /// Hands bytes to an intake: as many taken as there are, or a number that holds or ends the transfer.
  private static func deliver(
    _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
    _ take: (TransferReceiver, UnsafeRawBufferPointer) -> TransferReceiver.ReceiveResult
  ) -> Int {
    guard let context else { return Int(CURL_WRITEFUNC_ERROR) }
    let intake = Unmanaged<TransferReceiver>.fromOpaque(context).takeUnretainedValue()
    switch take(intake, UnsafeRawBufferPointer(start: bytes, count: count)) {
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
      .untrusted(String(cString: curl_easy_strerror(code)))
    case CURLE_URL_MALFORMAT: .badAddress
    // The first is said of an answer without a head, as of before HTTP 1.0.
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_HTTP2,
      CURLE_HTTP2_STREAM:
      .malformedResponse
    default: .transport(Int32(code.rawValue))
    }
  }
}
