public import VitrineRendering

/// An element of a menu: a ``MenuAction``, or a ``Menu`` that is a submenu or a group.
@MainActor
public protocol MenuElement {
  /// The title.
  var title: String { get }
}

/// A menu of actions, groups and submenus.
///
/// A menu is a value without state. It is shown by ``View/showMenu(_:at:palette:onClose:)``, and as the context menu of
/// items by the delegate of a collection view.
///
/// ```swift
/// let menu = Menu(children: [
///   MenuAction(title: "Open", shortcut: "Return") { … },
///   Menu(title: "Sort by", children: [
///     MenuAction(title: "Name", state: .on) { … },
///     MenuAction(title: "Date") { … },
///   ]),
///   Menu(options: .displayInline, children: [
///     MenuAction(title: "Delete", attributes: .destructive) { … },
///   ]),
/// ])
/// view.showMenu(menu, at: point)
/// ```
public struct Menu: MenuElement {
  /// How a menu is displayed in the menu that contains it.
  public nonisolated struct Options: OptionSet, Hashable, Sendable {
    /// The bits of the set.
    public let rawValue: Int

    /// Creates a set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The children are displayed in the containing menu, as a group between separators.
    ///
    /// Without this option the menu is a submenu, which opens beside its entry.
    public static let displayInline = Options(rawValue: 1)
  }

  /// The title of a submenu.
  public var title: String
  /// The image of a submenu, or nil for none.
  public var image: ActionImage?
  /// How the menu is displayed in the menu that contains it.
  public var options: Options
  /// The elements, from top to bottom.
  public var children: [any MenuElement]

  /// Creates a menu.
  public init(
    title: String = "", image: ActionImage? = nil, options: Options = [], children: [any MenuElement] = []
  ) {
    (self.title, self.image, self.options, self.children) = (title, image, options, children)
  }

  /// The actions of the menu and of its groups, without those of submenus.
  package var actions: [MenuAction] { entries.compactMap(\.action) }

  /// The entries of the menu, with those of its groups.
  var entries: [MenuEntry] {
    var entries: [MenuEntry] = []
    var beginsGroup = false
    append(to: &entries, &beginsGroup)
    return entries
  }

  private func append(to entries: inout [MenuEntry], _ beginsGroup: inout Bool) {
    for child in children {
      if let group = child as? Menu, group.options.contains(.displayInline) {
        beginsGroup = true
        group.append(to: &entries, &beginsGroup)
        beginsGroup = true
        continue
      }
      if let action = child as? MenuAction, action.attributes.contains(.hidden) { continue }
      // A submenu without entries cannot be opened.
      if let menu = child as? Menu, menu.entries.isEmpty { continue }
      entries.append(MenuEntry(element: child, beginsGroup: beginsGroup && !entries.isEmpty))
      beginsGroup = false
    }
  }
}

/// An entry of a menu that performs an action.
public struct MenuAction: MenuElement {
  /// The properties of an action.
  public nonisolated struct Attributes: OptionSet, Hashable, Sendable {
    /// The bits of the set.
    public let rawValue: Int

    /// Creates a set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The action cannot be performed.
    public static let disabled = Attributes(rawValue: 1)
    /// The action deletes something; its title has the palette's color for destructive actions.
    public static let destructive = Attributes(rawValue: 2)
    /// The action is not displayed.
    public static let hidden = Attributes(rawValue: 4)
  }

  /// Whether an action is a choice that is selected.
  public nonisolated enum State: Hashable, Sendable {
    /// No mark.
    case off
    /// A check mark in front of the title.
    case on
  }

  /// The title.
  public var title: String
  /// The image in front of the title, or nil for none.
  public var image: ActionImage?
  /// The properties.
  public var attributes: Attributes
  /// Whether the action is marked as selected.
  public var state: State
  /// The keyboard shortcut, which is only displayed; empty for none.
  public var shortcut: String
  /// Performs the action, after the menu has closed.
  public var handler: () -> Void

  /// Creates an action.
  public init(
    title: String, image: ActionImage? = nil, attributes: Attributes = [], state: State = .off, shortcut: String = "",
    handler: @escaping () -> Void
  ) {
    (self.title, self.image, self.attributes, self.state) = (title, image, attributes, state)
    (self.shortcut, self.handler) = (shortcut, handler)
  }

  /// Whether the action can be performed.
  package var isEnabled: Bool { !attributes.contains(.disabled) }
}

/// The image of a menu's action or of a swipe action.
public enum ActionImage {
  /// A bitmap in its own colors, displayed in a square of 16 points.
  case bitmap(Bitmap)
  /// The outline of a path in a square of 16 points, drawn in the color of the title.
  case glyph(Path)
}

/// An entry of a menu: an action or a submenu.
struct MenuEntry {
  /// The action or the submenu.
  let element: any MenuElement
  /// Whether a separator precedes the entry.
  let beginsGroup: Bool

  /// The action, or nil for a submenu.
  var action: MenuAction? { element as? MenuAction }
  /// The submenu, or nil for an action.
  var submenu: Menu? { element as? Menu }
  /// The title.
  var title: String { element.title }
  /// The image, or nil.
  var image: ActionImage? { action?.image ?? submenu?.image }
  /// Whether the entry can be chosen.
  var isEnabled: Bool { action?.isEnabled ?? true }
}
