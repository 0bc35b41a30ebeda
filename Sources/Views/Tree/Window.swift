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
      cast = FrameCast.of(participants)
      castNumber += 1
    }
  }
  /// The participants, to be asked in every phase.
  private(set) var cast: FrameCast?
  /// Tells one cast from another.
  private(set) var castNumber = 0
  /// The view in which a button is held.
  weak var pointerCapture: View?
  /// The button that is held in it.
  private var capturingButton: PointerButton?
  /// The view that the pointer is over.
  weak var hovered: View?
  /// The view that used the key that went down last.
  weak var keyHolder: View?
  /// Whether that key was used, also where the view that did is gone.
  private var isKeyUsed = false
  /// The time of the newest event.
  private(set) var lastEvent = FrameInstant.zero
  /// A view that is offered every event of the user's before all others, while it is set.
  ///
  /// For what goes on wherever the pointer is, such as scrolling by how far it is from where a button was pressed.
  public weak var grabber: View?
  /// Which views fingers on the screen mean.
  var touches = TouchRouting()

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
    participant.takeScale(resources.scale)
    setNeedsFrame()
  }

  /// Adds an object to be asked in every phase, before all others.
  public func addFirstParticipant(_ participant: any FrameParticipant) {
    participants.insert(participant, at: 0)
    participant.takeScale(resources.scale)
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
    resources.fit(size)
    setNeedsFrame()
    onResize?()
  }

  /// The display has another scale: everything is painted and placed anew.
  func scaleChanged() {
    resources.scaleChanged()
    cast?.takeScale(resources.scale)
    setNeedsFrame()
  }

  /// Memory is short: everybody who takes part in frames lets go of what can be had again, and then what nobody shows goes.
  ///
  /// To be called between frames; a loop does where ``CommitLoop/isMemoryShort`` says so. What is on screen stays.
  public func handleMemoryPressure() {
    cast?.handleMemoryPressure()
    // The next present gives the memory back.
    if resources.handleMemoryPressure() { setNeedsFrame() }
  }

  /// No frame came for a while: gives back memory that is held for the next ones, and has everybody who takes part in frames
  /// do so.
  ///
  /// To be called between frames; a loop does once it has rested for a while. What is on screen stays, and so do cells that
  /// wait: the first frame that comes finds all that it needs.
  public func didComeToRest() {
    resources.didComeToRest()
    // Last, as what it lets go of is given back to the system by threads of theirs.
    cast?.didComeToRest()
  }

  /// Gives an event to the views.
  ///
  /// - Returns: whether one used it; of touches, whether they were taken in.
  @discardableResult
  public func dispatch(_ event: InputEvent) -> Bool {
    lastEvent = max(lastEvent, event.time)
    if let grabber, event.kind.isHands, grabber.handle(event) {
      switch event.kind {
      case .pointerUp(_, let button, _) where capturingButton == button: pointerCapture = nil
      case .keyDown: (keyHolder, isKeyUsed) = (grabber, true)
      default: break
      }
      return true
    }
    switch event.kind {
    case .pointerMoved(let point):
      let target = pointerCapture ?? root.hitTest(point)
      if pointerCapture == nil, target !== hovered {
        if let hovered { offer(InputEvent(time: event.time, kind: .pointerLeft), to: hovered) }
        hovered = target
      }
      return offer(event, to: target) != nil
    case .pointerDown(let point, let button, _, _):
      // Another button does not take the pointer from where one is held.
      if let pointerCapture, capturingButton != button {
        return offer(event, to: pointerCapture) != nil
      }
      let user = offer(event, to: root.hitTest(point))
      pointerCapture = shown(user)
      capturingButton = button
      return user != nil
    case .pointerUp(let point, let button, _):
      let user = offer(event, to: pointerCapture ?? root.hitTest(point))
      if capturingButton == button { pointerCapture = nil }
      return user != nil
    case .pointerLeft:
      defer { hovered = nil }
      return offer(event, to: hovered) != nil
    case .wheel(let wheel):
      return offer(event, to: root.hitTest(wheel.location)) != nil
    case .keyDown:
      let user = offer(event, to: firstResponder ?? root)
      // Who used it may be gone with the next line.
      isKeyUsed = user != nil
      keyHolder = shown(user)
      return isKeyUsed
    case .text:
      // A key that meant something does not type beside that, though it opened or closed what has the keys now.
      if isKeyUsed { return keyHolder?.handle(event) ?? false }
      return offer(event, to: firstResponder ?? root) != nil
    case .keyUp:
      isKeyUsed = false
      // Whoever has the keys by now, it is let go where it went down.
      if let keyHolder, !isAsked(keyHolder), keyHolder.handle(event) { return true }
      return offer(event, to: firstResponder ?? root) != nil
    case .filesDropped:
      return offer(event, to: firstResponder ?? root) != nil
    case .touch(let touch):
      handle(touch, at: event.time)
      return true
    case .pan(let pan):
      return offer(event, to: root.hitTest(pan.location)) != nil
    case .pinch(let pinch):
      return offer(event, to: root.hitTest(pinch.location)) != nil
    case .exposed, .shown:
      setNeedsFrame()
    case .hidden:
      cancelHands(at: event.time)
      // Nobody says when the pointer left what cannot be seen.
      if let hovered { offer(InputEvent(time: event.time, kind: .pointerLeft), to: hovered) }
      hovered = nil
    case .cancelled:
      cancelHands(at: event.time)
    case .resized, .displayChanged, .texturesLost, .quit:
      break
    }
    return false
  }

  /// Whether a view has the keys, or is above the one that has.
  private func isAsked(_ view: View) -> Bool {
    var next: View? = firstResponder ?? root
    while let current = next, current !== view { next = current.superview }
    return next != nil
  }

  /// Offers an event to a view and then to those above it.
  ///
  /// - Returns: the view that used it.
  @discardableResult
  func offer(_ event: InputEvent, to first: View?) -> View? {
    var view = first
    while let current = view {
      if current.handle(event) { return current }
      view = current.superview
    }
    return nil
  }
}
