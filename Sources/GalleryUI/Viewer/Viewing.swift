import Geometry
import PhotoLibrary

/// A picture that is looked at in the whole window.
struct Viewing {
  /// What shows it.
  let view: PictureViewer
  /// What brings it, and those beside it.
  let pictures: ViewerPictures
  /// How much of it is seen.
  var course: ViewerCourse
  /// Which one it is.
  var item: PhotoID
  /// Where it stood in the grid when that was known last.
  var place: Int
  /// Of how many, when that was told last.
  var count = 0
  /// The picture that it was opened with, where that alone was selected.
  let selected: PhotoID?

  /// Whether it has the keys: not any more while it fades.
  var isOpen: Bool { !course.isClosing }
}
