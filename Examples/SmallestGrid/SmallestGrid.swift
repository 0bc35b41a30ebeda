import VitrineDeclarative

/// A window with a grid of a million numbers.
@main
struct SmallestGrid: CollectionProgram {
  let title = "A million numbers"

  var content: some CollectionContent {
    Grid(1...1_000_000, id: \.self, columns: .minimumWidth(120), spacing: 2) { number in
      TextContentConfiguration(String(number), style: TextStyle(size: 20, weight: .semibold))
    }
  }
}
