import CollectionEngine
import CollectionLayout
import struct FoundationEssentials.IndexPath
import Geometry
import ScrollPhysics
import Views

extension CollectionView {
  /// Whether changes are shown at once, without motion, for those whom motion disturbs.
  ///
  /// What moves when this is set stands at its place from then on. Content that wheels, keys and the program bring to a
  /// place is there at once too, and none goes beyond its ends; what a hand moves follows it, and runs on.
  public final var reducesMotion: Bool {
    get { motion.isReduced }
    set {
      motion.isReduced = newValue
      indicator.reducesMotion = newValue
      scrollTuning.reducesMotion = newValue
      if newValue { whenReady { self.endMotion() } }
    }
  }

  /// Whether items, or views beside them, are on their way to their places.
  ///
  /// The model is final at once: what the view tells of items is where they are in the end.
  public final var isInMotion: Bool { motion.isRunning }

  /// Elements around the screen whose places are noted before an update, at most.
  private static var mostNeighbours: Int { 2_000 }

  // MARK: Beginning

  /// Whether changes can be shown on their way.
  private var mayMove: Bool { runsFrames && !motion.isReduced && !bounds.isEmpty }

  /// Notes what is shown, before changes that are to be animated; the coming frame begins to show their way.
  ///
  /// Where no frames are made and where motion is reduced nothing is animated, and what moves is at its place.
  final func beginMotion() {
    // Not in the middle of an update, nor of a call for a cell that is leaving, as it tells of what left.
    guard mayMove else { return whenReady { self.endMotion() } }
    guard motion.transaction == nil else { return }
    var transaction = UpdateTransaction(viewport: visibleRect)
    for entry in motion.leaving {
      transaction.note(.leaving(entry.number), at: entry.place, isSeen: true, opacity: entry.opacity)
    }
    for (index, _) in displayed.entries where index < itemCount {
      transaction.note(.item(index), at: solution.frame(ofItem: index), isSeen: true)
    }
    for place in 0..<elements.count where elements.view(at: place) != nil {
      let element = elements.attributes[place]
      transaction.note(
        .element(element.identity), at: shownFrame(ofElementAt: place), isSeen: true, isPinned: element.isPinned)
    }
    noteNeighbours(in: &transaction)
    motion.transaction = transaction
    motion.origin = { $0 }
    motion.isMoved = { _ in false }
    motion.firstSeen = displayed.entries.first.map { indexPath(at: $0.index) }
    setNeedsDisplay()
  }

  /// Notes what is a viewport away at most: from farther nothing is seen to come.
  private func noteNeighbours(in transaction: inout UpdateTransaction) {
    let screen = visibleRect
    let around = Rect(
      x: screen.minX - screen.width, y: screen.minY - screen.height, width: 3 * screen.width,
      height: 3 * screen.height)
    var count = 0
    solution.visitItems(in: around) { run in
      for index in run where count < CollectionView.mostNeighbours {
        count += 1
        transaction.note(.item(index), at: solution.frame(ofItem: index), isSeen: false)
      }
    }
    var neighbours: [ElementAttributes] = []
    solution.appendElements(in: around, to: &neighbours)
    for element in neighbours { transaction.note(.element(element.identity), at: element.frame, isSeen: false) }
  }

  /// Items and sections have other numbers, or are gone; to be called before the layout knows.
  ///
  /// - Parameters:
  ///   - update: the numbers.
  ///   - gone: cells whose items are gone, by their old numbers.
  /// - Returns: those of them whose display ends at once.
  final func renumberMotion(
    _ update: ViewUpdate, gone: [DisplayedCells<CollectionViewCell>.Entry]
  ) -> [DisplayedCells<CollectionViewCell>.Entry] {
    guard motion.isRunning else { return gone }
    var names: [Int: MovingElement] = [:]
    if motion.transaction != nil {
      for (index, cell) in gone {
        cell.itemIndex = nil
        let end = LeavingView.End.pools(path: indexPath(at: index), item: nil)
        let carried = interaction.movement?.item == index ? carriedFrame : nil
        if carried != nil { motion.motions.forget(.item(index)) }
        motion.transaction?.correct(.item(index), to: carried ?? cell.frame)
        names[index] = motion.keep(cell, end, at: carried ?? cell.frame, opacity: 0)
      }
    }
    let newName: (MovingElement) -> MovingElement? = { element in
      switch element {
      case .item(let old): update.newIndex(self.indexPath(at: old)).map(MovingElement.item) ?? names[old]
      case .element(let identity): update.newIdentity(of: identity).map(MovingElement.element)
      case .leaving: element
      }
    }
    motion.transaction?.rename(newName)
    motion.motions.rename(newName)
    for place in motion.leaving.indices { renumber(&motion.leaving[place], update) }
    return motion.transaction == nil ? gone : []
  }

  private func renumber(_ entry: inout LeavingView, _ update: ViewUpdate) {
    switch entry.end {
    case .waits(let item):
      let path = indexPath(at: item)
      if let new = update.newIndex(path) {
        entry.end = .waits(item: new)
      } else {
        entry.end = .pools(path: path, item: nil)
        entry.opacity = 0
      }
      (entry.view as? CollectionViewCell)?.itemIndex = entry.waitingItem
    case .pools(let path, let item?): entry.end = .pools(path: path, item: update.newIndex(indexPath(at: item)))
    case .element(let identity?): entry.end = .element(update.newIdentity(of: identity))
    default: break
    }
  }

  /// Notes which items went elsewhere, once the layout has their new numbers.
  final func noteMoves(_ update: ViewUpdate) {
    guard motion.transaction != nil else { return }
    let earlier = motion.origin
    motion.origin = { path in update.origin(path).flatMap(earlier) }
    if update.moveCount > UpdateTransaction.mostMoves { motion.transaction?.isLarge = true }
    motion.isMoved = update.moveCount > 0 ? update.isMoved : { _ in false }
    // Now, as another update may give them other numbers; those that come on screen by then are noted when all do.
    noteMoved()
  }

  private func noteMoved() {
    for (index, _) in displayed.entries where motion.isMoved(indexPath(at: index)) {
      motion.transaction?.noteMove(of: .item(index))
    }
  }

  /// The content's coordinates moved with the anchor.
  final func shiftMotion(by vector: Point) {
    guard vector != .zero, motion.isRunning else { return }
    motion.transaction?.shift(by: vector)
    for place in motion.leaving.indices {
      motion.leaving[place].place = motion.leaving[place].place.offset(by: vector)
    }
  }

  // MARK: Frames

  /// Phase 5 of a frame in which nothing else changed: what moves is where it is by now.
  final func showMotion() {
    guard motion.isRunning || interaction.movement != nil else { return }
    exclusively {
      advanceMotion()
      adjustVisibleItems()
    }
  }

  /// Phase 5, when all that is on screen is there: what was changed sets out, and what has arrived stands.
  final func advanceMotion() {
    if motion.transaction != nil { noteMoved() }
    if let transaction = motion.transaction {
      motion.transaction = nil
      send(transaction)
    }
    if motion.motions.hasEnded(by: lastInstant) { endMotion() }
  }

  private func send(_ transaction: UpdateTransaction) {
    let shown = motion.motions.displacements(at: lastInstant)
    let transitions = transaction.transitions(
      in: visibleRect, current: shown, target: { self.target(of: $0) }, arrivals: arrivals(in: transaction),
      axis: scrollAxis)
    var sent = transitions
    for transition in transitions {
      if case .leaving(let number) = transition.element,
        let place = motion.leaving.firstIndex(where: { $0.number == number })
      {
        motion.leaving[place].place = transition.place
        motion.leaving[place].opacity = transition.opacity
      }
      // What is in a hand is nowhere else.
      let isCarried = interaction.carriedItem.map { transition.element == .item($0) } ?? false
      if let frame = transition.fadingCopy, !isCarried, let view = view(of: transition.element) {
        let copy = motion.keep(view, .copy(generation: view.generation), at: frame, opacity: 0)
        sent.append(
          ElementTransition(
            element: copy, place: frame, opacity: 0, start: Displacement(opacity: 1), level: .leaving))
      }
    }
    motion.motions.send(sent, at: lastInstant)
    endLeaving(motion.takeGone())
    if !motion.motions.isRunning { endMotion() }
  }

  /// What came on screen of which nobody knows where it was.
  private func arrivals(in transaction: UpdateTransaction) -> [UpdateTransaction.Arrival] {
    var arrivals: [UpdateTransaction.Arrival] = []
    for (index, _) in displayed.entries where !transaction.knows(.item(index)) {
      var origin = ElementOrigin.new
      if let path = motion.origin(indexPath(at: index)) {
        origin = motion.firstSeen.map { path < $0 ? .before : .behind } ?? .new
      }
      arrivals.append((.item(index), solution.frame(ofItem: index), origin))
    }
    for element in elements.attributes where !transaction.knows(.element(element.identity)) {
      arrivals.append((.element(element.identity), element.frame, .new))
    }
    return arrivals
  }

  /// Where an element belongs now.
  private func target(of element: MovingElement) -> UpdateTransaction.Target? {
    switch element {
    case .item(let index):
      guard index < itemCount else { return nil }
      return UpdateTransaction.Target(solution.frame(ofItem: index), isSeen: displayed[index] != nil)
    case .element(let identity):
      let place = elements.place(of: identity)
      let attributes = place.map { elements.attributes[$0] } ?? solution.attributes(of: identity, in: visibleRect)
      return attributes.map {
        UpdateTransaction.Target($0.frame, isSeen: place != nil, isPinned: $0.isPinned)
      }
    case .leaving(let number):
      guard let entry = motion.leaving.first(where: { $0.number == number }) else { return nil }
      switch entry.end {
      case .waits(let item), .pools(_, let item?):
        return UpdateTransaction.Target(solution.frame(ofItem: item), isSeen: false, opacity: entry.opacity)
      case .element(let identity?):
        if let attributes = solution.attributes(of: identity, in: visibleRect) {
          return UpdateTransaction.Target(attributes.frame, isSeen: false, isPinned: attributes.isPinned)
        }
        return UpdateTransaction.Target(entry.place, isSeen: false, opacity: 0)
      default: return UpdateTransaction.Target(entry.place, isSeen: false, opacity: entry.opacity)
      }
    }
  }

  private func view(of element: MovingElement) -> CollectionReusableView? {
    switch element {
    case .item(let index): displayed[index]
    case .element(let identity): elements.place(of: identity).flatMap { elements.view(at: $0) }
    case .leaving: nil
    }
  }
}
