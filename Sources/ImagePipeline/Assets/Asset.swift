public import Rendering

/// A picture by its identifier, as it can be shown at this moment: prepared, or something in its place.
public struct Asset<ID: Hashable & Sendable>: Identifiable, Sendable {
  /// Names the asset, in each of its states.
  public let id: ID
  /// What to show: the prepared picture; before that the small one that its file carries, if it came first, or the store's
  /// placeholder, which may be nothing.
  public let image: Bitmap?
  /// Whether ``image`` stands in for a picture that loading would bring.
  ///
  /// Not so where that was tried and failed: what does not pass is no placeholder, nor is what is not to be tried yet. Who
  /// loads placeholders alone does not try again and again.
  public let isPlaceholder: Bool
  /// Why there is no picture, where it was tried; stays until the picture is there.
  public let failure: AssetFailure?
  /// Whether the picture is what could be saved of a damaged file.
  public let isDamaged: Bool
}
