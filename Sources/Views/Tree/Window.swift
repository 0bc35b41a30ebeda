import FramePacing
public import Geometry
public import Rendering

/// The root of a view tree and its dirty state: an instance, never a global.
///
/// Gives input to views: the pointer to what it hit (captured while a button is down), the wheel to what it is over,
/// keys to the first responder and then to those above it, text that is typed to where its key was used, and what fingers
/// on a screen mean to what they touch.
public final class Window {
  /// The view that fills the window.
  public let root: View
  /// What drawing needs: textures, type and shapes.
  public let resources: RenderResources
  /// Filled behind everything.
  public var backgroundColor: Color = .black {
    didSet { if backgroundColor != oldValue { setNeedsFrame() } }
  }
  /// The view that keys go to first.
  public weak var firstResponder: View?
  /// Called when the window learns that its size or scale changed, after the root took it.
  public var onResize: (() -> Void)?

  /// Whether a loop runs and shows its frames.
  var isRunning = false
  private(set) var needsFrame = true
  private(set) var participants: [any FrameParticipant] = [] {
    didSet {
      participantChain = FrameParticipantChain.chain(of: participants)
      participantChainVersion += 1
    }
  }
  /// The participants, to be asked in every phase.
  private(set) var participantChain: FrameParticipantChain?
  /// Tells one cast from another.
  private(set) var participantChainVersion = 0
  /// The view in which a button is held.
  weak var pointerTarget: View?
  /// The button that is held in it.
  private var capturedButton: PointerButton?
  /// The view that the pointer is over.
  weak var hoveredView: View?
  /// The view that used the key that went down last.
  weak var keyTarget: View?
  /// Whether that key was used, also where the view that did is gone.
  private var wasKeyHandled = false
  /// The time of the newest event.
  private(set) var lastEventInstant = FrameInstant.zero
  /// A view that is offered every event of the user's before all others, while it is set.
  ///
  /// For what goes on wherever the pointer is, such as scrolling by how far it is from where a button was pressed.
  public weak var grabber: View?
  /// Which views fingers on the screen mean.
  var touchRouting = TouchRoutingState()

  /// Makes a window over a root view.
  public init(root: View, resources: RenderResources) {
    self.root = root
    self.resources = resources
    root.hostWindow = self
  }

  /// Asks for a frame.
  public func setNeedsFrame() { needsFrame = true }

  func beginFrame() { needsFrame = false }

  /// Adds an object to be asked in every phase, after those added before.
  public func addParticipant(_ participant: any FrameParticipant) {
    participants.append(participant)
    participant.displayScaleDidChange(resources.scale)
    setNeedsFrame()
  }

  /// Adds an object to be asked in every phase, before all others.
  public func addFirstParticipant(_ participant: any FrameParticipant) {
    participants.insert(participant, at: 0)
    participant.displayScaleDidChange(resources.scale)
    setNeedsFrame()
  }

  /// Takes an object out again, and tells it so.
  public func removeParticipant(_ participant: any FrameParticipant) {
    let count = participants.count
    participants.removeAll { $0 === participant }
    if participants.count < count { participant.framesDidEnd() }
  }

  /// Whether frames come in which an object takes part: what it puts off for one is done then.
  ///
  /// False before a loop runs, after it has ended, and while nothing of the window can be seen.
  public func runsFrames(with participant: any FrameParticipant) -> Bool {
    isRunning && participants.contains { $0 === participant }
  }

  /// Takes the display's size and scale.
  public func resize(to size: Size) {
    root.frame = Rect(origin: .zero, size: size)
    root.setNeedsLayout()
    resources.updateTextureLimit(forScreen: size)
    setNeedsFrame()
    onResize?()
  }

  /// The display has another scale: everything is painted and placed anew.
  func scaleDidChange() {
    resources.scaleDidChange()
    participantChain?.displayScaleDidChange(resources.scale)
    setNeedsFrame()
  }

  /// Memory is short: everybody who takes part in frames lets go of what can be had again, and then what nobody shows goes.
  ///
  /// To be called between frames; a loop does where ``CommitLoop/isMemoryShort`` says so. What is on screen stays.
  public func handleMemoryPressure() {
    participantChain?.handleMemoryPressure()
    // The next present gives the memory back.
    if resources.handleMemoryPressure() { setNeedsFrame() }
  }

  /// No frame came for a while: gives back memory that is held for the next ones, and has everybody who takes part in frames
  /// do so.
  ///
  /// To be called between frames; a loop does once it has rested for a while. What is on screen stays, and so do cells that
  /// wait: the first frame that comes finds all that it needs.
  public func releaseIdleResources() {
    resources.releaseIdleResources()
    // Last, as what it lets go of is given back to the system by threads of theirs.
    participantChain?.releaseIdleResources()
  }

  /// Gives an event to the views.
  ///
  /// - Returns: whether one used it; of touches, whether they were taken in.
  @discardableResult
  public func dispatch(_ event: InputEvent) -> Bool {
    lastEventInstant = max(lastEventInstant, event.time)
    if let grabber, event.kind.isUserInput, grabber.handle(event) {
      switch event.kind {
      case .pointerUp(_, let button, _) where capturedButton == button: pointerTarget = nil
      case .keyDown: (keyTarget, wasKeyHandled) = (grabber, true)
      default: break
      }
      return true
    }
    switch event.kind {
    case .pointerMoved(let point):
      let target = pointerTarget ?? root.hitTest(point)
      if pointerTarget == nil, target !== hoveredView {
        if let hoveredView { offerEvent(InputEvent(time: event.time, kind: .pointerLeft), to: hoveredView) }
        hoveredView = target
      }
      return offerEvent(event, to: target) != nil
    case .pointerDown(let point, let button, _, _):
      // Another button does not take the pointer from where one is held.
      if let pointerTarget, capturedButton != button {
        return offerEvent(event, to: pointerTarget) != nil
      }
      let user = offerEvent(event, to: root.hitTest(point))
      pointerTarget = attachedView(user)
      capturedButton = button
      return user != nil
    case .pointerUp(let point, let button, _):
      let user = offerEvent(event, to: pointerTarget ?? root.hitTest(point))
      if capturedButton == button { pointerTarget = nil }
      return user != nil
    case .pointerLeft:
      defer { hoveredView = nil }
      return offerEvent(event, to: hoveredView) != nil
    case .wheel(let wheel):
      return offerEvent(event, to: root.hitTest(wheel.location)) != nil
    case .keyDown:
      let user = offerEvent(event, to: firstResponder ?? root)
      // Who used it may be gone with the next line.
      wasKeyHandled = user != nil
      keyTarget = attachedView(user)
      return wasKeyHandled
    case .text:
      // A key that meant something does not type beside that, though it opened or closed what has the keys now.
      if wasKeyHandled { return keyTarget?.handle(event) ?? false }
      return offerEvent(event, to: firstResponder ?? root) != nil
    case .keyUp:
      wasKeyHandled = false
      // Whoever has the keys by now, it is let go where it went down.
      if let keyTarget, !isInResponderChain(keyTarget), keyTarget.handle(event) { return true }
      return offerEvent(event, to: firstResponder ?? root) != nil
    case .filesDropped:
      return offerEvent(event, to: firstResponder ?? root) != nil
    case .touch(let touch):
      handleTouch(touch, at: event.time)
      return true
    case .pan(let pan):
      return offerEvent(event, to: root.hitTest(pan.location)) != nil
    case .pinch(let pinch):
      return offerEvent(event, to: root.hitTest(pinch.location)) != nil
    case .exposed, .shown:
      setNeedsFrame()
    case .hidden:
      cancelInteractions(at: event.time)
      // Nobody says when the pointer left what cannot be seen.
      if let hoveredView { offerEvent(InputEvent(time: event.time, kind: .pointerLeft), to: hoveredView) }
      hoveredView = nil
    case .cancelled:
      cancelInteractions(at: event.time)
    case .resized, .displayChanged, .texturesLost, .quit:
      break
    }
    return false
  }

  /// Whether a view has the keys, or is above the one that has.
  private func isInResponderChain(_ view: View) -> Bool {
    var next: View? = firstResponder ?? root
    while let current = next, current !== view { next = current.superview }
    return next != nil
  }

  /// Offers an event to a view and then to those above it.
  ///
  /// - Returns: the view that used it.
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
