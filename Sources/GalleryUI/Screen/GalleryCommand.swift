import CollectionUI
import VitrineCollectionEngine
import VitrineGeometry
import VitrinePhotoLibrary
package import VitrineRendering

/// A command of the gallery: something the user can do, with its keys, its place in the menu and its action.
///
/// ``table`` is the only list of commands. From it are made the handling of keys, the buttons and menus of the header bar,
/// the context menu, the list of keyboard shortcuts, the text of `--help` and the table in `Documentation/Gallery.md`.
@MainActor struct GalleryCommand {
  /// A group of related commands.
  enum Group: String, CaseIterable {
    case navigation = "Navigation"
    case display = "View"
    case picture = "Picture"
    case selection = "Selection"
    case action = "Actions"
  }

  /// A menu.
  enum Menu: CaseIterable {
    /// The menu of photographs, at the pointer.
    case context
    /// The menu of the picture in the viewer, at the pointer.
    case picture
    /// The menu of layouts, of the button in the header bar.
    case layouts
    /// The menu of groupings and orders, of the button in the header bar.
    case arrangements
    /// The menu of everything, of the button in the header bar.
    case main

    /// The parts of the menu, in their order.
    var parts: [MenuItem.Part] {
      switch self {
      case .context: [.opening, .copying, .selecting, .sorting, .storing]
      case .picture: [.magnifying, .comparing, .turning, .slideShow, .copying, .panels, .closing]
      case .layouts: [.layouts, .sizes]
      case .arrangements: [.grouping, .sorting, .filtering]
      case .main:
        [
          .folders, .slideShow, .layouts, .grouping, .sorting, .filtering, .sizes, .panels, .selecting, .storing, .help,
        ]
      }
    }

    /// The text for the menu's button in the header bar, or nil if it has none.
    var toolTip: String? {
      switch self {
      case .context, .picture: nil
      case .layouts: "Layout and size"
      case .arrangements: "Group, sort and filter"
      case .main: "Menu"
      }
    }
  }

  /// The entry of a command in menus.
  struct MenuItem {
    /// The parts of menus, which a line separates from others.
    enum Part {
      case opening, closing, magnifying, comparing, turning, slideShow, folders, copying, selecting
      case layouts, sizes, grouping, sorting, filtering, panels, storing, help
    }

    /// Returns the title for a number of selected photographs.
    var title: (_ selectedCount: Int) -> String
    /// Whether the command is only in the menu of selected photographs.
    var needsSelection: Bool
    /// The part of the menus that contain the entry.
    var part: Part
    /// Returns whether the entry is marked as the current choice, or nil if it is not a choice.
    var isOn: (GalleryScreen) -> Bool?

    init(
      _ part: Part, needsSelection: Bool = false, isOn: @escaping (GalleryScreen) -> Bool? = { _ in nil },
      title: @escaping (_ selectedCount: Int) -> String
    ) {
      (self.part, self.needsSelection, self.isOn, self.title) = (part, needsSelection, isOn, title)
    }
  }

  /// Where the keys of a command perform it.
  enum Scope {
    /// Among the photographs.
    case grid
    /// While a picture is open in the viewer.
    case viewer
    /// In both.
    case everywhere

    /// Returns whether keys perform the command now.
    func applies(isViewing: Bool) -> Bool { self == .everywhere || (self == .viewer) == isViewing }
  }

  /// The group of the command.
  let group: Group
  /// The meaning in the list of keyboard shortcuts, or nil if the command is not in it.
  ///
  /// Adjacent commands with the same meaning share a line.
  var summary: String?
  /// The effect, as documents and `--help` state it: a phrase that begins with a verb.
  let effect: String
  /// The keys and gestures, as they are shown to the user.
  ///
  /// Default: the shortcuts.
  var inputs: [String] = []
  /// The keys that perform the command.
  var shortcuts: [KeyboardShortcut] = []
  /// The typed texts that perform the command while no name is being typed.
  var typedTexts: [String] = []
  /// Where the keys perform the command.
  var scope = Scope.grid
  /// The entry in menus, or nil if there is none.
  var menuItem: MenuItem?
  /// The icon of the command's button in the header bar, or of the choice that the button of a menu shows.
  var icon: LineIcon?
  /// Whether the header bar has a button for the command.
  var isInHeaderBar = false
  /// Returns whether the command is in menus, and its button in the header bar.
  var isShown: (GalleryScreen) -> Bool = { _ in true }
  /// Returns whether the command can be performed.
  var isEnabled: (GalleryScreen) -> Bool = { _ in true }
  /// Performs the command, or nil if the grid, the viewer or the window performs it.
  var perform: ((GalleryScreen) -> Void)?

  /// Returns whether a key performs the command.
  ///
  /// - Returns: The shortcut, or nil if the key is none of the command's.
  func shortcut(for key: Key, _ modifiers: KeyModifiers) -> KeyboardShortcut? {
    perform == nil ? nil : shortcuts.first { $0.key == key && $0.modifiers == modifiers }
  }

  /// The keys and gestures, as they are shown to the user.
  var inputLabels: [String] { inputs.isEmpty ? shortcuts.map(\.label) : inputs }
}

/// A key with modifiers that performs a command.
nonisolated struct KeyboardShortcut: Hashable, Sendable {
  /// The key.
  let key: Key
  /// The modifiers, which must match exactly.
  let modifiers: KeyModifiers
  /// Whether the command is performed repeatedly while the key is held.
  let repeats: Bool

  init(_ key: Key, _ modifiers: KeyModifiers = [], repeats: Bool = false) {
    (self.key, self.modifiers, self.repeats) = (key, modifiers, repeats)
  }

  /// The name of the key for the user, such as “Ctrl+Shift+C”.
  var label: String {
    var parts: [String] = []
    if modifiers.contains(.control) { parts.append("Ctrl") }
    if modifiers.contains(.alt) { parts.append("Alt") }
    if modifiers.contains(.shift) { parts.append("Shift") }
    switch key {
    case .up: parts.append("↑")
    case .down: parts.append("↓")
    case .left: parts.append("←")
    case .right: parts.append("→")
    case .pageUp: parts.append("Page Up")
    case .pageDown: parts.append("Page Down")
    case .home: parts.append("Home")
    case .end: parts.append("End")
    case .space: parts.append("Space")
    case .enter: parts.append("Enter")
    case .escape: parts.append("Esc")
    case .tab: parts.append("Tab")
    case .backspace: parts.append("Backspace")
    case .delete: parts.append("Delete")
    case .menu: parts.append("Menu")
    case .function(let number): parts.append("F\(number)")
    case .character(let character): parts.append(character.uppercased())
    }
    return parts.joined(separator: "+")
  }
}

// MARK: - Performing commands

extension GalleryScreen {
  /// Performs the command of a key or a typed text.
  ///
  /// - Returns: Whether there is one.
  func handleCommand(_ event: InputEvent) -> Bool {
    let isViewing = viewer.isOpen
    for command in GalleryCommand.table where command.scope.applies(isViewing: isViewing) {
      switch event.kind {
      case .keyDown(let key, let modifiers, let isRepeat):
        guard let shortcut = command.shortcut(for: key, modifiers) else { continue }
        if isRepeat, !shortcut.repeats { return true }
      case .text(let text): guard command.perform != nil, command.typedTexts.contains(text) else { continue }
      default: return false
      }
      if command.isEnabled(self) { command.perform?(self) }
      return true
    }
    return false
  }

  /// Returns a menu, with a group for each of its parts.
  ///
  /// - Parameters:
  ///   - menu: The menu.
  ///   - selectedCount: The number of selected photographs to which the context menu applies.
  func menu(of menu: GalleryCommand.Menu, selectedCount: Int) -> Menu {
    let groups = menu.parts.map { part in
      let actions = GalleryCommand.table.compactMap { command -> MenuAction? in
        guard let item = command.menuItem, item.part == part, selectedCount > 0 || !item.needsSelection,
          command.isShown(self)
        else { return nil }
        return MenuAction(
          title: item.title(selectedCount), attributes: command.isEnabled(self) ? [] : .disabled,
          state: item.isOn(self) == true ? .on : .off, shortcut: command.inputLabels.first ?? ""
        ) { [weak self] in
          if let self { command.perform?(self) }
        }
      }
      return Menu(options: .displayInline, children: actions)
    }
    return Menu(children: groups)
  }

  /// The keys and gestures with their effects, for `--help`.
  package static var keyHelp: [(input: String, effect: String)] {
    GalleryCommand.table.filter { !$0.inputLabels.isEmpty }
      .map { ($0.inputLabels.joined(separator: ", "), $0.effect.replacing("`", with: "")) }
  }

  /// The keys and gestures with their effects, as rows of a table in Markdown.
  static var keyTable: [String] {
    GalleryCommand.table.filter { !$0.inputLabels.isEmpty }.map { command in
      "| " + command.inputLabels.map { $0.count == 1 ? "`\($0)`" : $0 }.joined(separator: ", ")
        + " | \(command.effect) |"
    }
  }
}

// MARK: - The window's actions

/// What a window does for the commands of the gallery that concern it.
package struct WindowActions {
  /// Enters or leaves full screen, or nil if the window cannot.
  package var toggleFullScreen: (() -> Void)?
  /// Returns whether the window is full screen.
  package var isFullScreen: () -> Bool = { false }
  /// Hides the pointer while it is over the window, or shows it again.
  package var setPointerHidden: (Bool) -> Void = { _ in }
  /// Keeps the screen on during a slide show, or permits the desktop to turn it off again.
  package var setScreenSaverDisabled: (Bool) -> Void = { _ in }
  /// Shows the next level of the overlay with the frame rate and the hitches, or nil if there is no overlay.
  package var showFigures: (() -> Void)?
  /// Quits the program, or nil if the window cannot.
  package var quit: (() -> Void)?
  /// Shows a dialog in which the user chooses a folder to open, or nil if the desktop has none.
  ///
  /// The choice is posted to ``GalleryScreen/folderChoices``.
  package var chooseFolder: (() -> Void)?
  /// Opens an address, such as that of a map, in the program that the desktop has for it, or nil if it has none.
  ///
  /// An address that cannot be opened is posted to ``GalleryScreen/unopenedAddresses``.
  package var openAddress: ((String) -> Void)?
  /// Lines about the program, such as its version; empty if none are shown.
  package var about: [String] = []

  /// Returns the color profile of the window's display, or nil if pictures are shown in sRGB.
  ///
  /// Read when the actions are set, and after each `InputEvent.Kind.colorProfileChanged`.
  package var colorProfile: () -> ColorProfile? = { nil }

  /// Creates actions that do nothing.
  package init() {}
}
