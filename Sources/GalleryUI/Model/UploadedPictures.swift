import Rendering
import Views

/// Tells which pictures are textures, once there is a window to draw in.
final class UploadedTextureLookup {
  /// What the window draws with.
  weak var resources: RenderResources?

  /// Whether a picture is a texture now.
  func contains(_ bitmap: Bitmap) -> Bool { resources?.textures.texture(for: bitmap) != nil }
}
