/// Why a frame was shown late, in numbers; words are made of them when somebody reads.
public enum HitchCause: Hashable, Sendable, CustomStringConvertible {
  /// A cell had to be prepared in the commit, after a refusal that explains it.
  case forced(SlackRefusal?)
  /// A cell had to be prepared in the commit, as nothing is prepared ahead.
  case unprepared
  /// The commit took so long, and no cell was prepared in it.
  case commit(FrameDuration)
  /// Input came before the frame was shown, and answering it took so long.
  case inputResampling(FrameDuration)
  /// A step of work ahead, taken after the last frame was presented, held this one up.
  case deferredStep(FrameDuration)
  /// Work ahead took so long.
  case workAhead(FrameDuration)
  /// Presenting took so long.
  case presenting(FrameDuration)
  /// The thread waited for a processor while this program's own workers ran.
  case ownWorkers(ProcessorContention)
  /// The system woke the loop so late.
  case lateWake(FrameDuration)
  /// Other programs ran for so long.
  case preempted(FrameDuration)
  /// The display's refresh changed.
  case refreshChanged
  /// The frame before was late, and left so much less than a frame takes.
  case previousFrame(left: FrameDuration)

  /// The cause in words.
  public var description: String {
    var words = StringTextWriter()
    write(to: &words)
    return words.text
  }

  /// Writes the cause in words.
  ///
  /// - Complexity: O(words); allocates what the writer does.
  public func write(to words: inout some TextWriter) {
    switch self {
    case .forced(let refusal?):
      words.write("forced prepare; ")
      refusal.write(to: &words)
    case .forced(nil): words.write("forced prepare; nothing was refused before, and there was not time enough")
    case .unprepared: words.write("forced prepare; nothing is prepared ahead")
    case .commit(let time):
      words.write("the commit took ")
      words.write(time)
      words.write("; no cell was prepared in it")
    case .inputResampling(let time):
      words.write("answering input just before presenting took ")
      words.write(time)
    case .deferredStep(let time):
      words.write("a step of work ahead held the frame up by ")
      words.write(time)
    case .workAhead(let time):
      words.write("work ahead took ")
      words.write(time)
    case .presenting(let time):
      words.write("presenting took ")
      words.write(time)
    case .ownWorkers(let contention):
      words.write("waited ")
      words.write(contention.waited)
      words.write(" for a processor; own workers ran ")
      words.write(contention.ownWork)
    case .lateWake(let time):
      words.write("woken ")
      words.write(time)
      words.write(" late")
    case .preempted(let time):
      words.write("others ran for ")
      words.write(time)
    case .refreshChanged: words.write("the refresh changed")
    case .previousFrame(let time):
      words.write("the frame before was late and left ")
      words.write(time)
    }
  }
}
