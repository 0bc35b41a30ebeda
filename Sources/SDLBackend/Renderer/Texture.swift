import Glibc
import VitrineGeometry
import VitrinePainting
import VitrineRendering

/// The pixels of a texture: in its own memory, in a bitmap, or in a texture of SDL.
nonisolated struct Texture: ~Copyable {
  /// The size in pixels.
  let size: PixelSize
  /// The pixels, if they are in memory.
  private(set) var texels: Texels?
  /// The bitmap that contains the pixels, or that was uploaded to SDL's texture.
  ///
  /// It is retained as long as it may be drawn.
  private(set) var bitmap: Bitmap?
  private var handle: TextureHandle?

  /// Creates a texture from a texture of SDL.
  init(_ handle: consuming TextureHandle) {
    size = handle.size
    texels = nil
    bitmap = nil
    self.handle = consume handle
  }

  /// Creates a texture in memory with undefined pixels, using `posix_memalign`.
  ///
  /// - Throws: ``DisplayError`` if the system has no memory.
  init(size: PixelSize, isOpaque: Bool, order: ChannelOrder) throws(DisplayError) {
    // Rows are aligned to vectors of four pixels.
    let bytesPerRow = (size.width * 4 + 15) & ~15
    var start: UnsafeMutableRawPointer?
    guard posix_memalign(&start, 64, bytesPerRow * size.height) == 0, let start else {
      throw DisplayError(
        action: "make a texture of \(size.width) x \(size.height) pixels", reason: "there is no memory for it")
    }
    self.size = size
    handle = nil
    bitmap = nil
    texels = Texels(start: start, bytesPerRow: bytesPerRow, size: size, isOpaque: isOpaque, order: order)
  }

  /// Creates a texture that shares the pixels of a bitmap, or returns nil if they cannot be drawn as they are.
  ///
  /// They can if they have the channel order, or if all colours are white, as in painted text.
  /// - Complexity: O(1), or O(pixels) for bitmaps with transparency, which are read once.
  init?(of bitmap: Bitmap, order: ChannelOrder) {
    guard let texels = Texels(of: bitmap, order: order) else { return nil }
    size = bitmap.size
    self.bitmap = bitmap
    self.texels = texels
    handle = nil
  }

  deinit { if !isShared { texels?.deallocate() } }

  /// Whether the pixels are those of a bitmap, so that they cannot be replaced.
  var isShared: Bool { texels != nil && bitmap != nil }

  /// Replaces the pixels.
  /// - Precondition: The bitmap has the texture's size, and the texture does not share the pixels of a bitmap.
  /// - Throws: ``DisplayError`` if the renderer refuses.
  mutating func upload(_ bitmap: Bitmap) throws(DisplayError) {
    guard texels == nil else { return texels?.copyPixels(from: bitmap) ?? () }
    try handle?.upload(bitmap)
    self.bitmap = bitmap
  }

  /// Releases the bitmap that was uploaded, because the texture's ID was released.
  mutating func releaseBitmap() { if handle != nil { bitmap = nil } }

  /// Sets the tint, blending and smoothing of the next copies and calls a closure with SDL's texture, if there is one.
  @inline(__always)
  mutating func withHandle(
    tint: Color, isBlending: Bool, showsPixels: Bool,
    _ body: (borrowing TextureHandle) throws(DisplayError) -> Void
  ) throws(DisplayError) {
    handle?.setCopyMode(tint: tint, isBlending: isBlending, showsPixels: showsPixels)
    try handle?.withTexture(body)
  }
}

extension TextureHandle {
  @inline(__always)
  fileprivate nonisolated borrowing func withTexture(
    _ body: (borrowing TextureHandle) throws(DisplayError) -> Void
  ) throws(DisplayError) { try body(self) }
}

// MARK: - Slots

/// The textures of all IDs, in allocated memory because arrays cannot contain noncopyable values.
///
/// Reading a slot while a frame is drawn neither retains nor allocates.
nonisolated final class TextureSlots {
  private struct Slot: ~Copyable {
    var texture: Texture?
    var isOpaque = false
  }

  private var slots: UnsafeMutablePointer<Slot>
  private var capacity: Int
  private var textureIDs = TextureIDAllocator()

  /// Creates empty slots.
  init(capacity: Int = 256) {
    self.capacity = max(1, capacity)
    slots = .allocate(capacity: self.capacity)
    for index in 0..<self.capacity { (slots + index).initialize(to: Slot()) }
  }

  deinit {
    slots.deinitialize(count: capacity)
    slots.deallocate()
  }

  /// The number of live IDs.
  var count: Int { textureIDs.count }

  /// Whether an ID is live.
  @inline(__always)
  func isLive(_ id: TextureID) -> Bool { textureIDs.isLive(id) }

  /// Whether the textures of all commands are live.
  /// - Complexity: O(commands).
  func areLive(_ commands: UnsafeBufferPointer<DrawCommand>) -> Bool {
    for command in commands where command.kind == .texture && !textureIDs.isLive(command.texture) { return false }
    return true
  }

  /// Stores a texture in a free slot and returns its ID.
  /// - Throws: ``DisplayError`` if no ID is left. The texture is destroyed then.
  func insert(_ texture: consuming Texture, isOpaque: Bool) throws(DisplayError) -> TextureID {
    guard let id = textureIDs.makeID() else { throw DisplayError.outOfTextureIDs }
    if id.slot >= capacity { grow(past: id.slot) }
    slots[id.slot].texture = consume texture
    slots[id.slot].isOpaque = isOpaque
    return id
  }

  /// Releases an ID and returns another one for its texture, or nil if the slot's IDs are used up.
  /// - Precondition: The ID is live.
  func renewID(_ id: TextureID) -> TextureID? { textureIDs.renewID(id) }

  /// Releases an ID, if it is live, and destroys its texture.
  ///
  /// Must not be called within a frame.
  func destroy(_ id: TextureID) {
    textureIDs.releaseID(id)
    slots[id.slot].texture = nil
  }

  /// Releases all IDs and destroys all textures.
  ///
  /// Must not be called within a frame.
  func destroyAll() {
    textureIDs.releaseAll()
    for slot in 0..<min(capacity, textureIDs.slotCount) { slots[slot].texture = nil }
  }

  /// Uploads a bitmap to a texture.
  /// - Precondition: The bitmap has the texture's size, and is opaque if the texture is.
  /// - Throws: ``DisplayError`` if the renderer refuses.
  func upload(_ bitmap: Bitmap, to id: TextureID) throws(DisplayError) {
    try slots[id.slot].texture?.upload(bitmap)
  }

  /// Whether a texture is for opaque bitmaps.
  func isOpaque(_ id: TextureID) -> Bool { slots[id.slot].isOpaque }

  /// Whether a texture shares the pixels of a bitmap.
  ///
  /// The ID need not be live.
  func isShared(_ id: TextureID) -> Bool { slots[id.slot].texture?.isShared == true }

  /// Returns the size of a texture.
  ///
  /// The ID need not be live.
  @inline(__always)
  func size(of id: TextureID) -> PixelSize? { slots[id.slot].texture?.size }

  /// Returns the pixels of a texture, or nil if they are not in memory.
  @inline(__always)
  func texels(of id: TextureID) -> Texels? { slots[id.slot].texture?.texels }

  /// Returns the bitmap of a live texture, or nil if it is not retained.
  @inline(__always)
  func bitmap(of id: TextureID) -> Bitmap? { slots[id.slot].texture?.bitmap }

  /// Releases the bitmap that was uploaded to SDL's texture.
  ///
  /// The ID need not be live.
  func releaseBitmap(of id: TextureID) { slots[id.slot].texture?.releaseBitmap() }

  /// Whether copying a live texture blends.
  ///
  /// An opaque bitmap with an opaque tint is copied without blending, with the same result.
  @inline(__always)
  func isBlending(_ command: DrawCommand) -> Bool {
    command.isBlended && (!slots[command.texture.slot].isOpaque || command.color.alpha < 255)
  }

  /// Sets the tint, blending and smoothing of a live texture and calls a closure with SDL's texture, if there is one.
  @inline(__always)
  func withHandle(
    _ command: DrawCommand, _ body: (borrowing TextureHandle) throws(DisplayError) -> Void
  ) throws(DisplayError) {
    try slots[command.texture.slot].texture?.withHandle(
      tint: command.color, isBlending: isBlending(command), showsPixels: command.showsPixels, body)
  }

  /// Destroys all textures and keeps their IDs live.
  ///
  /// Called between frames, when another renderer takes over.
  ///
  /// - Returns: The slots and bitmaps of the textures. Textures whose bitmap was not retained are lost.
  func detachTextures() -> [(slot: Int, bitmap: Bitmap)] {
    var bitmaps: [(slot: Int, bitmap: Bitmap)] = []
    for slot in 0..<min(capacity, textureIDs.slotCount) {
      if let bitmap = slots[slot].texture?.bitmap { bitmaps.append((slot, bitmap)) }
      slots[slot].texture = nil
    }
    return bitmaps
  }

  /// Stores another texture in a slot and keeps its ID.
  func attachTexture(_ texture: consuming Texture, to slot: Int) { slots[slot].texture = consume texture }

  private func grow(past slot: Int) {
    let larger = max(slot + 1, capacity * 2)
    let replacement = UnsafeMutablePointer<Slot>.allocate(capacity: larger)
    replacement.moveInitialize(from: slots, count: capacity)
    for index in capacity..<larger { (replacement + index).initialize(to: Slot()) }
    slots.deallocate()
    slots = replacement
    capacity = larger
  }
}
