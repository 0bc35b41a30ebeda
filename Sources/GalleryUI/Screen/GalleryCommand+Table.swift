import CollectionUI
import VitrineCollectionEngine
import VitrineGeometry
import VitrinePhotoLibrary
import VitrineRendering

extension GalleryCommand {
  /// All commands, in the order of the menu, the list of keyboard shortcuts and the documents.
  static let table: [GalleryCommand] =
    navigation + display + filtering + picture + comparison + slideShow + copying + selection + actions

  private static let navigation: [GalleryCommand] = [
    GalleryCommand(
      group: .navigation, summary: "side bar", effect: "show or hide the side bar with folders and dates",
      shortcuts: [KeyboardShortcut(.function(9))],
      menuItem: MenuItem(.panels, isOn: { $0.isSideBarShown }) { _ in "Side bar" }, icon: .sideBar, isInHeaderBar: true,
      isShown: { !$0.viewer.isOpen }, perform: { $0.isSideBarShown.toggle() }),
    GalleryCommand(
      group: .navigation, summary: "back", effect: "go back to the folder that was open before",
      shortcuts: [KeyboardShortcut(.left, .alt)], menuItem: MenuItem(.folders) { _ in "Back" }, icon: .back,
      isInHeaderBar: true, isEnabled: { $0.opening.canGoBack }, perform: { $0.opening.goBack() }),
    GalleryCommand(
      group: .navigation, summary: "open a folder", effect: "choose a folder to open",
      shortcuts: [KeyboardShortcut(.character("o"), .control)], menuItem: MenuItem(.folders) { _ in "Open folder…" },
      isShown: { $0.windowActions.chooseFolder != nil }, isEnabled: { $0.windowActions.chooseFolder != nil },
      perform: { $0.windowActions.chooseFolder?() }),
    GalleryCommand(
      group: .navigation, summary: "search", effect: "search for names, folders, dates and more",
      shortcuts: [KeyboardShortcut(.character("f"), .control)],
      menuItem: MenuItem(.folders) { _ in "Search" }, perform: { $0.header.beginSearch() }),
    GalleryCommand(
      group: .navigation, summary: "header bar, photographs",
      effect: "move the keyboard focus to the next part of the window: the photographs, the header bar, the side bar",
      shortcuts: [KeyboardShortcut(.function(6))], perform: { $0.moveFocusToNextPart() }),
    GalleryCommand(
      group: .navigation, summary: "next photograph",
      effect:
        "go to the next photograph in this direction and select it; with Shift extend the selection, with Ctrl only move the focus",
      inputs: ["←", "→", "↑", "↓"]),
    GalleryCommand(
      group: .navigation, summary: "one page", effect: "go on by a page, as with arrow keys",
      inputs: ["Page Up", "Page Down"]),
    GalleryCommand(
      group: .navigation, summary: "first, last", effect: "go to the first or last photograph, as with arrow keys",
      inputs: ["Home", "End"]),
    GalleryCommand(
      group: .navigation, summary: "focus next, previous",
      effect: "go to the next or previous photograph without selecting it, or of those that are compared",
      inputs: ["Tab", "Shift+Tab"]),
    GalleryCommand(
      group: .navigation, summary: "find a name",
      effect: "go to the next name that begins with the typed letters; Backspace deletes the last one", inputs: ["A…Z"]),
    GalleryCommand(
      group: .navigation, summary: "scroll by a page", effect: "scroll down by a page; with Shift up", inputs: ["Space"]
    ),
    GalleryCommand(group: .navigation, effect: "scroll", inputs: ["wheel", "trackpad", "finger"]),
    GalleryCommand(
      group: .navigation, summary: "autoscroll",
      effect: "scroll at a speed that depends on the distance; after a click, until the next press",
      inputs: ["pressed wheel"]),
  ]

  private static let display: [GalleryCommand] = [
    GalleryCommand(
      group: .display, summary: "open, close",
      effect: "show the picture in the whole window, and return; as a double click does",
      inputs: ["Enter"], menuItem: MenuItem(.opening, needsSelection: true) { _ in "Open" },
      isEnabled: { $0.overlays.menuItemPath != nil }, perform: { $0.openMenuItem() }),
    GalleryCommand(
      group: .display, summary: "larger, smaller", effect: "enlarge the photographs, or the picture", inputs: ["+"],
      shortcuts: magnifyingKeys(["+", "="]), typedTexts: ["+", "="], scope: .everywhere,
      menuItem: MenuItem(.sizes) { _ in "Larger" },
      perform: { $0.zoom(by: 1) }),
    GalleryCommand(
      group: .display, summary: "larger, smaller", effect: "shrink the photographs, or the picture", inputs: ["−"],
      shortcuts: magnifyingKeys(["-"]), typedTexts: ["-", "−"], scope: .everywhere,
      menuItem: MenuItem(.sizes) { _ in "Smaller" },
      perform: { $0.zoom(by: -1) }),
    GalleryCommand(
      group: .display, summary: "larger, smaller",
      effect: "enlarge or shrink the photographs or the picture at the pointer; as a pinch with two fingers does",
      inputs: ["Ctrl+wheel"]),
    GalleryCommand(
      group: .display, summary: "reset the size",
      effect: "show the photographs in their usual size, or the whole picture",
      shortcuts: [KeyboardShortcut(.character("0"), .control)], scope: .everywhere,
      menuItem: MenuItem(.sizes) { _ in "Usual size" },
      perform: { $0.resetZoom() }),
    layout("1", .grid, "in a grid", "Grid", .grid), layout("2", .justified, "in rows", "Rows", .justified),
    layout("3", .mosaic, "as a mosaic", "Mosaic", .mosaic), layout("4", .list, "as a list", "List", .list),
    grouping("5", GalleryGrouping.none, "no groups", "No groups"),
    grouping("6", .folder, "a group for each folder", "Group by folder"),
    grouping("7", .month, "a group for each month", "Group by month"),
    GalleryCommand(
      group: .display, summary: "full screen",
      effect: "enter or leave full screen; Esc leaves what was entered in the viewer",
      shortcuts: [KeyboardShortcut(.function(11))], scope: .everywhere,
      menuItem: MenuItem(.panels) { _ in "Full screen" }, isShown: { $0.windowActions.toggleFullScreen != nil },
      perform: { $0.viewer.isOpen ? $0.viewer.fullScreen.toggle() : $0.toggleFullScreen() }),
    GalleryCommand(
      group: .display, summary: "frame rate and hitches",
      effect: "show the next level of the overlay, with the frame rate and the hitches",
      shortcuts: [KeyboardShortcut(.function(3))], scope: .everywhere,
      menuItem: MenuItem(.panels) { _ in "Figures" }, isShown: { $0.windowActions.showFigures != nil },
      perform: { $0.windowActions.showFigures?() }),
  ]

  private static func layout(
    _ key: Character, _ kind: GalleryLayoutKind, _ name: String, _ title: String, _ icon: LineIcon
  ) -> GalleryCommand {
    GalleryCommand(
      group: .display, summary: "grid, rows, mosaic, list", effect: "show the photographs \(name)",
      shortcuts: [KeyboardShortcut(.character(key), .alt)],
      menuItem: MenuItem(.layouts, isOn: { $0.gridController.layoutKind == kind }) { _ in title },
      icon: icon, perform: { $0.setLayout(kind) })
  }

  private static func grouping(_ key: Character, _ grouping: GalleryGrouping, _ name: String, _ title: String)
    -> GalleryCommand
  {
    GalleryCommand(
      group: .display, summary: "group by folder, month", effect: "show \(name)",
      shortcuts: [KeyboardShortcut(.character(key), .alt)],
      menuItem: MenuItem(.grouping, isOn: { $0.library.arrangement.grouping == grouping }) { _ in title },
      perform: { $0.setGrouping(grouping) })
  }

  private static let filtering: [GalleryCommand] = [
    filter("portrait", "upright pictures", "Upright only", insteadOf: ["landscape", "square", "panorama"]),
    filter("landscape", "wide pictures", "Wide only", insteadOf: ["portrait", "square"]),
    filter("rating:>=4", "pictures that are rated 4 or more", "Rated 4 or more"),
    filter("has:place", "pictures with a place", "With a place"),
  ]

  private static func filter(_ term: String, _ name: String, _ title: String, insteadOf others: [String] = [])
    -> GalleryCommand
  {
    GalleryCommand(
      group: .display, effect: "show only \(name)",
      menuItem: MenuItem(.filtering, isOn: { $0.libraryController.query.contains(term) }) { _ in title },
      perform: { $0.toggleSearch(for: term, insteadOf: others) })
  }

  private static let slideShow: [GalleryCommand] =
    [
      GalleryCommand(
        group: .picture, summary: "slide show, pause",
        effect: "show the pictures one after the other in full screen; Esc and keys that show another picture end it",
        shortcuts: [KeyboardShortcut(.function(8))], scope: .everywhere,
        menuItem: MenuItem(.slideShow, isOn: { $0.viewer.slideShow.isRunning }) { _ in "Slide show" },
        isEnabled: { $0.library.count > 0 }, perform: { $0.toggleSlideShow() }),
      GalleryCommand(
        group: .picture, summary: "slide show, pause",
        effect: "pause the animation of the picture, and let it continue",
        inputs: ["P"], typedTexts: ["p", "P"], scope: .viewer,
        menuItem: MenuItem(.slideShow, isOn: { $0.viewer.animation.isPaused }) { _ in "Pause the animation" },
        isShown: { $0.viewer.isOpen && $0.viewer.animation.isPlaying }, perform: { $0.viewer.toggleAnimation() }),
    ]
    + SlideShow.Interval.allCases.map { interval in
      GalleryCommand(
        group: .picture, effect: "show each picture of a slide show for \(interval.rawValue) seconds",
        menuItem: MenuItem(.slideShow, isOn: { $0.viewer.slideShow.interval == interval }) { _ in
          "\(interval.rawValue) seconds each"
        },
        isShown: { $0.viewer.isOpen }, perform: { $0.viewer.slideShow.interval = interval })
    } + [
      GalleryCommand(
        group: .picture, effect: "show the pictures of a slide show in random order",
        menuItem: MenuItem(.slideShow, isOn: { $0.viewer.slideShow.isShuffled }) { _ in "Random order" },
        isShown: { $0.viewer.isOpen }, perform: { $0.viewer.slideShow.isShuffled.toggle() })
    ]

  private static let picture: [GalleryCommand] = [
    GalleryCommand(
      group: .picture, summary: "next, previous", effect: "show the next or previous picture",
      inputs: ["→ ←"], scope: .viewer),
    GalleryCommand(
      group: .picture, summary: "whole, own pixels, covering", effect: "show the whole picture; as Ctrl+0 does",
      inputs: ["0"], typedTexts: ["0"], scope: .viewer,
      menuItem: MenuItem(.magnifying, isOn: { $0.viewer.fitting == .whole }) { _ in "Whole picture" },
      perform: { $0.viewer.zoom(to: .whole) }),
    GalleryCommand(
      group: .picture, summary: "whole, own pixels, covering",
      effect: "show the picture's own pixels, one in a pixel of the display; as a double click does", inputs: ["1"],
      typedTexts: ["1"], scope: .viewer,
      menuItem: MenuItem(.magnifying, isOn: { $0.viewer.showsOwnPixels }) { _ in "Own pixels (100 %)" },
      perform: { $0.viewer.zoomToOwnPixels() }),
    GalleryCommand(
      group: .picture, summary: "whole, own pixels, covering", effect: "cover the window with the picture",
      inputs: ["2"],
      typedTexts: ["2"], scope: .viewer,
      menuItem: MenuItem(.magnifying, isOn: { $0.viewer.fitting == .covering }) { _ in "Cover the window" },
      perform: { $0.viewer.zoom(to: .covering) }),
    GalleryCommand(
      group: .picture, summary: "keep the zoom", effect: "keep the magnification and the place for the next pictures",
      inputs: ["K"], typedTexts: ["k", "K"], scope: .viewer,
      menuItem: MenuItem(.magnifying, isOn: { $0.viewer.keepsZoom }) { _ in "Keep the zoom" },
      perform: { $0.viewer.keepsZoom.toggle() }),
    GalleryCommand(
      group: .picture, summary: "rotate", effect: "rotate the picture clockwise; the file stays as it is",
      inputs: ["R"],
      typedTexts: ["r"], scope: .viewer, menuItem: MenuItem(.turning) { _ in "Rotate right" },
      perform: { $0.viewer.rotatePicture(byQuarterTurns: 1) }),
    GalleryCommand(
      group: .picture, summary: "rotate", effect: "rotate the picture counterclockwise", inputs: ["Shift+R"],
      typedTexts: ["R"], scope: .viewer, menuItem: MenuItem(.turning) { _ in "Rotate left" },
      perform: { $0.viewer.rotatePicture(byQuarterTurns: -1) }),
    GalleryCommand(
      group: .picture, effect: "exchange left and right of the picture",
      menuItem: MenuItem(.turning) { _ in "Flip horizontally" }, perform: { $0.viewer.flipPictureHorizontally() }),
    GalleryCommand(
      group: .picture, effect: "exchange top and bottom of the picture",
      menuItem: MenuItem(.turning) { _ in "Flip vertically" }, perform: { $0.viewer.flipPictureVertically() }),
    GalleryCommand(
      group: .picture, summary: "film strip, information",
      effect: "show or hide the thumbnails of the pictures before and after", inputs: ["T"],
      typedTexts: ["t", "T"], scope: .viewer,
      menuItem: MenuItem(.panels, isOn: { $0.viewer.filmStrip.isShown }) { _ in "Film strip" },
      isShown: { $0.viewer.isOpen }, perform: { $0.viewer.filmStrip.isShown.toggle() }),
    GalleryCommand(
      group: .picture, summary: "film strip, information",
      effect: "show or hide the date, the camera, the place and the histogram of the picture", inputs: ["I"],
      typedTexts: ["i", "I"], scope: .viewer,
      menuItem: MenuItem(.panels, isOn: { $0.viewer.information.isShown }) { _ in "Information" },
      isShown: { $0.viewer.isOpen }, perform: { $0.viewer.information.isShown.toggle() }),
    GalleryCommand(
      group: .picture, effect: "show the place of the picture on a map",
      menuItem: MenuItem(.panels) { _ in "Place on a map" },
      isShown: { $0.viewer.isOpen && $0.viewer.information.placeAddress != nil },
      perform: { $0.viewer.information.openPlace() }),
    GalleryCommand(
      group: .picture, summary: "move an enlarged picture", effect: "move an enlarged picture",
      inputs: ["drag", "Ctrl+← →"], scope: .viewer),
    GalleryCommand(
      group: .picture, effect: "return to the photographs", menuItem: MenuItem(.closing) { _ in "Close" },
      perform: { $0.viewer.close() }),
  ]

  private static let comparison: [GalleryCommand] = [
    GalleryCommand(
      group: .picture, summary: "compare, take out, link",
      effect: "show the two to four selected photographs side by side",
      shortcuts: [KeyboardShortcut(.character("c"), .alt)],
      menuItem: MenuItem(.opening, needsSelection: true) { _ in "Compare" },
      isShown: { !$0.viewer.isOpen && !$0.comparableItems.isEmpty }, perform: { $0.compareSelection() }),
    GalleryCommand(
      group: .picture, summary: "compare, take out, link", effect: "show the next picture beside this one, up to four",
      inputs: ["C"], typedTexts: ["c", "C"], scope: .viewer,
      menuItem: MenuItem(.comparing) { _ in "Compare with the next picture" },
      isEnabled: { $0.viewer.canCompare }, perform: { $0.viewer.compareWithNext() }),
    GalleryCommand(
      group: .picture, summary: "compare, take out, link", effect: "take the picture out of the comparison",
      inputs: ["X"], typedTexts: ["x", "X"], scope: .viewer,
      menuItem: MenuItem(.comparing) { _ in "Take out of the comparison" }, isShown: { $0.viewer.isComparing },
      perform: { $0.viewer.removeFromComparison() }),
    GalleryCommand(
      group: .picture, summary: "compare, take out, link",
      effect: "enlarge and move compared pictures together, or each on its own", inputs: ["L"],
      typedTexts: ["l", "L"], scope: .viewer,
      menuItem: MenuItem(.comparing, isOn: { $0.viewer.isLinked }) { _ in "Move pictures together" },
      isShown: { $0.viewer.isComparing }, perform: { $0.viewer.isLinked.toggle() }),
    GalleryCommand(
      group: .picture, effect: "move only one of the compared pictures, to align it with the others",
      inputs: ["Shift+drag"], scope: .viewer),
  ]

  private static func magnifyingKeys(_ keys: [Character]) -> [KeyboardShortcut] {
    keys.flatMap { key in
      [KeyModifiers.control, [.control, .shift]].map { KeyboardShortcut(.character(key), $0, repeats: true) }
    }
  }

  private static let selection: [GalleryCommand] = [
    GalleryCommand(
      group: .selection, effect: "select one photograph; with Ctrl toggle one, with Shift select a range",
      inputs: ["click"]),
    GalleryCommand(
      group: .selection, effect: "select with a rectangle; with Ctrl toggle, with Shift add",
      inputs: ["drag between photographs"]),
    GalleryCommand(
      group: .selection, summary: "extend the selection", effect: "extend the selection", inputs: ["Shift+arrows"]),
    GalleryCommand(
      group: .selection, summary: "move only the focus", effect: "move only the focus", inputs: ["Ctrl+arrows"]),
    GalleryCommand(
      group: .selection, summary: "toggle the focused one",
      effect: "add the focused photograph to the selection, or remove it", inputs: ["Ctrl+Space"]),
    GalleryCommand(
      group: .selection, effect: "extend the selection to whole sections",
      menuItem: MenuItem(.selecting, needsSelection: true) { _ in "Select section" },
      isShown: { $0.sectionCount > 1 }, perform: { $0.gridController.selectSections() }),
    GalleryCommand(
      group: .selection, summary: "select all", effect: "select all photographs", inputs: ["Ctrl+A"],
      menuItem: MenuItem(.selecting) { _ in "Select all" }, isEnabled: { $0.library.count > 0 },
      perform: { $0.grid.select(.all) }),
    GalleryCommand(
      group: .selection, summary: "select none",
      effect: "close the menu, the picture or the search, end the rectangle, or clear the selection", inputs: ["Esc"]),
  ]

  private static let copying: [GalleryCommand] = [
    GalleryCommand(
      group: .action, summary: "copy paths", effect: "copy the paths of the selection",
      shortcuts: [KeyboardShortcut(.character("c"), .control)], scope: .everywhere,
      menuItem: MenuItem(.copying, needsSelection: true) { $0 == 1 ? "Copy path" : "Copy paths" },
      perform: { $0.copyShownPaths(as: .plain) }),
    GalleryCommand(
      group: .action, summary: "copy URLs", effect: "copy the URLs (`file://`) of the selection",
      shortcuts: [KeyboardShortcut(.character("c"), [.control, .shift])], scope: .everywhere,
      menuItem: MenuItem(.copying, needsSelection: true) { $0 == 1 ? "Copy URL" : "Copy URLs" },
      perform: { $0.copyShownPaths(as: .urls) }),
  ]

  private static let actions: [GalleryCommand] = [
    sort("1", .name, "name"), sort("2", .date, "date"), sort("3", .size, "size"),
    GalleryCommand(
      group: .action, summary: "open the menu", effect: "open the menu; as the right button does",
      inputs: ["Menu", "Shift+F10"]),
    GalleryCommand(
      group: .action, summary: "read folders again",
      effect: "read the folders again, and resume decoding if it was stopped",
      shortcuts: [KeyboardShortcut(.function(5))], scope: .everywhere,
      menuItem: MenuItem(.folders) { _ in "Read folders again" }, perform: { $0.rescanFolders() }),
    GalleryCommand(
      group: .action, summary: "show all keys", effect: "show all keys", inputs: ["F1", "?"],
      shortcuts: [KeyboardShortcut(.function(1))], typedTexts: ["?"], scope: .everywhere,
      menuItem: MenuItem(.help) { _ in "All keys" }, perform: { $0.overlays.showKeyboardShortcuts() }),
    GalleryCommand(
      group: .action, effect: "make the thumbnails of all photographs while nothing else is done",
      menuItem: MenuItem(.storing, isOn: { $0.makesLibraryThumbnails }) { _ in "Thumbnails of all photographs" },
      isShown: { $0.canMakeLibraryThumbnails }, perform: { $0.makesLibraryThumbnails.toggle() }),
    GalleryCommand(
      group: .action, effect: "show the version", menuItem: MenuItem(.help) { _ in "About" },
      isShown: { !$0.windowActions.about.isEmpty },
      perform: { $0.overlays.showAbout("Vitrine", $0.windowActions.about) }),
    GalleryCommand(
      group: .action, summary: "quit", effect: "quit",
      shortcuts: ["q", "w"].map { KeyboardShortcut(.character($0), .control) }, scope: .everywhere,
      menuItem: MenuItem(.help) { _ in "Quit" }, isShown: { $0.windowActions.quit != nil },
      perform: { $0.windowActions.quit?() }),
  ]

  private static func sort(_ key: Character, _ sorting: GallerySorting, _ name: String) -> GalleryCommand {
    GalleryCommand(
      group: .action, summary: "sort by name, date, size", effect: "sort by \(name)",
      shortcuts: [KeyboardShortcut(.character(key), .control)],
      menuItem: MenuItem(.sorting, isOn: { $0.library.sorting == sorting }) { _ in "Sort by \(name)" },
      perform: { $0.libraryController.sort(by: sorting) })
  }
}
