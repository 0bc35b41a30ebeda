import VitrineFramePacing
public import VitrineGeometry
public import VitrineRendering

/// A view tree with its frame participants and its routing of input.
///
/// Input events are routed as follows: pointer events to the view under the pointer (captured while a button is
/// pressed), wheel events to the view under the pointer, keys to the first responder and its ancestors, typed text to
/// the view that handled the key, and touch gestures to the views that are touched.
@MainActor
public final class Window {
  /// The view that fills the window.
  public let rootView: View
  /// The resources for drawing: textures, text and shapes.
  public let resources: RenderResources
  /// The color behind all views.
  public var backgroundColor: Color = .black {
    didSet { if backgroundColor != oldValue { setNeedsFrame() } }
  }
  /// The view that receives keys first.
  public weak var firstResponder: View? {
    didSet {
      guard firstResponder !== oldValue else { return }
      let responder = firstResponder
      oldValue?.didResignFirstResponder()
      // The last one may have chosen another.
      if firstResponder === responder { responder?.didBecomeFirstResponder() }
    }
  }
  /// What the frame thread is doing.
  public let activity = FrameThreadActivity()
  /// The mistakes in the use of the library that the views found.
  public let misuse = MisuseLog()
  /// Whether animators change frames and transforms at once, as the user prefers.
  ///
  /// Default: false.
  public var reducesMotion = false
  /// A closure that is called after the size or scale changed and the root view was resized.
  public var onResize: (() -> Void)?

  /// Whether a loop runs and presents frames of the window.
  var isRunning = false
  private(set) var needsFrame = true
  private(set) var participants: [any FrameParticipant] = [] {
    didSet {
      participantChain = FrameParticipantChain.chain(of: participants)
      participantChainVersion += 1
    }
  }
  /// The participants as a linked chain.
  private(set) var participantChain: FrameParticipantChain?
  /// A number that changes with the participants.
  private(set) var participantChainVersion = 0
  /// The view in which a button is pressed.
  weak var pointerTarget: View?
  /// The button that is pressed in it.
  private var capturedButton: PointerButton?
  /// The view under the pointer.
  weak var hoveredView: View?
  /// The view that handled the last key press.
  weak var keyTarget: View?
  /// Whether that key press was handled, even if the view is gone.
  private var wasKeyHandled = false
  /// The time of the newest event.
  private(set) var lastEventInstant = FrameInstant.zero
  /// A view that receives every user event before all others, while it is set.
  ///
  /// For interactions independent of the pointer's location, such as autoscroll.
  public weak var grabber: View?
  /// The menu that is shown over the root view, or nil.
  weak var presentedMenu: MenuView?
  /// The gesture recognizers, once a view that has any was touched.
  private(set) var gestures: GestureController?
  /// The assignment of touches to views.
  var touchRouting = TouchRoutingState()

  /// Creates a window with a root view.
  public init(rootView: View, resources: RenderResources) {
    self.rootView = rootView
    self.resources = resources
    rootView.hostWindow = self
  }

  /// Requests a frame.
  public func setNeedsFrame() { needsFrame = true }

  func beginFrame() { needsFrame = false }

  // MARK: - Participants

  /// Adds a participant that is called in every phase, after the existing ones.
  ///
  /// A participant that was added already is ignored.
  public func addParticipant(_ participant: any FrameParticipant) {
    guard isNew(participant) else { return }
    participants.append(participant)
    participant.displayScaleDidChange(resources.scale)
    setNeedsFrame()
  }

  /// Adds a participant that is called in every phase, before the existing ones.
  ///
  /// A participant that was added already is ignored.
  public func addFirstParticipant(_ participant: any FrameParticipant) {
    guard isNew(participant) else { return }
    participants.insert(participant, at: 0)
    participant.displayScaleDidChange(resources.scale)
    setNeedsFrame()
  }

  private func isNew(_ participant: any FrameParticipant) -> Bool {
    guard participants.contains(where: { $0 === participant }) else { return true }
    misuse.report("A \(type(of: participant)) was added as a participant of its window twice. Add it once.")
    return false
  }

  /// Returns whether a view takes part in the frames, or will before the first one.
  func includes(_ participant: any FrameParticipant) -> Bool {
    !isRunning || participants.contains { $0 === participant }
  }

  /// Removes a participant and notifies it.
  public func removeParticipant(_ participant: any FrameParticipant) {
    let count = participants.count
    participants.removeAll { $0 === participant }
    if participants.count < count { participant.framesDidEnd() }
  }

  /// Returns whether frames are produced in which a participant takes part, so that work deferred to them will be done.
  ///
  /// False before a loop runs, after it has ended, and while the window is invisible.
  public func runsFrames(with participant: any FrameParticipant) -> Bool {
    isRunning && participants.contains { $0 === participant }
  }

  // MARK: - Display and memory

  /// Sets the size of the window.
  public func resize(to size: Size) {
    // What the menu was opened at is elsewhere in a window of another size.
    if size != rootView.frame.size { presentedMenu?.onClose() }
    rootView.frame = Rect(origin: .zero, size: size)
    rootView.setNeedsLayout()
    resources.updateTextureLimit(forScreen: size)
    setNeedsFrame()
    onResize?()
  }

  /// Updates all resources and participants for another display scale.
  func scaleDidChange() {
    resources.scaleDidChange()
    participantChain?.displayScaleDidChange(resources.scale)
    setNeedsFrame()
  }

  /// Reduces memory: has all participants release what can be recreated, then evicts unused resources.
  ///
  /// Call it between frames; a loop does so under memory pressure. Resources on screen remain.
  public func handleMemoryPressure() {
    participantChain?.handleMemoryPressure()
    // The next present frees the textures.
    if resources.handleMemoryPressure() { setNeedsFrame() }
  }

  /// Releases memory reserved for further frames after an idle period, and has the participants do so.
  ///
  /// Call it between frames; a loop does so after an idle time. Resources on screen and prepared cells remain, so the
  /// next frame finds all it needs.
  public func releaseIdleResources() {
    resources.releaseIdleResources()
    // Last, because the participants' threads return the memory released before to the system.
    participantChain?.releaseIdleResources()
  }

  // MARK: - Events

  /// Routes an event to the views.
  ///
  /// - Returns: Whether a view handled it; true for touches.
  @discardableResult
  public func dispatch(_ event: InputEvent) -> Bool { dispatch(event, recognizesGestures: true) }

  /// Routes a press of a touch that gesture recognizers have not used.
  func dispatchClick(_ event: InputEvent) { dispatch(event, recognizesGestures: false) }

  @discardableResult
  private func dispatch(_ event: InputEvent, recognizesGestures: Bool) -> Bool {
    lastEventInstant = max(lastEventInstant, event.time)
    if let grabber, event.kind.isUserInput, grabber.handle(event) {
      // They would not see the end of a press that they saw begin.
      gestures?.cancelAll(at: event.time)
      switch event.kind {
      case .pointerUp(_, let button, _) where capturedButton == button: pointerTarget = nil
      case .keyDown: (keyTarget, wasKeyHandled) = (grabber, true)
      default: break
      }
      return true
    }
    if recognizesGestures, gestures != nil || event.kind.mayBeginGesture, handleGesture(event) { return true }
    return routeEvent(event)
  }

  /// Offers an event to the gesture recognizers.
  ///
  /// - Returns: Whether the views do not receive it, or receive it later.
  private func handleGesture(_ event: InputEvent) -> Bool {
    if gestures == nil {
      guard let location = event.kind.gestureLocation,
        !GestureController.recognizers(from: rootView.hitTest(location)).isEmpty
      else { return false }
      let controller = GestureController(self)
      gestures = controller
      // First, so that a gesture is recognized before the window's own long press.
      addFirstParticipant(controller)
    }
    return gestures?.handle(event) == true
  }

  /// Routes an event to the views, but not to gesture recognizers.
  ///
  /// - Returns: Whether a view handled it; true for touches.
  @discardableResult
  func routeEvent(_ event: InputEvent) -> Bool {
    switch event.kind {
    case .pointerMoved(let point):
      let target = pointerTarget ?? rootView.hitTest(point)
      if pointerTarget == nil, target !== hoveredView {
        if let hoveredView { offerEvent(InputEvent(time: event.time, kind: .pointerLeft), to: hoveredView) }
        hoveredView = target
      }
      return offerEvent(event, to: target) != nil
    case .pointerDown(let point, let button, _, _):
      // Another button does not release the capture.
      if let pointerTarget, capturedButton != button {
        return offerEvent(event, to: pointerTarget) != nil
      }
      let user = offerEvent(event, to: rootView.hitTest(point))
      pointerTarget = attachedView(user)
      capturedButton = button
      return user != nil
    case .pointerUp(let point, let button, _):
      let user = offerEvent(event, to: pointerTarget ?? rootView.hitTest(point))
      if capturedButton == button { pointerTarget = nil }
      return user != nil
    case .pointerLeft:
      defer { hoveredView = nil }
      return offerEvent(event, to: hoveredView) != nil
    case .wheel(let wheel):
      return offerEvent(event, to: rootView.hitTest(wheel.location)) != nil
    case .keyDown:
      let user = offerEvent(event, to: firstResponder ?? rootView)
      // The view that handled the event may have left the tree.
      wasKeyHandled = user != nil
      keyTarget = attachedView(user)
      return wasKeyHandled
    case .text:
      // A key that was handled does not also type text, even if it moved the keyboard focus.
      if wasKeyHandled { return keyTarget?.handle(event) ?? false }
      return offerEvent(event, to: firstResponder ?? rootView) != nil
    case .markedText:
      return offerEvent(event, to: firstResponder ?? rootView) != nil
    case .keyUp:
      wasKeyHandled = false
      // The release goes to the view that handled the press, even if the focus has moved.
      if let keyTarget, !isInResponderChain(keyTarget), keyTarget.handle(event) { return true }
      return offerEvent(event, to: firstResponder ?? rootView) != nil
    case .filesDropped:
      return offerEvent(event, to: attachedView(hoveredView) ?? firstResponder ?? rootView) != nil
    case .touch(let touch):
      handleTouch(touch, at: event.time)
      return true
    case .pan(let pan):
      return offerEvent(event, to: rootView.hitTest(pan.location)) != nil
    case .pinch(let pinch):
      return offerEvent(event, to: rootView.hitTest(pinch.location)) != nil
    case .exposed, .shown:
      setNeedsFrame()
    case .hidden:
      cancelInteractions(at: event.time)
      // No event reports that the pointer left an invisible window.
      if let hoveredView { offerEvent(InputEvent(time: event.time, kind: .pointerLeft), to: hoveredView) }
      hoveredView = nil
    case .cancelled:
      cancelInteractions(at: event.time)
    case .resized, .displayChanged, .colorProfileChanged, .texturesLost, .quit:
      break
    }
    return false
  }

  /// Returns whether a view is the first responder or its ancestor.
  private func isInResponderChain(_ view: View) -> Bool {
    var next: View? = firstResponder ?? rootView
    while let current = next, current !== view { next = current.superview }
    return next != nil
  }

  /// Offers an event to a view and then to its ancestors.
  ///
  /// - Returns: The view that handled it, or nil if there is none.
  @discardableResult
  func offerEvent(_ event: InputEvent, to first: View?) -> View? {
    var view = first
    while let current = view {
      if current.handle(event) { return current }
      view = current.superview
    }
    return nil
  }
}

// MARK: - Cancellation

/// Cancellation of interactions whose view leaves the tree or whose end will not be reported.
extension Window {
  /// Cancels all interactions and notifies the views.
  func cancelInteractions(at time: FrameInstant) {
    if let menu = presentedMenu {
      menu.onClose()
      // There may be no more frames in which it fades out.
      menu.removeFromSuperview()
    }
    gestures?.cancelAll(at: time)
    cancelTouches(at: time)
    let holders = [pointerTarget, keyTarget, grabber].compactMap { $0 }
    (pointerTarget, keyTarget) = (nil, nil)
    for (index, holder) in holders.enumerated() where !holders[..<index].contains(where: { $0 === holder }) {
      offerEvent(InputEvent(time: time, kind: .cancelled), to: holder)
    }
    grabber = nil
  }

  /// Cancels the interactions of a view that leaves the tree and of its descendants.
  ///
  /// The pointer then counts as being over the superview.
  func viewWillLeave(_ view: View) {
    // Input methods must not compose for a field that is gone.
    if let field = firstResponder as? TextField, isAncestor(view, of: field) { firstResponder = nil }
    if isAncestor(view, of: hoveredView) { hoveredView = view.superview }
    cancelTouches(in: view, at: lastEventInstant)
    gestures?.cancelGestures(in: view)
    if let holder = pointerTarget, isAncestor(view, of: holder) {
      pointerTarget = nil
      sendCancellation(to: holder, upTo: view)
    }
    if let holder = keyTarget, isAncestor(view, of: holder) {
      keyTarget = nil
      sendCancellation(to: holder, upTo: view)
    }
    if let holder = grabber, isAncestor(view, of: holder) {
      sendCancellation(to: holder, upTo: view)
      if grabber === holder { grabber = nil }
    }
  }

  /// Returns the view, or nil if it has left the tree while handling an event.
  func attachedView(_ view: View?) -> View? { view.flatMap { isAncestor(rootView, of: $0) ? $0 : nil } }

  /// Returns whether a view is another one or its ancestor.
  func isAncestor(_ view: View, of other: View?) -> Bool {
    var ancestor = other
    while let current = ancestor, current !== view { ancestor = current.superview }
    return ancestor != nil
  }

  /// Sends a cancellation to a view and to those of its ancestors that leave with it.
  private func sendCancellation(to holder: View, upTo last: View) {
    var view: View? = holder
    while let current = view {
      _ = current.handle(InputEvent(time: lastEventInstant, kind: .cancelled))
      view = current === last ? nil : current.superview
    }
  }
}

extension InputEvent.Kind {
  /// Whether an event may begin a gesture.
  fileprivate var mayBeginGesture: Bool {
    switch self {
    case .pointerDown(_, .primary, _, _): true
    case .touch(let touch): touch.phase == .began
    case .pinch(let pinch): pinch.phase == .began
    case .wheel(let wheel): wheel.modifiers.contains(.control)
    default: false
    }
  }

  /// The location at which a gesture may begin.
  fileprivate var gestureLocation: Point? {
    switch self {
    case .pointerDown(let location, _, _, _): location
    case .touch(let touch): touch.location
    case .pinch(let pinch): pinch.location
    case .wheel(let wheel): wheel.location
    default: nil
    }
  }
}

// MARK: - Misuse

/// The sentences about mistakes in the use of the library that a window's views found: what is wrong, and the cure.
///
/// A mistake that would corrupt the view stops the program instead. Each sentence is reported once. A host prints them
/// to standard error.
@MainActor
public final class MisuseLog {
  /// The sentences so far.
  public private(set) var sentences: [String] = []
  /// A closure that is called with each new sentence; nil by default.
  public var onReport: ((_ sentence: String) -> Void)?

  /// The maximum number of sentences; later ones are ignored.
  private static let maximumCount = 100

  init() {}

  /// Reports a mistake, unless its sentence was reported before.
  package func report(_ sentence: String) {
    guard sentences.count < MisuseLog.maximumCount, !sentences.contains(sentence) else { return }
    sentences.append(sentence)
    onReport?(sentence)
  }
}
