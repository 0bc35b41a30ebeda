import VitrineFramePacing
public import VitrineGeometry

extension View {
  /// Shows a menu over the content of the window.
  ///
  /// The menu opens with its top left corner at the point, or in another direction where there is no space, and is always
  /// inside the window. It is operated by clicks, by dragging from the press that opened it to an entry, by touch, and by
  /// keys: arrows, Return, Escape, and letters that highlight the next entry that begins with them. It closes when an
  /// entry is chosen, by a press outside of it, when the window is resized, hidden or loses the keyboard focus, and when
  /// another menu is shown. The first responder is the same one afterwards as before.
  ///
  /// - Parameters:
  ///   - menu: The menu.
  ///   - point: The position of the menu, in this view's coordinates.
  ///   - palette: The colors. Default: the dark ones.
  ///   - onClose: Called once when the menu closes, before the action is performed. Default: none.
  /// - Returns: Whether the menu is shown; false if the view is in no window or the menu has no entries.
  @discardableResult
  public final func showMenu(
    _ menu: Menu, at point: Point, palette: InterfacePalette = .dark, onClose: (() -> Void)? = nil
  ) -> Bool {
    guard let window, !menu.entries.isEmpty else { return false }
    window.presentMenu(menu, at: frameInWindow.origin + point, palette: palette, onClose: onClose)
    return true
  }
}

extension Window {
  /// Whether a menu is shown.
  public var isMenuShown: Bool { presentedMenu != nil }

  /// Closes the menu that is shown, if any, without choosing an entry.
  public func dismissMenu() { presentedMenu?.onClose() }

  private static let appearance = FrameDuration.milliseconds(110)
  private static let disappearance = FrameDuration.milliseconds(80)
  /// The distance by which the menu moves down while it appears, in points.
  private static let appearanceDistance = 4.0

  fileprivate func presentMenu(_ menu: Menu, at point: Point, palette: InterfacePalette, onClose: (() -> Void)?) {
    // A menu that closes may show another one. One that always does is shown beneath.
    for _ in 0..<8 where presentedMenu != nil { dismissMenu() }
    let view = MenuView(menu, at: point, colors: MenuColors(palette))
    view.onClose = { [weak self, weak view, weak responder = firstResponder] in
      guard let self, let view, view.isUserInteractionEnabled else { return }
      if presentedMenu === view { presentedMenu = nil }
      closeMenu(view)
      if firstResponder == nil || firstResponder === view { firstResponder = attachedView(responder) }
      onClose?()
    }
    view.frame = rootView.bounds
    rootView.addSubview(view)
    presentedMenu = view
    firstResponder = view
    view.beginTracking()
    let animator = ViewAnimator(duration: Window.appearance, curve: .easeOut)
    for panel in view.panels {
      panel.alpha = 0
      if !reducesMotion { panel.transform = Transform(translationX: 0, y: -Window.appearanceDistance) }
      animator.animate(panel, alpha: 1, transform: .identity)
    }
    animator.start()
  }

  /// Fades a menu out, which receives no input any more.
  private func closeMenu(_ view: MenuView) {
    if grabber === view { grabber = nil }
    view.isUserInteractionEnabled = false
    let animator = ViewAnimator(duration: Window.disappearance, curve: .easeIn)
    for panel in view.panels { animator.animate(panel, alpha: 0) }
    animator.addCompletion { [weak view] _ in view?.removeFromSuperview() }
    animator.start()
  }
}
