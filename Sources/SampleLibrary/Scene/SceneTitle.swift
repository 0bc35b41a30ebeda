/// What a scene is called.
struct SceneTitle {
  let motif: Motif
  let mood: LightMood
  let season: Season

  /// A title such as "Autumn hills at dusk".
  func text(random: inout PaintRandom) -> String {
    let subject = random.pick(subjects)
    // What shows the light itself needs no word for it.
    return mood.isNight ? subject : "\(subject) \(light)"
  }

  private var subjects: [String] {
    switch motif {
    case .lake:
      switch season {
      case .spring: ["Mountain lake", "Meltwater lake", "Still water"]
      case .summer: ["Mountain lake", "Still water", "Alpine lake"]
      case .autumn: ["Larches by the lake", "Autumn lake", "Still water"]
      case .winter: ["Winter lake", "Cold water", "Snow by the lake"]
      }
    case .valley: ["High valley", "Mountain meadow", "Under the peaks"]
    case .ridges: ["Ridge behind ridge", "Far hills", "Wooded ridges", "Blue ridges"]
    case .fields:
      switch season {
      case .spring: ["Spring fields", "Green fields"]
      case .summer: ["Wheat fields", "Summer fields"]
      case .autumn: ["Ploughed fields", "Autumn fields"]
      case .winter: ["Winter fields"]
      }
    case .dunes: ["Dunes", "Sea of sand", "Sand and shadow"]
    case .mesas: ["Red rock", "Table mountains", "Canyon country"]
    case .volcano: ["The old volcano", "Quiet volcano", "The cone"]
    case .coast: ["Headlands", "Cliffs", "The coast path"]
    case .sea: ["Open sea", "The sea", "Long swell"]
    case .winterHills: ["Fresh snow", "Snowy hills", "Winter slope"]
    case .forest:
      switch season {
      case .winter: ["Winter wood", "Spruces in snow"]
      default: ["Spruce wood", "Fog in the wood", "Deep wood"]
      }
    case .rows:
      switch season {
      case .spring: ["Flower rows", "Spring rows"]
      case .summer: ["Long rows", "Summer rows"]
      case .autumn, .winter: ["Vineyard", "Autumn vines"]
      }
    case .loneTree:
      switch season {
      case .spring: ["Tree in blossom", "Spring tree"]
      case .summer: ["Lone tree", "The oak"]
      case .autumn: ["Autumn tree", "Lone tree"]
      case .winter: ["Bare tree", "Winter tree"]
      }
    case .meadow: ["Meadow in flower", "Tall grass", "Wild flowers"]
    case .stars: ["Milky Way over the mountains", "Night over the mountains", "A clear night"]
    case .aurora: ["Northern lights over the lake", "Aurora over still water"]
    case .moonrise: ["Moonrise over the sea", "Moonlight on the water"]
    case .fjord: ["Islands", "The fjord", "Quiet sound"]
    case .autumnHills: ["Autumn hills", "Autumn woods", "Colours of October"]
    case .clouds: ["Big sky", "Passing clouds", "Sky over the plain"]
    }
  }

  private var light: String {
    switch mood {
    case .dawnMist: "in morning mist"
    case .dawnRose: "at daybreak"
    case .morningClear: "in the morning"
    case .noonClear: "at noon"
    case .noonHaze: "in soft haze"
    case .overcast: "under grey skies"
    case .storm: "before the storm"
    case .afternoonWarm: "in the afternoon"
    case .goldenHour: "in golden light"
    case .sunsetAmber: "at sunset"
    case .sunsetCrimson: "in evening red"
    case .duskViolet: "at dusk"
    case .blueHour: "in the blue hour"
    case .moonlit: "by moonlight"
    case .starlit: "under the stars"
    }
  }
}
