import CVitrineXCB
import Glibc

/// An owner of a connection to the X server.
///
/// It is separate from SDL's, because the events of a connection have one reader.
nonisolated struct XCBConnection: ~Copyable {
  /// The connection, for requests of this target only.
  let pointer: OpaquePointer

  /// Connects to the display of the environment, or returns nil.
  ///
  /// The C functions are `xcb_connect` and `xcb_connection_has_error`.
  init?() {
    guard let connection = xcb_connect(nil, nil) else { return nil }
    guard xcb_connection_has_error(connection) == 0 else {
      xcb_disconnect(connection)
      return nil
    }
    pointer = connection
  }

  deinit { xcb_disconnect(pointer) }

  /// The number of the first event of the shared memory extension, or nil if the server lacks version 1.2, which
  /// accepts file descriptors.
  ///
  /// The C functions are `xcb_get_extension_data` and `xcb_shm_query_version`.
  var sharedMemoryEvents: UInt8? {
    guard let data = cxcb_shared_memory(pointer), data.pointee.present != 0,
      let version = xcb_shm_query_version_reply(pointer, xcb_shm_query_version(pointer), nil)
    else { return nil }
    defer { free(version) }
    let (major, minor) = (version.pointee.major_version, version.pointee.minor_version)
    return (major, minor) >= (1, 2) ? data.pointee.first_event : nil
  }

  /// Returns the depth of a window in bits, or nil if its pixels are not four bytes in the order blue, green, red.
  ///
  /// The C functions are `xcb_get_geometry`, `xcb_get_window_attributes` and those that read `xcb_get_setup`.
  func depth(ofXRGBWindow window: UInt32) -> UInt8? {
    guard let setup = xcb_get_setup(pointer), setup.pointee.image_byte_order == 0,
      let geometry = xcb_get_geometry_reply(pointer, xcb_get_geometry(pointer, window), nil)
    else { return nil }
    defer { free(geometry) }
    guard
      let attributes = xcb_get_window_attributes_reply(pointer, xcb_get_window_attributes(pointer, window), nil)
    else { return nil }
    defer { free(attributes) }
    let depth = geometry.pointee.depth
    let has32BitPixels = XCBConnection.formats(setup).contains {
      $0.depth == depth && $0.bits_per_pixel == 32 && $0.scanline_pad <= 32
    }
    return has32BitPixels && XCBConnection.isXRGB(attributes.pointee.visual, setup) ? depth : nil
  }

  /// Sets the title of a window in UTF-8, which takes precedence over the one in the encoding of the locale.
  ///
  /// The method waits until the server has done it: a busy server drops what it has not read of a connection that was
  /// closed. The C functions are `xcb_intern_atom`, `xcb_change_property_checked` and `xcb_request_check`.
  func setTitle(_ title: String, of window: UInt32) {
    guard let name = atom("_NET_WM_NAME"), let type = atom("UTF8_STRING") else { return }
    var title = title
    let request = title.withUTF8 { bytes in
      xcb_change_property_checked(
        pointer, UInt8(XCB_PROP_MODE_REPLACE.rawValue), window, name, type, 8, UInt32(bytes.count), bytes.baseAddress)
    }
    if let error = xcb_request_check(pointer, request) { free(error) }
  }

  private func atom(_ name: String) -> xcb_atom_t? {
    guard let reply = xcb_intern_atom_reply(pointer, xcb_intern_atom(pointer, 0, UInt16(name.utf8.count), name), nil)
    else { return nil }
    defer { free(reply) }
    return reply.pointee.atom
  }

  /// The desktop's resources for all programs, one a line, or nil if there are none.
  ///
  /// The C functions are `xcb_get_property` and those that read `xcb_get_setup`.
  var resourceDatabase: String? {
    // 64 KiB in words of four bytes. The resolution is never beyond that.
    let longest: UInt32 = 16_384
    guard let setup = xcb_get_setup(pointer), let screen = xcb_setup_roots_iterator(setup).data,
      let reply = xcb_get_property_reply(
        pointer,
        xcb_get_property(
          pointer, 0, screen.pointee.root, XCB_ATOM_RESOURCE_MANAGER.rawValue, XCB_ATOM_STRING.rawValue, 0, longest),
        nil)
    else { return nil }
    defer { free(reply) }
    let count = Int(xcb_get_property_value_length(reply))
    guard count > 0, let value = xcb_get_property_value(reply) else { return nil }
    return String(decoding: UnsafeRawBufferPointer(start: value, count: count), as: UTF8.self)
  }

  private static func formats(_ setup: UnsafePointer<xcb_setup_t>) -> UnsafeBufferPointer<xcb_format_t> {
    UnsafeBufferPointer(start: xcb_setup_pixmap_formats(setup), count: Int(xcb_setup_pixmap_formats_length(setup)))
  }

  /// Whether pixels of a visual are colours, either directly or by a colour map that SDL fills with the same values.
  private static func isColorVisual(_ visualClass: UInt8) -> Bool {
    visualClass == UInt8(XCB_VISUAL_CLASS_TRUE_COLOR.rawValue)
      || visualClass == UInt8(XCB_VISUAL_CLASS_DIRECT_COLOR.rawValue)
  }

  /// Whether a visual has its red, green and blue bits where `XRGB8888` has them.
  private static func isXRGB(_ visual: UInt32, _ setup: UnsafePointer<xcb_setup_t>) -> Bool {
    var screens = xcb_setup_roots_iterator(setup)
    while screens.rem > 0 {
      var depths = xcb_screen_allowed_depths_iterator(screens.data)
      while depths.rem > 0 {
        var visuals = xcb_depth_visuals_iterator(depths.data)
        while visuals.rem > 0 {
          if let type = visuals.data?.pointee, type.visual_id == visual {
            return isColorVisual(type._class) && type.red_mask == 0xFF_0000
              && type.green_mask == 0xFF00 && type.blue_mask == 0xFF
          }
          xcb_visualtype_next(&visuals)
        }
        xcb_depth_next(&depths)
      }
      xcb_screen_next(&screens)
    }
    return false
  }
}

/// The handling of X server errors.
///
/// By default, Xlib ends the program on the first error. SDL sends itself wake-ups over a second connection. If the
/// user closes the window and the server handles the first connection sooner, the wake-up fails because the window no
/// longer exists, and the program would end with an error. No request of a gallery is worth that, so errors are
/// ignored, as in other toolkits.
nonisolated enum XErrorHandler {
  private typealias Handler = @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Int32
  private typealias SetHandler = @convention(c) (Handler?) -> Handler?

  /// Ignores errors of single requests from now on.
  ///
  /// Does nothing if SDL has not loaded Xlib.
  ///
  /// The C functions are `dlopen`, `dlsym` and `XSetErrorHandler`. SDL sets its own handler around requests that it
  /// expects to fail and restores this one. The loss of the connection still ends the program.
  static func ignoreErrors() {
    guard let library = dlopen("libX11.so.6", RTLD_LAZY | RTLD_NOLOAD) else { return }
    defer { dlclose(library) }
    guard let symbol = dlsym(library, "XSetErrorHandler") else { return }
    _ = unsafeBitCast(symbol, to: SetHandler.self)({ _, _ in 0 })
  }
}
