import VitrineGeometry
import VitrinePhotoLibrary
import VitrineRendering
import VitrineViews

/// What ``HeaderController`` needs from the screen.
protocol HeaderHost: AnyObject {
  /// Returns whether a command can be performed, whether it is offered, and whether what it chooses is chosen.
  func state(of command: GalleryCommand) -> (isEnabled: Bool, isShown: Bool, isOn: Bool)
  /// Performs a command.
  func performCommand(_ command: GalleryCommand)
  /// Shows a menu below a button, whose frame is on the screen.
  func showMenu(_ menu: GalleryCommand.Menu, below button: Rect)
  /// The number of sizes of photographs, and the index of the current one.
  var zoomLevel: (count: Int, index: Int) { get }
  /// Shows photographs in another size.
  func zoom(toLevel level: Int)
  /// Shows the photographs that match a text.
  func search(_ text: String)
  /// The folders above the one that is shown, from the outermost.
  var parentFolders: [PhotoPath] { get }
  /// Opens a folder.
  func openFolder(_ path: PhotoPath)
  /// The controls below the bar that the keyboard focus reaches after those of the bar.
  var controlsBelowHeader: [Control] { get }
  /// Moves the keyboard focus to a control, or back to the photographs.
  func moveKeyboardFocus(to view: View)
  func restoreKeyboardFocus()
}

/// The owner of the header bar.
///
/// It makes the buttons from the table of commands, keeps them up to date, and owns which of them has the keyboard focus.
///
/// Invariants:
/// - A button does what its command does: it has no action of its own.
/// - At most one control shows the keyboard focus, and only while it has it.
final class HeaderController {
  /// The screen, which owns the controller.
  unowned var host: (any HeaderHost)!
  /// The bar.
  let bar: HeaderBar
  private let commands: [(command: GalleryCommand, button: BarButton)]
  private let menus: [(menu: GalleryCommand.Menu, button: BarButton)]
  private let layouts: [(command: GalleryCommand, icon: SharedIcon)]
  private let arrow = SharedIcon(.chevron)
  private var shownFolders: [PhotoPath] = []
  /// The control with the keyboard focus, or nil.
  private(set) weak var focusedControl: Control?

  /// Creates the controller of a screen.
  ///
  /// - Parameters:
  ///   - titleBar: The texts of the bar.
  ///   - theme: The colors.
  init(titleBar: TitleBar, theme: Theme) {
    commands = GalleryCommand.table.filter(\.isInHeaderBar).map { command in
      let keys = command.inputLabels.first.map { " (\($0))" } ?? ""
      let title = command.menuItem?.title(0) ?? command.effect
      return (
        command, BarButton(icon: command.icon.map { SharedIcon($0) }, toolTip: title + keys, theme: theme)
      )
    }
    layouts = GalleryCommand.table.filter { $0.menuItem?.part == .layouts }.compactMap { command in
      command.icon.map { (command, SharedIcon($0)) }
    }
    let icons: [GalleryCommand.Menu: LineIcon] = [.layouts: .grid, .arrangements: .arrange, .main: .menu]
    menus = GalleryCommand.Menu.allCases.compactMap { menu in
      menu.toolTip.map {
        (menu, BarButton(icon: icons[menu].map { SharedIcon($0) }, toolTip: $0, theme: theme))
      }
    }
    let searchIcon = SharedIcon(.search)
    bar = HeaderBar(
      titleBar: titleBar, leadingButtons: commands.map(\.button), menuButtons: menus.map(\.button),
      searchField: SearchField(placeholder: "Search", icon: searchIcon, theme: theme),
      searchButton: BarButton(icon: searchIcon, toolTip: "Search", theme: theme), slider: Slider(theme: theme))
    bar.slider.toolTip = "Size of the photographs"
    connect()
  }

  private func connect() {
    for (command, button) in commands {
      button.action = { [weak self] in
        self?.host.performCommand(command)
        self?.update()
      }
    }
    for (menu, button) in menus {
      button.action = { [weak self, unowned button] in
        self?.host.showMenu(menu, below: button.frameInWindow)
      }
    }
    bar.slider.onChange = { [weak self] level in self?.host.zoom(toLevel: level) }
    bar.searchButton.action = { [weak self] in self?.beginSearch() }
    let field = bar.searchField
    field.action = { [weak self] in self?.focus(self?.bar.searchField) }
    field.onChange = { [weak self] text in
      guard let self else { return }
      host.search(text)
      if text.isEmpty, !bar.searchField.isFocused { bar.isSearchExpanded = false }
    }
    field.onSubmit = { [weak self] in self?.leave() }
    field.onCancel = { [weak self] in self?.leave() }
  }

  // MARK: - State

  /// Updates the buttons, the slider and the path.
  func update() {
    for (command, button) in commands {
      let state = host.state(of: command)
      (button.isEnabled, button.isOn) = (state.isEnabled, state.isOn)
      if button.isHidden == state.isShown {
        button.isHidden = !state.isShown
        bar.setNeedsLayout()
      }
    }
    if let layout = layouts.first(where: { host.state(of: $0.command).isOn }) {
      menus.first { $0.menu == .layouts }?.button.setIcon(layout.icon)
    }
    (bar.slider.stepCount, bar.slider.step) = host.zoomLevel
    updateCrumbs()
  }

  private func updateCrumbs() {
    let folders = host.parentFolders
    guard folders != shownFolders else { return }
    shownFolders = folders
    bar.setCrumbs(
      folders.map { folder in
        let name = SanitizedText(bytes: folder.lastComponent).string
        let button = BarButton(title: name, toolTip: "Open \(name)", theme: bar.theme)
        button.action = { [weak self] in self?.host.openFolder(folder) }
        return HeaderBar.Crumb(button: button, arrow: IconView(icon: arrow, tint: bar.theme.tertiaryText))
      })
  }

  // MARK: - Search

  /// Moves the keyboard focus to the search field.
  func beginSearch() {
    bar.isSearchExpanded = true
    bar.layoutIfNeeded()
    focus(bar.searchField)
    bar.searchField.selectAll()
  }

  /// Clears the search field, because another library is shown.
  func clearSearch() {
    bar.searchField.text = ""
    bar.isSearchExpanded = false
  }

  // MARK: - Keyboard focus

  /// Whether a control of the bar has the keyboard focus.
  var isFocused: Bool { focusedControl != nil }

  private var controls: [Control] { bar.controls + host.controlsBelowHeader }

  /// Moves the keyboard focus back to the photographs if the control that has it is gone.
  func controlsDidChange() {
    if let focusedControl, !controls.contains(where: { $0 === focusedControl }) { leave() }
  }

  /// Moves the keyboard focus to the first control.
  func focusFirst() { focus(bar.controls.first) }

  /// Moves the keyboard focus to a control.
  private func focus(_ control: Control?) {
    focusedControl?.isFocused = false
    focusedControl = control
    guard let control else { return }
    control.isFocused = true
    host.moveKeyboardFocus(to: control.responder)
  }

  /// Records that something else has the keyboard focus now.
  func didLoseFocus() {
    focus(nil)
    if bar.searchField.text.isEmpty { bar.isSearchExpanded = false }
  }

  /// Moves the keyboard focus back to the photographs.
  func leave() {
    didLoseFocus()
    host.restoreKeyboardFocus()
  }

  /// Handles the keys that move the focus within the bar.
  ///
  /// - Returns: Whether the event was handled.
  func handle(_ event: InputEvent) -> Bool {
    guard let current = focusedControl, case .keyDown(let key, let modifiers, _) = event.kind else { return false }
    let step: Int
    switch key {
    case .tab where modifiers.isEmpty: step = 1
    case .tab where modifiers == .shift: step = -1
    case .right where modifiers.isEmpty: step = 1
    case .left where modifiers.isEmpty: step = -1
    case .down where modifiers.isEmpty, .escape:
      leave()
      return true
    default: return false
    }
    let controls = controls
    guard let index = controls.firstIndex(where: { $0 === current }) else {
      focusFirst()
      return true
    }
    focus(controls[(index + step + controls.count) % controls.count])
    return true
  }
}
