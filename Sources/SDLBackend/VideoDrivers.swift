/// Which of SDL's video drivers to try, by what the environment tells: the decision apart from the trying.
///
/// In a Wayland session that is Wayland, which SDL 2.26 would try last, and X where that cannot be opened; in a session of
/// X it is X.
package nonisolated enum VideoDrivers: Hashable, Sendable {
  /// The user has named one (`SDL_VIDEODRIVER`): SDL reads that itself.
  case userChoice
  /// These, in this order, as SDL takes them. Window systems alone: SDL would go on to take over a text console.
  case list(String)
  /// There is no display.
  case none

  /// Decides.
  ///
  /// - Parameters:
  ///   - isHeadless: whether nothing is to be shown.
  ///   - avoidsWayland: whether Wayland was tried, and no window could be opened.
  ///   - value: the value of a variable of the environment.
  package init(isHeadless: Bool, avoidsWayland: Bool = false, environment value: (String) -> String?) {
    func isSet(_ name: String) -> Bool { value(name).map { !$0.isEmpty } ?? false }
    if avoidsWayland {
      self = isSet("DISPLAY") && !isSet("SDL_VIDEODRIVER") ? .list("x11") : .none
    } else if isHeadless {
      self = .list("dummy")
    } else if isSet("SDL_VIDEODRIVER") {
      self = .userChoice
    } else if isSet("WAYLAND_DISPLAY") || isSet("WAYLAND_SOCKET") {
      self = .list("wayland,x11")
    } else if isSet("DISPLAY") {
      self = .list("x11,wayland")
    } else {
      self = .none
    }
  }
}
