import Rendering

/// An event source that belongs to a display and ends with it.
protocol DisplayEventSource: EventSource {
  /// Called for each event before it is handed out, for what the display itself must do about it.
  var observer: ((InputEvent.Kind) -> Void)? { get set }

  /// Makes every later wake-up do nothing; to be called before SDL ends.
  func close()
}
