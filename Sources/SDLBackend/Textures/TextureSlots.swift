import Geometry
import Rendering

/// The textures behind names, in memory of its own: arrays cannot hold what cannot be copied.
///
/// Reading a slot while a frame is drawn neither retains nor allocates.
nonisolated final class TextureSlots {
  /// What stands in a slot.
  private struct Slot: ~Copyable {
    var texture: Texture?
    var isOpaque = false
  }

  private var slots: UnsafeMutablePointer<Slot>
  private var capacity: Int
  private var textureIDs = TextureIDAllocator()

  /// Makes empty slots.
  init(capacity: Int = 256) {
    self.capacity = max(1, capacity)
    slots = .allocate(capacity: self.capacity)
    for index in 0..<self.capacity { (slots + index).initialize(to: Slot()) }
  }

  deinit {
    slots.deinitialize(count: capacity)
    slots.deallocate()
  }

  /// The number of names in use.
  var count: Int { textureIDs.count }

  /// Whether a name stands for a texture.
  @inline(__always)
  func isLive(_ name: TextureID) -> Bool { textureIDs.isLive(name) }

  /// Whether every command's texture is there.
  /// - Complexity: O(commands).
  func areLive(_ commands: UnsafeBufferPointer<DrawCommand>) -> Bool {
    for command in commands where command.kind == .texture && !textureIDs.isLive(command.texture) { return false }
    return true
  }

  /// Puts a texture into a free slot and names it.
  /// - Throws: ``DisplayError`` when no name is left; the texture dies then.
  func insert(_ texture: consuming Texture, isOpaque: Bool) throws(DisplayError) -> TextureID {
    guard let name = textureIDs.makeID() else { throw DisplayError.outOfTextureIDs }
    if name.slot >= capacity { grow(past: name.slot) }
    slots[name.slot].texture = consume texture
    slots[name.slot].isOpaque = isOpaque
    return name
  }

  /// Ends a name and gives its texture another, which nobody else knows, or nothing when the slot's names are used up.
  /// - Precondition: the name is live.
  func renewID(_ name: TextureID) -> TextureID? { textureIDs.renewID(name) }

  /// Destroys a name's texture, also where the name has ended already, and ends the name; never inside a frame.
  func destroy(_ name: TextureID) {
    textureIDs.releaseID(name)
    slots[name.slot].texture = nil
  }

  /// Destroys every texture and ends every name; never inside a frame.
  func destroyAll() {
    textureIDs.releaseAll()
    for slot in 0..<min(capacity, textureIDs.slotCount) { slots[slot].texture = nil }
  }

  /// Uploads a bitmap into a name's texture.
  /// - Precondition: the bitmap has the texture's size, and is opaque where the texture is.
  /// - Throws: ``DisplayError`` when the renderer refuses.
  func upload(_ bitmap: Bitmap, to name: TextureID) throws(DisplayError) {
    try slots[name.slot].texture?.upload(bitmap)
  }

  /// Whether a name's texture is for bitmaps without transparency.
  func isOpaque(_ name: TextureID) -> Bool { slots[name.slot].isOpaque }

  /// Whether a name's texture is a bitmap, also where the name has ended already.
  func isShared(_ name: TextureID) -> Bool { slots[name.slot].texture?.isShared == true }

  /// The extent of a name's texture, also where the name has ended already.
  @inline(__always)
  func size(of name: TextureID) -> PixelSize? { slots[name.slot].texture?.size }

  /// The pixels of a name's texture, where they are in memory.
  @inline(__always)
  func texels(of name: TextureID) -> Texels? { slots[name.slot].texture?.texels }

  /// The bitmap of a live name's texture, where it is kept.
  @inline(__always)
  func bitmap(of name: TextureID) -> Bitmap? { slots[name.slot].texture?.bitmap }

  /// Lets go of the bitmap that was uploaded into a renderer's texture, also where the name has ended already.
  func releaseBitmap(of name: TextureID) { slots[name.slot].texture?.releaseBitmap() }

  /// Whether a copy of a live name's texture blends.
  ///
  /// Not where it would change nothing: an opaque bitmap under an opaque tint is copied.
  @inline(__always)
  func isBlending(_ command: DrawCommand) -> Bool {
    command.isBlended && (!slots[command.texture.slot].isOpaque || command.color.alpha < 255)
  }

  /// Sets tint and blending of a live name's texture in a renderer, and lets a body use it.
  @inline(__always)
  func withHandle(
    _ command: DrawCommand, _ body: (borrowing TextureHandle) throws(DisplayError) -> Void
  ) throws(DisplayError) {
    try slots[command.texture.slot].texture?.withHandle(
      tint: command.color, isBlending: isBlending(command), body)
  }

  /// Destroys every texture and keeps the names; between frames, where another renderer is to have the textures.
  ///
  /// - Returns: the slots and their bitmaps; slots whose bitmap was not kept stand for nothing from now on.
  func detachTextures() -> [(slot: Int, bitmap: Bitmap)] {
    var bitmaps: [(slot: Int, bitmap: Bitmap)] = []
    for slot in 0..<min(capacity, textureIDs.slotCount) {
      if let bitmap = slots[slot].texture?.bitmap { bitmaps.append((slot, bitmap)) }
      slots[slot].texture = nil
    }
    return bitmaps
  }

  /// Puts another texture into a slot whose names go on.
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
