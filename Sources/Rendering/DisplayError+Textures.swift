extension DisplayError {
  /// No name is left for another texture.
  public static var outOfTextureIDs: DisplayError {
    DisplayError(action: "make a texture", reason: "all names for textures are in use")
  }
}
