extension StageSet {
  /// Builds the scene.
  mutating func stage() -> Stage {
    switch scene.motif {
    case .lake: lake()
    case .valley: valley()
    case .ridges: ridges()
    case .volcano: volcano()
    case .fields: fields()
    case .dunes: dunes()
    case .mesas: mesas()
    case .coast: coast()
    case .sea: sea()
    case .fjord: fjord()
    case .stars: stars()
    case .aurora: aurora()
    case .moonrise: sea()
    case .winterHills: winterHills()
    case .autumnHills: autumnHills()
    case .loneTree: loneTree()
    case .meadow: meadow()
    case .forest: forest()
    case .clouds: cloudscape()
    case .rows: rows()

    }
  }
}
