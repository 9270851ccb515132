/** To begin with, where nothing was made yet. Each shows another thing that words can ask for. */
export const promptIdeas = ['lighthouse', 'mountains', 'planet', 'fern'] as const
