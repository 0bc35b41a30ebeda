/// The chapters for people, and for programs.
struct StoryText {
  let chapters: [StoryChapter]

  /// A table, a line a step.
  var table: String {
    let head = "step                                hitch ratio       longest   placeholders   decoded while drawing\n"
    let lines = chapters.map { chapter in
      let name = "\(chapter.step.rawValue)  \(chapter.step.title)"
      return name + String(repeating: " ", count: max(1, 33 - name.count))
        + column(chapter.hitchRatio, 1, " ms/s", width: 14) + column(chapter.longestHitch, 1, " ms", width: 14)
        + column(chapter.placeholderTime, 0, " ms", width: 15)
        + column(Double(chapter.decodedOnRenderThread), 0, "", width: 24) + "\n"
    }
    return head + lines.joined()
  }

  /// One JSON object, its steps in their order.
  var json: String {
    let steps = chapters.map { chapter in
      """
          {
            "step": \(chapter.step.rawValue),
            "ratioMsPerS": \(chapter.hitchRatio.map { number($0, 3) } ?? "null"),
            "longestHitchMs": \(chapter.longestHitch.map { number($0, 3) } ?? "null"),
            "placeholderCellMs": \(number(chapter.placeholderTime, 1)),
            "decodedOnRenderThread": \(chapter.decodedOnRenderThread)
          }
      """
    }
    return "{\n  \"steps\": [\n" + steps.joined(separator: ",\n") + "\n  ]\n}\n"
  }

  private func column(_ value: Double?, _ decimals: Int, _ unit: String, width: Int) -> String {
    let text =
      value.map { (decimals == 0 ? String(Int($0.rounded())) : number($0, decimals)) + unit } ?? "not measured"
    return String(repeating: " ", count: max(1, width - text.count)) + text
  }

  private func number(_ value: Double, _ decimals: Int) -> String {
    var factor = 1.0
    for _ in 0..<decimals { factor *= 10 }
    return String((value * factor).rounded() / factor)
  }
}
