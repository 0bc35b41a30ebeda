import CSDL2

/// The SDL that the program runs with, which need not be the one that it was built with.
public enum SDLVersion {
  /// The version as people write it.
  ///
  /// The C function is `SDL_GetVersion`.
  public static var linked: String {
    var version = SDL_version()
    SDL_GetVersion(&version)
    return "\(version.major).\(version.minor).\(version.patch)"
  }
}
