import Testing
import VitrineScrollPhysics
import VitrineTestSupport

@Suite("ScrubberSurvey")
struct ScrubberSurveyTests {
  /// Consecutive months of random lengths, the latest first.
  private struct Months {
    let titles: [ScrubberTitle]
    let places: [Double]

    init(_ random: inout SeededGenerator, count: Int) {
      var month = Int.random(in: 24_000...24_400, using: &random)
      var titles: [ScrubberTitle] = []
      var starts = [0.0]
      for _ in 0..<count {
        titles.append(
          ScrubberTitle(name: "\(month % 12 + 1) \(month / 12)", label: "\(month % 12 + 1)", group: "\(month / 12)"))
        let length = Double(Int.random(in: 1...400, using: &random)) * (random.chance(oneIn: 9) ? 40 : 1)
        starts.append((starts.last ?? 0) + length)
        month -= random.chance(oneIn: 7) ? Int.random(in: 2...40, using: &random) : 1
      }
      // Months that start on the last screen have a position at or beyond the end.
      let end = max(1, (starts.last ?? 0) * Double.random(in: 0.7...1, using: &random))
      self.titles = titles
      places = starts.dropLast().map { $0 / end }
    }

    func marks(_ scale: ScrubberScale, step: Int = .max) -> [ScrubberMark] {
      var survey = ScrubberSurvey(count: titles.count, scale: scale)
      while !survey.isDone { survey.advance(atMost: step, position: { places[$0] }, title: { titles[$0] }) }
      return survey.marks
    }
  }

  private func scale(_ random: inout SeededGenerator) -> ScrubberScale {
    ScrubberScale(length: .random(in: 0...1_600, using: &random), markPitch: 6, labelPitch: 28)
  }

  @Test("Marks are at starts of months, marks and labels keep their pitches, and the first month is marked")
  func invariants() throws {
    var random = SeededGenerator(seed: 81)
    for _ in 0..<300 {
      let months = Months(&random, count: Int.random(in: 1...600, using: &random))
      let scale = scale(&random)
      let marks = months.marks(scale)
      guard scale.slots > 0 else {
        #expect(marks.isEmpty)
        continue
      }
      #expect(try #require(marks.first).segment == 0)
      for mark in marks {
        #expect(mark.position == min(1, months.places[mark.segment]))
        let title = months.titles[mark.segment]
        let before = mark.segment > 0 ? months.titles[mark.segment - 1] : nil
        #expect(mark.beginsGroup == (before?.group != title.group))
        #expect(mark.text == (mark.beginsGroup ? title.group : title.label))
      }
      for (first, second) in zip(marks, marks.dropFirst()) {
        #expect((second.position - first.position) * scale.length >= scale.markPitch)
      }
      let labels = marks.filter(\.isLabelled)
      for (first, second) in zip(labels, labels.dropFirst()) {
        #expect((second.position - first.position) * scale.length >= scale.labelPitch)
      }
    }
  }

  @Test("Each year that is far enough from all others has a label, and months have one where there is space")
  func groups() {
    var random = SeededGenerator(seed: 82)
    for _ in 0..<200 {
      let months = Months(&random, count: Int.random(in: 1...200, using: &random))
      let scale = ScrubberScale(length: .random(in: 200...1_600, using: &random), markPitch: 6, labelPitch: 28)
      let marks = months.marks(scale)
      let years = months.titles.indices.filter { $0 == 0 || months.titles[$0].group != months.titles[$0 - 1].group }
      for year in years where months.places[year] < 1 {
        let isFar = years.allSatisfy { other in
          other == year || (months.places[other] - months.places[year]).magnitude * scale.length >= scale.labelPitch
        }
        if isFar { #expect(marks.contains { $0.segment == year && $0.isLabelled }) }
      }
      // Each mark without a label is too near to one with a label.
      for mark in marks where !mark.isLabelled && !mark.beginsGroup {
        let isNear = marks.contains {
          $0.isLabelled && ($0.position - mark.position).magnitude * scale.length < scale.labelPitch
        }
        #expect(isNear)
      }
    }
  }

  @Test("Steps of any size produce the same marks")
  func steps() {
    var random = SeededGenerator(seed: 83)
    for _ in 0..<60 {
      let months = Months(&random, count: Int.random(in: 1...300, using: &random))
      let scale = scale(&random)
      #expect(months.marks(scale, step: Int.random(in: 1...9, using: &random)) == months.marks(scale))
    }
  }

  @Test("Ten million items take a number of queries that depends on the number of slots, not on the number of items")
  func cost() {
    let count = 10_000_000
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    var (places, titles) = (0, 0)
    var survey = ScrubberSurvey(count: count, scale: ScrubberScale(length: 700, markPitch: 6, labelPitch: 28))
    survey.advance(atMost: .max) { item in
      places += 1
      return Double(item) / Double(count)
    } title: { item in
      titles += 1
      let letter = String(letters[item * letters.count / count])
      return ScrubberTitle(name: letter, label: letter)
    }
    #expect(survey.isDone)
    #expect(survey.marks.map(\.text) == letters.map(String.init))
    for (index, mark) in survey.marks.enumerated() {
      #expect(mark.segment == (index * count + letters.count - 1) / letters.count)
    }
    // A binary search of ten million items takes 24 steps.
    #expect(places <= survey.scale.slots * 25 + letters.count)
    #expect(titles <= survey.scale.slots + letters.count * 26)
  }

  @Test("Unordered titles are marked at each start, and equal consecutive titles once")
  func unordered() {
    let names = ["b", "b", "a", "c", "c", "c", "a", "b"]
    var survey = ScrubberSurvey(count: names.count, scale: ScrubberScale(length: 800, markPitch: 10, labelPitch: 20))
    survey.advance(
      atMost: .max, position: { Double($0) / 8 }, title: { ScrubberTitle(name: names[$0], label: names[$0]) })
    #expect(survey.marks.map(\.text) == ["b", "a", "c", "a", "b"])
    #expect(survey.marks.map(\.segment) == [0, 2, 3, 6, 7])
  }

  @Test("Invalid numbers produce no mark outside the track, and the survey completes")
  func invalidNumbers() {
    var random = SeededGenerator(seed: 84)
    let numbers: [Double] = [.nan, .infinity, -.infinity, -1, 0, 1e300, 0.5]
    for _ in 0..<200 {
      let places = (0..<20).map { _ in numbers.randomElement(using: &random) ?? 0 }
      let scale = ScrubberScale(
        length: numbers.randomElement(using: &random) ?? 0, markPitch: numbers.randomElement(using: &random) ?? 0,
        labelPitch: numbers.randomElement(using: &random) ?? 0)
      var survey = ScrubberSurvey(count: 20, scale: scale)
      survey.advance(
        atMost: .max, position: { places[$0] }, title: { ScrubberTitle(name: "\($0)", label: "\($0)") })
      #expect(survey.isDone)
      #expect(survey.marks.allSatisfy { (0...1).contains($0.position) })
    }
    #expect(ScrubberSurvey(count: -3, scale: ScrubberScale(length: 100, markPitch: 1, labelPitch: 1)).isDone)
  }
}
