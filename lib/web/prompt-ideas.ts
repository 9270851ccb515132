/** To begin with, where nothing was made yet. Each shows another thing that words can ask for. */
export const promptIdeas: readonly string[] = [
  'A lighthouse in fog, seen from the sea at dusk',
  'Mountains at first light above a frozen lake, long exposure',
  'A ringed planet over a red desert, poster in three colours',
  'A fern and a single white flower, ink drawing on rough paper',
]
