import CSDL2
import Rendering

/// Puts the names of one drop together, which SDL tells one by one.
final class FileDropCollector {
  private var paths: [[UInt8]] = []

  /// Nothing yet.
  init() {}

  /// Takes an event in.
  ///
  /// - Returns: the drop that ends with it; nothing where it is about something else, or the drop goes on.
  func handleEvent(_ event: SDL_Event) -> InputEvent.Kind? {
    switch SDL_EventType(rawValue: event.type) {
    case SDL_DROPBEGIN: paths = []
    case SDL_DROPFILE:
      if let path = SDLEventQueue.consumeDroppedPath(event), !path.isEmpty { paths.append(path) }
    case SDL_DROPTEXT: _ = SDLEventQueue.consumeDroppedPath(event)
    case SDL_DROPCOMPLETE:
      defer { paths = [] }
      return paths.isEmpty ? nil : .filesDropped(paths)
    default: break
    }
    return nil
  }
}
