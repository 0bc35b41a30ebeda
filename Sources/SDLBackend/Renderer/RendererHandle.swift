import CVitrineSDL2
import VitrineGeometry
import VitrinePainting
import VitrineRendering

/// An owner of an `SDL_Renderer`, which must outlive its textures and be destroyed before its window.
nonisolated struct RendererHandle: ~Copyable {
  /// The renderer, for this target's textures only.
  let pointer: OpaquePointer
  /// SDL's name of the renderer, such as `opengl`.
  let name: String

  /// Creates a renderer with `SDL_CreateRenderer`.
  ///
  /// Hardware renderers are created with vertical synchronisation. SDL's software renderer is not, as it reports
  /// synchronisation but does not do it.
  /// - Throws: ``DisplayError`` if SDL lacks the renderer or it does not start.
  init(_ driver: RendererDriver, window: borrowing WindowHandle) throws(DisplayError) {
    let driverName = driver.sdlName ?? driver.rawValue
    guard let index = RendererHandle.driverIndex(of: driverName) else {
      throw DisplayError(action: "start the \(driverName) renderer", reason: "this SDL was built without it")
    }
    // By default, SDL batches draw calls only for a renderer that it has chosen itself.
    SDL_SetHintWithPriority(SDL_HINT_RENDER_BATCHING, "1", SDL_HINT_OVERRIDE)
    let flags =
      driver == .sdl
      ? SDL_RENDERER_SOFTWARE.rawValue
      : SDL_RENDERER_ACCELERATED.rawValue | SDL_RENDERER_PRESENTVSYNC.rawValue
    guard let renderer = SDL_CreateRenderer(window.pointer, index, flags) else {
      throw DisplayError.fromSDL("start the \(driverName) renderer")
    }
    pointer = renderer
    name = driverName
  }

  deinit { SDL_DestroyRenderer(pointer) }

  /// The output size in pixels, from `SDL_GetRendererOutputSize`.
  var outputSize: PixelRect {
    var width: Int32 = 0
    var height: Int32 = 0
    guard SDL_GetRendererOutputSize(pointer, &width, &height) == 0 else { return .zero }
    return PixelRect(x: 0, y: 0, width: max(0, width), height: max(0, height))
  }

  /// The device that OpenGL runs on, such as `llvmpipe (LLVM 15.0.6, 256 bits)`, or nil for other renderers.
  ///
  /// The C functions are `SDL_GL_GetProcAddress` and `glGetString(GL_RENDERER)`.
  var openGLDevice: String? {
    guard name.hasPrefix("opengl"), let address = SDL_GL_GetProcAddress("glGetString") else { return nil }
    typealias GetString = @convention(c) (UInt32) -> UnsafePointer<CChar>?
    let glGetString = unsafeBitCast(address, to: GetString.self)
    return glGetString(0x1F01).map { String(cString: $0) }
  }

  /// Whether the renderer supports textures of a size, from `SDL_GetRendererInfo`, where 0 means no limit.
  func supportsTexture(of size: PixelSize) -> Bool {
    var info = SDL_RendererInfo()
    guard SDL_GetRendererInfo(pointer, &info) == 0 else { return false }
    func fits(_ length: Int, _ maximum: Int32) -> Bool { maximum <= 0 || length <= Int(maximum) }
    return fits(size.width, info.max_texture_width) && fits(size.height, info.max_texture_height)
  }

  /// Shows the frame that was drawn last.
  ///
  /// The C functions are `SDL_RenderPresent`, which returns no status, and `SDL_GetError`.
  /// - Returns: The error that SDL reported, or nil.
  func present() -> DisplayError? {
    SDL_ClearError()
    SDL_RenderPresent(pointer)
    return SDL_GetError().pointee == 0 ? nil : DisplayError.fromSDL("show what was drawn")
  }

  /// Returns the pixels of the frame that was drawn last, using `SDL_RenderReadPixels`.
  /// - Throws: ``DisplayError`` if the window has no pixels, if the system has no memory, or if the renderer refuses.
  func readPixels() throws(DisplayError) -> Bitmap {
    let action = "read pixels"
    let output = outputSize
    guard let size = PixelSize(width: Int(output.width), height: Int(output.height)) else {
      throw DisplayError(action: action, reason: "the window is \(output.width) x \(output.height) pixels")
    }
    SDL_RenderSetClipRect(pointer, nil)
    do {
      return try Bitmap(size: size, isOpaque: true) { pixels in
        let status = SDL_RenderReadPixels(
          pointer, nil, SDL_PIXELFORMAT_RGBA32.rawValue, pixels.baseAddress, Int32(size.width * 4))
        guard status == 0 else { throw DisplayError.fromSDL(action) }
        // A window may lack an alpha channel. The contents of a screen are opaque.
        for alpha in stride(from: 3, to: pixels.count, by: 4) { pixels[alpha] = 255 }
      }
    } catch let error as DisplayError {
      throw error
    } catch {
      throw DisplayError(action: action, reason: "\(error)")
    }
  }

  private static func driverIndex(of name: String) -> Int32? {
    for index in 0..<max(0, SDL_GetNumRenderDrivers()) {
      var info = SDL_RendererInfo()
      guard SDL_GetRenderDriverInfo(index, &info) == 0, let driver = info.name else { continue }
      if String(cString: driver) == name { return index }
    }
    return nil
  }
}

nonisolated extension RendererHandle {
  /// Clears to a background colour, draws commands in order and flushes.
  ///
  /// The C functions are `SDL_RenderClear`, `SDL_RenderFillRect`, `SDL_RenderCopy`, `SDL_RenderSetClipRect` and
  /// `SDL_RenderFlush`. A command that is not visible costs a comparison.
  ///
  /// - Parameters:
  ///   - stretchedTextures: The cache that draws stretched copies, or nil if the renderer draws them.
  ///   - layers: The textures for layers.
  /// - Returns: The number of commands whose texture was released.
  /// - Throws: ``DisplayError`` if a call of SDL fails. The frame must not be shown then.
  func drawCommands(
    _ commands: UnsafeBufferPointer<DrawCommand>, background: Color, textures: TextureSlots,
    stretchedTextures: StretchedTextureCache?, layers: LayerTextures
  ) throws(DisplayError) -> Int {
    let whole = outputSize
    var clips = ClipStack(within: whole, reusing: layers.clips)
    var fill = background
    var isFillBlending = false
    var stale = 0
    layers.beginFrame(commands, output: whole, on: pointer)
    SDL_RenderSetClipRect(pointer, nil)
    SDL_SetRenderDrawBlendMode(pointer, SDL_BLENDMODE_NONE)
    fill.alpha = 255
    SDL_SetRenderDrawColor(pointer, fill.red, fill.green, fill.blue, fill.alpha)
    try throwIfFailed(SDL_RenderClear(pointer), "clear the frame")
    for command in commands {
      switch command.kind {
      case .fill:
        // Clipped, because SDL's single-precision numbers cannot represent edges far outside the window.
        let rect = clips.current.intersection(command.destination)
        guard !rect.isEmpty else { continue }
        if command.color != fill {
          fill = command.color
          SDL_SetRenderDrawColor(pointer, fill.red, fill.green, fill.blue, fill.alpha)
        }
        if command.isBlended != isFillBlending {
          isFillBlending = command.isBlended
          SDL_SetRenderDrawBlendMode(pointer, isFillBlending ? SDL_BLENDMODE_BLEND : SDL_BLENDMODE_NONE)
        }
        var target = SDL_Rect(rect)
        try throwIfFailed(SDL_RenderFillRect(pointer, &target), "fill a rectangle")
      case .texture:
        guard textures.isLive(command.texture), let size = textures.size(of: command.texture) else {
          stale += 1
          continue
        }
        if let stretchedTextures, command.isStretched, let bitmap = textures.bitmap(of: command.texture) {
          try stretchedTextures.drawStretched(
            command, of: bitmap, isBlending: textures.isBlending(command), visible: clips.current, on: self)
          continue
        }
        guard
          let copy = ScaledCopy(
            source: command.source, destination: command.destination, bitmap: size, visible: clips.current)
        else { continue }
        try textures.withHandle(command) { (handle) throws(DisplayError) in
          try self.copyTexture(handle, from: copy.source, to: copy.destination)
        }
      case .clip:
        clips.push(command.destination)
        setClip(clips.current)
      case .endClip:
        clips.pop()
        setClip(clips.current)
      case .beginLayer:
        try layers.begin(command, within: clips.current, on: pointer)
        clips.push(command.destination)
        setClip(clips.current)
      case .endLayer:
        guard !layers.isEmpty else { continue }
        try layers.end(on: pointer)
        clips.pop()
        setClip(clips.current)
      }
    }
    try layers.endFrame(on: pointer)
    try throwIfFailed(SDL_RenderFlush(pointer), "draw")
    stretchedTextures?.endFrame()
    return stale
  }

  private func setClip(_ rect: PixelRect) {
    var target = SDL_Rect(rect)
    SDL_RenderSetClipRect(pointer, &target)
  }

  /// Copies a part of a texture to a rectangle, using `SDL_RenderCopy`.
  /// - Throws: ``DisplayError`` if SDL refuses.
  func copyTexture(_ texture: borrowing TextureHandle, from source: PixelRect, to target: PixelRect)
    throws(DisplayError)
  {
    var source = SDL_Rect(source)
    var target = SDL_Rect(target)
    try throwIfFailed(SDL_RenderCopy(pointer, texture.pointer, &source, &target), "copy a texture")
  }

  @inline(__always)
  private func throwIfFailed(_ status: Int32, _ action: StaticString) throws(DisplayError) {
    if status != 0 { throw DisplayError.fromSDL("\(action)") }
  }
}

extension SDL_Rect {
  @inline(__always)
  fileprivate nonisolated init(_ rect: PixelRect) { self.init(x: rect.x, y: rect.y, w: rect.width, h: rect.height) }
}
