import Geometry
import PhotoLibrary

/// A picture that is looked at in the whole window.
struct ViewerState {
  /// What shows it.
  let view: PictureViewer
  /// What brings it, and those beside it.
  let imageLoader: ViewerImageLoader
  /// How much of it is seen.
  var fade: ViewerFade
  /// Which one it is.
  var item: PhotoID
  /// Where it stood in the grid when that was known last.
  var index: Int
  /// Of how many, when that was told last.
  var count = 0
  /// The picture that it was opened with, where that alone was selected.
  let selectedItem: PhotoID?

  /// Whether it has the keys: not any more while it fades.
  var isOpen: Bool { !fade.isClosing }
}
