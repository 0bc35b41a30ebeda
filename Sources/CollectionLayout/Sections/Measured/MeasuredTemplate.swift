internal import Geometry

/// What stands for the groups of a chunk that nobody measured.
struct MeasuredTemplate: Hashable, Sendable {
  /// How long such a group was to be, in pixels.
  let level: Int
  /// The group as it was placed for it.
  let slots: MeasuredSlots
  /// Between groups, in pixels.
  let spacing: Int
  /// By which sizes it was placed; none where the rules' estimates hold.
  var sizes: [MeasuredSize] = []

  /// The size by which a slot was placed, or nothing where the rules' estimate holds.
  func size(ofSlot slot: Int) -> MeasuredSize? { sizes.isEmpty ? nil : sizes[slot] }

  /// The size that a slot has as it was placed.
  func placedSize(ofSlot slot: Int) -> MeasuredSize {
    MeasuredSize(width: slots.frames[slot].width, height: slots.frames[slot].height)
  }

  /// From the beginning of such a group to that of the next.
  var pitch: Int { slots.length + spacing }
}
