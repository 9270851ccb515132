import type { PaletteName } from './palettes'
import { createRandom } from './random'
import type { Traits } from './scenes/scene'
import type { SceneName } from './scenes/scenes'

export type Subject = {
  readonly scene: SceneName
  readonly palette: PaletteName
  readonly traits: Traits
}

type Choice<Value> = readonly [words: string, ...values: readonly [Value, ...Value[]]]

/** Which words ask for which picture. Where several fit, the one named first in the prompt wins. */
const sceneWords: readonly Choice<SceneName>[] = [
  [
    'mountain mountains peak peaks alps alpine hill hills hiking valley volcano ridge summit cliff canyon fjord glacier lake matterhorn',
    'mountains',
  ],
  [
    'sea ocean seascape wave waves beach coast shore boat ship sail sailing sailboat lighthouse island whale fish surf harbor harbour',
    'sea',
  ],
  ['aurora borealis stars starry milky constellation meteor comet campfire northern', 'night-sky'],
  ['ink marble fluid liquid smoke swirl swirling watercolor watercolour oil texture agate', 'ink'],
  ['desert dune dunes sand sahara camel oasis caravan egypt pyramid mars', 'dunes'],
  ['forest tree trees pine pines fir firs spruce taiga fox wolf deer bear owl', 'forest'],
  ['wood woods woodland jungle grove birch oak path trail mushroom fairy elf', 'woods'],
  [
    'city skyline town street building buildings skyscraper skyscrapers tower urban downtown cyberpunk tokyo york london paris robot car traffic office apartment metropolis',
    'city',
  ],
  [
    'planet planets space saturn jupiter earth world astronaut rocket cosmos cosmic galaxy universe sphere globe orb portrait face alien nebula',
    'planet',
  ],
  [
    'coral cell cells growth reef mosaic stained organic pebbles stone stones crystal biology microscope dragon scales',
    'growth',
  ],
  [
    'silk thread threads flow flowing wind music sound energy motion dance speed data network ribbon veil',
    'silk',
  ],
  [
    'poster bauhaus geometric geometry shapes mid-century midcentury retro minimalist minimal circles circle square pattern logo modern graphic vintage print',
    'poster',
  ],
  [
    'plant plants leaf leaves botanical fern herbs herb herbarium eucalyptus branch grass cat dog bird tea kitchen',
    'botanical',
  ],
  [
    'flower flowers floral rose roses dahlia bloom blossom blossoms bouquet garden petal petals peony tulip sunflower wedding butterfly bee',
    'flower',
  ],
  ['abstract abstraction', 'ink', 'silk', 'growth', 'poster'],
]

/** Heard only when nothing above is: they set a mood and name no place. */
const moodWords: readonly Choice<SceneName>[] = [
  ['night midnight', 'night-sky'],
  [
    'sky moon moonlight sun sunset sunrise dawn dusk clouds landscape horizon storm',
    'mountains',
    'sea',
    'dunes',
  ],
  ['water rain river', 'sea', 'ink'],
  [
    'paint painting dream dreamy art imagination feeling emotion idea love',
    'ink',
    'silk',
    'flower',
  ],
  ['light lights glow shine', 'silk', 'night-sky'],
  ['winter snow ice fog mist', 'mountains', 'forest'],
  ['autumn fall october', 'woods', 'mountains'],
  ['spring summer', 'flower', 'botanical', 'sea'],
]

/** Colours, hours and seasons say more about light than the names of things do. */
const colorWords: readonly Choice<PaletteName>[] = [
  ['dawn sunrise morning daybreak pastel soft spring', 'dawn'],
  ['sunset dusk evening golden-hour orange fire fiery lava flame', 'sunset'],
  ['day noon sunny bright summer sky blue', 'day'],
  ['teal turquoise aqua cyan underwater tropical', 'ocean'],
  ['green emerald moss jade lush', 'forest'],
  ['night midnight dark moonlit moonlight darkness starry', 'night'],
  ['rose pink blush romantic cherry sakura love', 'rose'],
  ['gold golden yellow amber honey brass sepia', 'gold'],
  ['ice icy winter snow snowy frost frozen cold arctic glacier white', 'ice'],
  ['terracotta rust clay dusty', 'desert'],
  ['neon cyberpunk synthwave vaporwave electric futuristic disco rave', 'neon'],
  ['autumn fall october harvest red crimson brown', 'autumn'],
  ['lavender purple violet lilac twilight mystic mystical magic magical', 'lavender'],
  ['mono monochrome black noir grey gray charcoal silver', 'mono'],
]

const thingColors: readonly Choice<PaletteName>[] = [
  ['sea ocean coral reef whale fish wave waves', 'ocean', 'day', 'sunset'],
  ['forest woods jungle fern plants leaves tree trees fir pine', 'forest', 'forest', 'dawn'],
  ['desert dune dunes sand sahara mars', 'desert', 'sunset', 'gold'],
  ['aurora stars galaxy space universe', 'night'],
]

const usualColors: Readonly<Record<SceneName, readonly [PaletteName, ...PaletteName[]]>> = {
  mountains: ['dawn', 'sunset', 'day', 'lavender', 'ice', 'forest', 'rose', 'autumn'],
  sea: ['sunset', 'ocean', 'day', 'dawn', 'night', 'rose', 'lavender'],
  'night-sky': ['night'],
  ink: ['ocean', 'rose', 'gold', 'sunset', 'lavender', 'desert', 'ice', 'forest'],
  dunes: ['desert', 'sunset', 'gold', 'dawn', 'rose', 'night'],
  forest: ['forest', 'dawn', 'sunset', 'ice', 'lavender'],
  woods: ['forest', 'autumn', 'dawn', 'gold', 'ice'],
  city: ['night', 'sunset', 'neon', 'lavender', 'dawn'],
  planet: ['ocean', 'gold', 'rose', 'lavender', 'desert', 'ice', 'sunset'],
  growth: ['ocean', 'lavender', 'rose', 'sunset', 'forest', 'autumn'],
  silk: ['neon', 'ocean', 'gold', 'sunset', 'lavender', 'rose'],
  poster: ['desert', 'sunset', 'ocean', 'forest', 'autumn', 'rose', 'day', 'lavender'],
  botanical: ['forest', 'desert', 'rose', 'autumn', 'gold', 'night', 'lavender'],
  flower: ['rose', 'sunset', 'lavender', 'gold', 'ocean', 'autumn', 'desert'],
}

// What the words leave open; the rarer scenes of the list are those that need a reason.
const anyScene: readonly [SceneName, ...SceneName[]] = [
  'mountains',
  'ink',
  'poster',
  'flower',
  'silk',
  'sea',
  'botanical',
  'dunes',
  'growth',
  'planet',
  'forest',
  'city',
]

function indexOf<Value>(choices: readonly Choice<Value>[]) {
  return new Map(
    choices.flatMap(([words, first, ...rest]) =>
      words.split(' ').map((word) => [word, [first, ...rest] as const] as const),
    ),
  )
}
const scenesByWord = indexOf(sceneWords)
const moodsByWord = indexOf(moodWords)
const colorsByWord = indexOf(colorWords)
const thingColorsByWord = indexOf(thingColors)

const traitWords: Readonly<Record<keyof Traits, ReadonlySet<string>>> = {
  water: new Set(
    'lake water reflection reflections river sea ocean bay harbor harbour fjord pond'.split(' '),
  ),
  mist: new Set('mist misty fog foggy haze hazy cloudy rain rainy morning'.split(' ')),
  snow: new Set('snow snowy winter ice icy frozen glacier alpine arctic'.split(' ')),
  calm: new Set('calm quiet still serene peaceful minimal minimalist gentle'.split(' ')),
}

export function wordsOf(text: string): readonly string[] {
  return text
    .replace(/#drill:\S+/gi, ' ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}-]+/u)
    .filter((word) => word !== '')
}

/** What a prompt asks for, as far as a drawing machine can tell: the same words, the same kind of picture. */
export function subjectOf(request: {
  readonly prompt: string
  readonly seed: number
  readonly style: string | undefined
}): Subject {
  const words = [...wordsOf(request.prompt), ...wordsOf(request.style ?? '')]
  const wording = createRandom(words.join(' '))
  const variation = createRandom(`${request.seed} ${words.join(' ')}`)
  const firstIn = <Value>(choices: ReadonlyMap<string, readonly [Value, ...Value[]]>) =>
    words.map((word) => choices.get(word)).find((values) => values !== undefined)

  // A style names a kind of picture outright, and so outweighs what the prompt is about.
  const styled = wordsOf(request.style ?? '').find((word) => scenesByWord.has(word))
  const asked = scenesByWord.get(styled ?? '') ?? firstIn(scenesByWord) ?? firstIn(moodsByWord)
  const scene = wording.pick(asked ?? anyScene)
  const colors = firstIn(colorsByWord) ?? firstIn(thingColorsByWord) ?? usualColors[scene]
  const has = (trait: keyof Traits) => words.some((word) => traitWords[trait].has(word))
  return {
    scene,
    palette: variation.pick(colors),
    traits: { water: has('water'), mist: has('mist'), snow: has('snow'), calm: has('calm') },
  }
}
