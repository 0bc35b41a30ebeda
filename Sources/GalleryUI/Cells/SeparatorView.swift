import CollectionUI
import Views

/// The line between two rows of a list.
final class SeparatorView: CollectionReusableView {
  required init() {
    super.init()
    backgroundColor = Theme.dark.separator
    isInteractive = false
  }
}
