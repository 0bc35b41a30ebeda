import CVitrineSDL2
import VitrineDataStructures
import VitrineGeometry
import VitrinePainting
import VitrineRendering

/// The textures that a renderer of SDL draws frames with layers into.
///
/// A layer begins with a copy of what is behind it, is drawn over that, and is then blended over what is behind it: as
/// both are opaque, the result is that of a transparent layer. Rounded corners are masks by which both are multiplied
/// before they are added. SDL's software renderer and hardware do the same with the few ways of blending that both have.
///
/// The textures have the size of the window. They are destroyed after a number of frames without layers.
nonisolated final class LayerTextures {
  /// An owner of a texture that can be drawn into, or of a mask.
  private final class OwnedTexture {
    let pointer: OpaquePointer
    init(_ pointer: OpaquePointer) { self.pointer = pointer }
    deinit { SDL_DestroyTexture(pointer) }
  }

  private struct Layer {
    let mask: LayerMask
    /// The pixels in which the layer is visible; empty if it is ignored.
    let visible: PixelRect
    /// The clip of the commands before the layer.
    let outerClip: PixelRect
  }

  private struct Masks {
    let inside: OwnedTexture
    let outside: OwnedTexture
  }

  /// The number of frames without layers after which the textures are destroyed.
  private static let idleLimit = 240
  private static let maximumMasks = 32

  private var targets: [OwnedTexture] = []
  private var layers: [Layer] = []
  /// The number of layers that are drawn into a texture.
  private var depth = 0
  private var masks: [Int32: Masks] = [:]
  private var size = PixelRect.zero
  private var idleCount = 0
  /// A buffer for clips.
  let clips = TrivialBuffer<PixelRect>(capacity: 8)

  /// Whether the frame is drawn into a texture.
  private(set) var isActive = false
  /// Whether a layer has begun.
  var isEmpty: Bool { layers.isEmpty }

  /// Begins a frame: draws into a texture if there are layers.
  func beginFrame(_ commands: UnsafeBufferPointer<DrawCommand>, output: PixelRect, on renderer: OpaquePointer) {
    layers.removeAll(keepingCapacity: true)
    depth = 0
    // The last frame failed.
    if isActive { SDL_SetRenderTarget(renderer, nil) }
    isActive = false
    guard commands.contains(where: { $0.kind == .beginLayer }) else {
      if !targets.isEmpty {
        idleCount += 1
        if idleCount > LayerTextures.idleLimit { removeAll() }
      }
      return
    }
    idleCount = 0
    if size != output { removeAll() }
    size = output
    guard let frame = target(0, on: renderer) else { return }
    isActive = SDL_SetRenderTarget(renderer, frame.pointer) == 0
  }

  /// Ends a frame: copies it to the window.
  /// - Throws: ``DisplayError`` if SDL refuses.
  func endFrame(on renderer: OpaquePointer) throws(DisplayError) {
    guard isActive else { return }
    isActive = false
    try check(SDL_SetRenderTarget(renderer, nil))
    SDL_RenderSetClipRect(renderer, nil)
    try copy(targets[0], to: size, on: renderer, SDL_BLENDMODE_NONE)
  }

  /// Begins a layer.
  ///
  /// The caller then sets the clip again.
  ///
  /// - Parameters:
  ///   - command: The command that begins it.
  ///   - clip: The clip of the commands before it, within the output.
  ///   - renderer: The renderer.
  /// - Throws: ``DisplayError`` if SDL refuses.
  func begin(_ command: DrawCommand, within clip: PixelRect, on renderer: OpaquePointer) throws(DisplayError) {
    let mask = LayerMask(command)
    var visible = clip.intersection(mask.rect)
    let isIgnored = layers.count >= LayerMask.maximumDepth || !isActive || mask.regionCount == 0
    var texture: OwnedTexture?
    if !isIgnored, !visible.isEmpty { texture = target(depth + 1, on: renderer) }
    if texture == nil { visible = .zero }
    layers.append(Layer(mask: mask, visible: visible, outerClip: clip))
    guard let texture else { return }
    let behind = targets[depth]
    depth += 1
    try check(SDL_SetRenderTarget(renderer, texture.pointer))
    SDL_RenderSetClipRect(renderer, nil)
    try copy(behind, to: visible, on: renderer, SDL_BLENDMODE_NONE)
  }

  /// Ends the last layer and draws it over what is behind it.
  ///
  /// The caller then sets the clip again. - Throws: ``DisplayError`` if SDL refuses.
  func end(on renderer: OpaquePointer) throws(DisplayError) {
    guard let layer = layers.popLast(), !layer.visible.isEmpty else { return }
    let (mask, texture, behind) = (layer.mask, targets[depth], targets[depth - 1])
    let rounds = mask.radius > 0 ? cornerMasks(mask.radius, on: renderer) : nil
    let radius = rounds == nil ? 0 : mask.radius
    setClip(layer.visible, on: renderer)
    if let rounds {
      try forEachCorner(of: mask) { (source, corner) throws(DisplayError) in
        try self.draw(rounds.outside, from: source, to: corner, opacity: 255, on: renderer, SDL_BLENDMODE_BLEND)
      }
    }
    depth -= 1
    try check(SDL_SetRenderTarget(renderer, behind.pointer))
    setClip(layer.visible, on: renderer)
    if let rounds {
      try forEachCorner(of: mask) { (source, corner) throws(DisplayError) in
        try self.draw(
          rounds.inside, from: source, to: corner, opacity: mask.opacity, on: renderer, SDL_BLENDMODE_BLEND)
        // A part outside of the texture would be stretched over the corner.
        let part = corner.intersection(layer.visible)
        guard !part.isEmpty else { return }
        try self.draw(texture, from: part, to: part, opacity: mask.opacity, on: renderer, SDL_BLENDMODE_ADD)
      }
    }
    let rect = mask.rect
    let middle = PixelRect(x: rect.x, y: rect.y + radius, width: rect.width, height: rect.height - 2 * radius)
    var parts = [middle]
    if radius > 0 {
      for y in [rect.y, rect.maxY - radius] {
        parts.append(PixelRect(x: rect.x + radius, y: y, width: rect.width - 2 * radius, height: radius))
      }
    }
    let mode = mask.opacity == 255 ? SDL_BLENDMODE_NONE : SDL_BLENDMODE_BLEND
    for part in parts where !part.intersection(layer.visible).isEmpty {
      let part = part.intersection(layer.visible)
      try draw(texture, from: part, to: part, opacity: mask.opacity, on: renderer, mode)
    }
  }

  /// Destroys all textures.
  ///
  /// Called before the renderer is destroyed, and not within a frame.
  func removeAll() {
    targets.removeAll()
    masks.removeAll()
    idleCount = 0
  }

  // MARK: - Drawing

  private func copy(
    _ texture: OwnedTexture, to rect: PixelRect, on renderer: OpaquePointer, _ mode: SDL_BlendMode
  ) throws(DisplayError) {
    try draw(texture, from: rect, to: rect, opacity: 255, on: renderer, mode)
  }

  private func draw(
    _ texture: OwnedTexture, from source: PixelRect, to target: PixelRect, opacity: UInt8, on renderer: OpaquePointer,
    _ mode: SDL_BlendMode
  ) throws(DisplayError) {
    var source = SDL_Rect(x: source.x, y: source.y, w: source.width, h: source.height)
    var target = SDL_Rect(x: target.x, y: target.y, w: target.width, h: target.height)
    SDL_SetTextureBlendMode(texture.pointer, mode)
    SDL_SetTextureAlphaMod(texture.pointer, opacity)
    try check(SDL_RenderCopy(renderer, texture.pointer, &source, &target))
  }

  private func setClip(_ rect: PixelRect, on renderer: OpaquePointer) {
    var clip = SDL_Rect(x: rect.x, y: rect.y, w: rect.width, h: rect.height)
    SDL_RenderSetClipRect(renderer, &clip)
  }

  private func check(_ status: Int32) throws(DisplayError) {
    if status != 0 { throw DisplayError.fromSDL("draw a layer") }
  }

  /// Calls a closure with the quarters of a mask and of a layer's corners.
  private func forEachCorner(
    of mask: LayerMask, _ body: (_ source: PixelRect, _ corner: PixelRect) throws(DisplayError) -> Void
  ) throws(DisplayError) {
    let (rect, radius) = (mask.rect, mask.radius)
    for index in 0..<4 {
      let (isRight, isLower) = (index & 1 == 1, index & 2 == 2)
      try body(
        PixelRect(x: isRight ? radius : 0, y: isLower ? radius : 0, width: radius, height: radius),
        PixelRect(
          x: isRight ? rect.maxX - radius : rect.x, y: isLower ? rect.maxY - radius : rect.y, width: radius,
          height: radius))
    }
  }

  // MARK: - Textures

  /// Returns a texture of the window's size without alpha, or nil if the renderer has none.
  private func target(_ index: Int, on renderer: OpaquePointer) -> OwnedTexture? {
    while targets.count <= index {
      guard
        let texture = SDL_CreateTexture(
          renderer, SDL_PIXELFORMAT_BGR888.rawValue, Int32(SDL_TEXTUREACCESS_TARGET.rawValue), size.width, size.height)
      else { return nil }
      targets.append(OwnedTexture(texture))
    }
    return targets[index]
  }

  /// Returns black discs by whose alpha the inside and the outside of corners are darkened.
  private func cornerMasks(_ radius: Int32, on renderer: OpaquePointer) -> Masks? {
    if let known = masks[radius] { return known }
    if masks.count >= LayerTextures.maximumMasks { masks.removeAll() }
    func makeMask(isInverted: Bool) -> OwnedTexture? {
      let side = Int(radius) * 2
      var pixels = [UInt32](repeating: 0, count: side * side)
      for y in 0..<side {
        for x in 0..<side {
          let coverage = LayerMask.coverage(
            column: Int32(min(x, side - 1 - x)), row: Int32(min(y, side - 1 - y)), radius: radius)
          pixels[y * side + x] = UInt32(isInverted ? 255 - coverage : coverage) << 24
        }
      }
      guard
        let texture = SDL_CreateTexture(
          renderer, SDL_PIXELFORMAT_RGBA32.rawValue, Int32(SDL_TEXTUREACCESS_STATIC.rawValue), Int32(side), Int32(side))
      else { return nil }
      let owned = OwnedTexture(texture)
      return SDL_UpdateTexture(texture, nil, pixels, Int32(side * 4)) == 0 ? owned : nil
    }
    guard let inside = makeMask(isInverted: false), let outside = makeMask(isInverted: true) else { return nil }
    let made = Masks(inside: inside, outside: outside)
    masks[radius] = made
    return made
  }
}
