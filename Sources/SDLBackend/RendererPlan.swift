import Glibc

/// The choice of a renderer and its reason, made before any renderer is started.
///
/// Painting in memory is more than ten times as fast as OpenGL in software, and creating an OpenGL context to find out
/// adds some 140 ms to the launch. So cheap signs are checked first, and the context's device afterwards.
package nonisolated struct RendererPlan: Hashable {
  /// The renderer to start.
  package let driver: RendererDriver
  /// The reason for the choice, for display to users.
  package let reason: String
  /// Whether painting in memory replaces the renderer if it does not start or runs in software.
  package let allowsFallback: Bool

  /// Substrings of OpenGL's `GL_RENDERER` that identify software implementations.
  private static let softwareDevices = ["llvmpipe", "softpipe", "swrast", "software rasterizer", "swiftshader"]

  /// Chooses a renderer before anything is started.
  package init(preference: RendererPreference, isHeadless: Bool, hardware: GraphicsHardware) {
    switch preference {
    case .sdl: self.init(.sdl, "requested")
    case .memory: self.init(.memory, "requested")
    case .opengl: self.init(.opengl, "requested")
    case .opengles2: self.init(.opengles2, "requested")
    case .auto where isHeadless: self.init(.sdl, "no window", allowsFallback: true)
    case .auto:
      switch hardware {
      case .none(let sign): self.init(.memory, "no graphics hardware: \(sign)")
      case .likely(let sign): self.init(.opengl, "graphics hardware: \(sign)", allowsFallback: true)
      }
    }
  }

  /// Returns the plan that replaces this one after the renderer has started and reported its device, or nil to keep it.
  package func fallback(device: String?) -> RendererPlan? {
    guard allowsFallback, let device else { return nil }
    let name = device.lowercased()
    guard RendererPlan.softwareDevices.contains(where: name.contains) else { return nil }
    return RendererPlan(.memory, "OpenGL is software here: \(device)")
  }

  /// Returns the plan that replaces this one if the renderer does not start, or nil to give up.
  package func fallback(failure: String) -> RendererPlan? { allowsFallback ? successor(afterFailure: failure) : nil }

  /// Returns the plan that replaces this one if the renderer fails during a run, or nil if there is none.
  ///
  /// There is one even if the user chose the renderer.
  package func successor(afterFailure: String) -> RendererPlan? {
    driver == .memory ? nil : RendererPlan(.memory, "\(driver.title) failed: \(afterFailure)")
  }

  private init(_ driver: RendererDriver, _ reason: String, allowsFallback: Bool = false) {
    self.driver = driver
    self.reason = reason
    self.allowsFallback = allowsFallback
  }
}

/// A renderer, by its name in the option `--renderer`.
package nonisolated enum RendererDriver: String, CaseIterable {
  /// SDL's textures, drawn by SDL's software renderer.
  case sdl
  /// This package's painter, which draws in memory.
  case memory
  /// OpenGL, through `SDL_Renderer`.
  case opengl
  /// OpenGL ES 2, through `SDL_Renderer`.
  case opengles2

  /// SDL's name of the renderer, or nil for the painter in memory.
  package var sdlName: String? {
    switch self {
    case .sdl: "software"
    case .memory: nil
    case .opengl, .opengles2: rawValue
    }
  }

  /// The name for display to users.
  package var title: String {
    switch self {
    case .sdl: "SDL's software renderer"
    case .memory: "painting in memory"
    case .opengl: "OpenGL"
    case .opengles2: "OpenGL ES 2"
    }
  }
}

/// The user's choice of a renderer.
package nonisolated enum RendererPreference: String, CaseIterable, Hashable, Sendable {
  /// OpenGL on graphics hardware, painting in memory in a window without hardware, and SDL's software renderer without
  /// a window.
  case auto
  /// SDL's textures, drawn by SDL's software renderer.
  case sdl
  /// Painting in memory, which is the fastest renderer if OpenGL runs in software.
  case memory
  /// OpenGL on any device.
  case opengl
  /// OpenGL ES 2 on any device.
  case opengles2
}

/// An estimate of whether the machine has graphics hardware that the user may use, made in microseconds.
package nonisolated enum GraphicsHardware: Hashable {
  /// OpenGL would run in software, for this reason.
  case none(String)
  /// OpenGL probably runs on hardware, for this reason.
  case likely(String)

  /// Checks Mesa's environment variables and then the kernel's device files, using `getenv`, `opendir` and `access`.
  ///
  /// - Parameter folder: The folder of device files.
  package static func probe(devices folder: String = "/dev") -> GraphicsHardware {
    if isOn("LIBGL_ALWAYS_SOFTWARE") { return .none("LIBGL_ALWAYS_SOFTWARE is set") }
    var refused: String?
    for node in renderNodes(in: "\(folder)/dri").map({ "\(folder)/dri/\($0)" }) {
      if access(node, R_OK | W_OK) == 0 { return .likely(node) }
      refused = refused ?? node
    }
    for node in ["\(folder)/nvidiactl", "\(folder)/dxg"] where access(node, R_OK | W_OK) == 0 { return .likely(node) }
    return .none(refused.map { "\($0) may not be used" } ?? "no render node in \(folder)/dri")
  }

  private static func isOn(_ variable: String) -> Bool {
    guard let value = getenv(variable) else { return false }
    return !["", "0", "false", "no", "n"].contains(String(cString: value).lowercased())
  }

  private static func renderNodes(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name.hasPrefix("renderD") { names.append(name) }
    }
    return names.sorted()
  }
}
