import CXCB
import Geometry
import Glibc
import Rendering

/// Shows pixels by having the X server read them from memory that both share, while the program goes on.
///
/// The server says when it has read a frame; until then nothing is drawn. Between two frames there is time for that, so
/// that hardly ever anybody waits.
nonisolated final class SharedMemoryPresenter: FramePresenter {
  private let window: WindowReference
  private let xWindow: UInt32
  private let depth: UInt8
  /// The event that says that pixels have been read.
  private let completionEvent: UInt8
  private let context: UInt32
  private var connection: XCBConnection?
  private var segment: UInt32?
  private var pendingRead = PendingRead()
  private(set) var hasFailed = false

  /// Connects to the X server that shows a window; nothing where there is none, or one without the extension, or one that has
  /// its pixels in an uncommon order.
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

  /// The C functions are `xcb_shm_attach_fd`, which a server on another machine refuses, `xcb_request_check` and
  /// `xcb_shm_detach`.
  func setCanvas(_ canvas: Canvas) throws(DisplayError) {
    let action = "share memory with the X server"
    waitUntilRead()
    guard let connection = connection?.pointer else { throw DisplayError(action: action, reason: "it is closed") }
    if let segment { xcb_shm_detach(connection, segment) }
    segment = nil
    // The connection closes what it sends.
    let descriptor = fcntl(canvas.descriptor, F_DUPFD_CLOEXEC, 0)
    guard descriptor >= 0 else { throw DisplayError(action: action, reason: String(cString: strerror(errno))) }
    let name = xcb_generate_id(connection)
    let request = xcb_shm_attach_fd_checked(connection, name, descriptor, 1)
    if let error = xcb_request_check(connection, request) {
      let code = error.pointee.error_code
      free(error)
      throw DisplayError(action: action, reason: "it answered with error \(code)")
    }
    // A request that could not be sent is not answered.
    guard xcb_connection_has_error(connection) == 0 else {
      throw DisplayError(action: action, reason: "the connection was lost")
    }
    segment = name
  }

  /// The C functions are `xcb_poll_for_event` and `xcb_wait_for_event`.
  func waitUntilRead() {
    guard let connection = connection?.pointer else { return }
    while pendingRead.isReading {
      guard let event = xcb_poll_for_event(connection) ?? xcb_wait_for_event(connection) else {
        pendingRead.end()
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

  /// The C functions are `xcb_shm_put_image`, once for each stretch of the canvas's ring, and `xcb_flush`.
  func show(_ parts: UnsafeBufferPointer<PixelRect>, of canvas: Canvas) -> Bool {
    guard let connection = connection?.pointer, let segment, !hasFailed else { return false }
    let (width, rowCount) = (UInt16(canvas.bytesPerRow / 4), UInt16(canvas.ring.rowCount))
    var last: (part: PixelRect, first: Int, place: Int, count: Int)?
    func putImage(_ piece: (part: PixelRect, first: Int, place: Int, count: Int), isLast: Bool) {
      let cookie = xcb_shm_put_image(
        connection, xWindow, context, width, rowCount, UInt16(piece.part.x), UInt16(piece.place),
        UInt16(piece.part.width), UInt16(piece.count), Int16(piece.part.x), Int16(piece.first), depth,
        UInt8(XCB_IMAGE_FORMAT_Z_PIXMAP.rawValue), isLast ? 1 : 0, segment, 0)
      if isLast { pendingRead.begin(cookie.sequence) }
    }
    for part in parts where !part.isEmpty {
      canvas.ring.forEachRun(of: Int(part.y)..<Int(part.maxY)) { first, place, count in
        if let earlier = last { putImage(earlier, isLast: false) }
        last = (part, first, place, count)
      }
    }
    guard let last else { return true }
    putImage(last, isLast: true)
    return xcb_flush(connection) > 0
  }

  func close() {
    segment = nil
    pendingRead.end()
    connection = nil
  }
}
