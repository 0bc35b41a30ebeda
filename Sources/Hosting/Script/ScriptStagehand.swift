import FramePacing
import Geometry

/// Does for a script what is done around the view that it scrolls.
protocol ScriptEnvironment: AnyObject {
  /// Gives the window another size, in points.
  func resize(to size: Size)
  /// The display has another refresh.
  func changeRefreshRate(to hertz: Double)
  /// Lets something go wrong.
  func injectFault(_ fault: ScriptFault)
  /// Shows the items in another order, by an animated update.
  func shuffleItems()
}
