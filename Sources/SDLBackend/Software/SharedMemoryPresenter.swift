import CVitrineXCB
import Glibc
import VitrineGeometry
import VitrineRendering

/// A presenter that shares memory with the X server, which reads the pixels while the program continues.
///
/// The server sends an event when it has read a frame, and nothing is drawn before. The time between two frames is
/// usually sufficient, so drawing hardly ever waits.
nonisolated final class SharedMemoryPresenter: FramePresenter {
  private let window: WindowReference
  private let xWindow: UInt32
  private let depth: UInt8
  /// The type of the event that reports that pixels were read.
  private let completionEvent: UInt8
  private let context: UInt32
  private var connection: XCBConnection?
  private var segment: UInt32?
  private var pendingRead = PendingRead()
  private(set) var hasFailed = false

  /// Connects to the X server of a window.
  ///
  /// Returns nil if there is none, if it lacks the extension, or if its pixel order is uncommon.
  ///
  /// The C functions are `xcb_generate_id` and `xcb_create_gc`.
  init?(window: WindowReference) {
    guard let xWindow = window.xWindow, let connection = XCBConnection(), let event = connection.sharedMemoryEvents,
      let depth = connection.depth(ofXRGBWindow: xWindow)
    else { return nil }
    self.window = window
    self.xWindow = xWindow
    self.depth = depth
    completionEvent = event + UInt8(XCB_SHM_COMPLETION)
    context = xcb_generate_id(connection.pointer)
    xcb_create_gc(connection.pointer, context, xWindow, 0, nil)
    self.connection = consume connection
  }

  var outputSize: PixelRect { window.pixelExtent }

  /// Attaches the memory of a canvas and detaches that of the former one.
  ///
  /// The C functions are `xcb_shm_attach_fd`, which a server on another machine refuses, `xcb_request_check` and
  /// `xcb_shm_detach`.
  func setCanvas(_ canvas: Canvas) throws(DisplayError) {
    let action = "share memory with the X server"
    waitUntilRead()
    guard let connection = connection?.pointer else { throw DisplayError(action: action, reason: "it is closed") }
    if let segment { xcb_shm_detach(connection, segment) }
    segment = nil
    // The connection closes the descriptors that it sends.
    let descriptor = fcntl(canvas.descriptor, F_DUPFD_CLOEXEC, 0)
    guard descriptor >= 0 else { throw DisplayError(action: action, reason: String(cString: strerror(errno))) }
    let name = xcb_generate_id(connection)
    let request = xcb_shm_attach_fd_checked(connection, name, descriptor, 1)
    if let error = xcb_request_check(connection, request) {
      let code = error.pointee.error_code
      free(error)
      throw DisplayError(action: action, reason: "it answered with error \(code)")
    }
    // A request that could not be sent gets no reply.
    guard xcb_connection_has_error(connection) == 0 else {
      throw DisplayError(action: action, reason: "the connection was lost")
    }
    segment = name
  }

  /// Waits for the server's event, using `xcb_poll_for_event` and `xcb_wait_for_event`.
  func waitUntilRead() {
    guard let connection = connection?.pointer else { return }
    while pendingRead.isReading {
      guard let event = xcb_poll_for_event(connection) ?? xcb_wait_for_event(connection) else {
        pendingRead.discardRequest()
        hasFailed = true
        return
      }
      let kind = event.pointee.response_type & 0x7F
      let answer = pendingRead.handleEvent(
        isError: kind == 0, isCompletion: kind == completionEvent, request: event.pointee.full_sequence)
      if answer == .refused { hasFailed = true }
      free(event)
    }
  }

  /// Requests the server to read rectangles, using `xcb_shm_put_image` for each run of the ring, and `xcb_flush`.
  func show(_ parts: UnsafeBufferPointer<PixelRect>, of canvas: Canvas) -> Bool {
    guard let connection = connection?.pointer, let segment, !hasFailed else { return false }
    let (width, rowCount) = (UInt16(canvas.bytesPerRow / 4), UInt16(canvas.ring.rowCount))
    var last: (part: PixelRect, first: Int, ringRow: Int, count: Int)?
    func putImage(_ piece: (part: PixelRect, first: Int, ringRow: Int, count: Int), isLast: Bool) {
      let cookie = xcb_shm_put_image(
        connection, xWindow, context, width, rowCount, UInt16(piece.part.x), UInt16(piece.ringRow),
        UInt16(piece.part.width), UInt16(piece.count), Int16(piece.part.x), Int16(piece.first), depth,
        UInt8(XCB_IMAGE_FORMAT_Z_PIXMAP.rawValue), isLast ? 1 : 0, segment, 0)
      if isLast { pendingRead.recordRequest(cookie.sequence) }
    }
    for part in parts where !part.isEmpty {
      canvas.ring.forEachRun(of: Int(part.y)..<Int(part.maxY)) { first, ringRow, count in
        if let earlier = last { putImage(earlier, isLast: false) }
        last = (part, first, ringRow, count)
      }
    }
    guard let last else { return true }
    putImage(last, isLast: true)
    return xcb_flush(connection) > 0
  }

  func close() {
    segment = nil
    pendingRead.discardRequest()
    connection = nil
  }
}

/// The state of requests to read shared memory, until the X server has executed them.
///
/// Requests have increasing numbers, modulo 2^32. The server reports the completion of a frame's last request with an
/// event, and a failure of any request with an error.
package nonisolated struct PendingRead: Hashable {
  /// The effect of an event.
  package enum Outcome: Hashable {
    /// The event is irrelevant.
    case none
    /// All requests were executed.
    case read
    /// A request failed, so that the frame was not shown.
    case refused
  }

  private var awaitedRequest: UInt32?

  /// Creates a state without requests.
  package init() {}

  /// Whether the server may be reading the memory.
  package var isReading: Bool { awaitedRequest != nil }

  /// Records the number of a frame's last request.
  package mutating func recordRequest(_ request: UInt32) { awaitedRequest = request }

  /// Discards the request, because no reply will arrive.
  package mutating func discardRequest() { awaitedRequest = nil }

  /// Handles an event.
  ///
  /// - Parameters:
  ///   - isError: Whether the event is an error.
  ///   - isCompletion: Whether the event reports that memory was read.
  ///   - request: The number of the last request that the server executed.
  /// - Returns: The effect of the event.
  package mutating func handleEvent(isError: Bool, isCompletion: Bool, request: UInt32) -> Outcome {
    guard let awaitedRequest, isError || isCompletion else { return .none }
    let isLast = Int32(bitPattern: request &- awaitedRequest) >= 0
    if isLast { self.awaitedRequest = nil }
    if isError { return .refused }
    return isLast ? .read : .none
  }
}
