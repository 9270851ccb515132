import { hex, type Rgb } from './color'

type FourColors = readonly [Rgb, Rgb, Rgb, Rgb]

/** Everything a scene needs to be lit and coloured as one picture. */
export type Palette = {
  readonly isNight: boolean
  /** From the zenith to the horizon. */
  readonly sky: FourColors
  readonly sun: Rgb
  /** What distance fades into. */
  readonly haze: Rgb
  /** What is nearest and darkest. */
  readonly near: Rgb
  readonly paper: Rgb
  readonly ink: Rgb
  /** Strong colours that stand beside each other. */
  readonly accents: FourColors
}

const four = (a: string, b: string, c: string, d: string): FourColors => [
  hex(a),
  hex(b),
  hex(c),
  hex(d),
]

type Draft = {
  readonly sky: FourColors
  readonly sun: string
  readonly haze: string
  readonly near: string
  readonly paper: string
  readonly ink: string
  readonly accents: FourColors
  readonly isNight?: boolean
}

const palette = (draft: Draft): Palette => ({
  isNight: draft.isNight ?? false,
  sky: draft.sky,
  sun: hex(draft.sun),
  haze: hex(draft.haze),
  near: hex(draft.near),
  paper: hex(draft.paper),
  ink: hex(draft.ink),
  accents: draft.accents,
})

export const palettes = {
  dawn: palette({
    sky: four('#5c7fae', '#9db4cf', '#f0c9b4', '#ffe3c2'),
    sun: '#fff0d0',
    haze: '#f3d3bd',
    near: '#22314a',
    paper: '#f6ede1',
    ink: '#26324a',
    accents: four('#e58f6f', '#f2c178', '#6c8fb5', '#33496b'),
  }),
  sunset: palette({
    sky: four('#2c2a5a', '#7f4379', '#e8735a', '#ffbe6b'),
    sun: '#ffd98a',
    haze: '#f08a5f',
    near: '#1d1230',
    paper: '#f8e6cf',
    ink: '#2d1b3a',
    accents: four('#e4572e', '#f3a712', '#a8326b', '#3b2c63'),
  }),
  day: palette({
    sky: four('#2f78b7', '#6aa9d8', '#b4d9ec', '#e9f3ee'),
    sun: '#fffbe6',
    haze: '#c4dde6',
    near: '#1d3b36',
    paper: '#f4f0e6',
    ink: '#1f3140',
    accents: four('#e2583e', '#f2b134', '#2f7f9e', '#1d4e5f'),
  }),
  ocean: palette({
    sky: four('#0f3d63', '#2b7599', '#77bfc4', '#d3ece0'),
    sun: '#fdf6d8',
    haze: '#8fcac9',
    near: '#062338',
    paper: '#eef4ee',
    ink: '#0b2d45',
    accents: four('#ff7f5c', '#f6d58a', '#18848f', '#0d4a6b'),
  }),
  forest: palette({
    sky: four('#4f7a6f', '#8fb19a', '#cfdcb8', '#f2eed0'),
    sun: '#fff5cf',
    haze: '#c3d3b3',
    near: '#0f241c',
    paper: '#f3f0e1',
    ink: '#163126',
    accents: four('#c8703c', '#d9b650', '#4e8a5b', '#1f5142'),
  }),
  night: palette({
    isNight: true,
    sky: four('#050a1c', '#0c1a3d', '#1c3566', '#3c5f8c'),
    sun: '#f1efe0',
    haze: '#2b4a78',
    near: '#03060f',
    paper: '#e9e6dd',
    ink: '#0b1531',
    accents: four('#f0c75e', '#e07a5f', '#3d7ea6', '#1b2f5b'),
  }),
  rose: palette({
    sky: four('#8a6a9c', '#c98fae', '#f2b9b8', '#fde2d6'),
    sun: '#fff1e2',
    haze: '#eebdbb',
    near: '#3a1f3d',
    paper: '#fbefe9',
    ink: '#43233f',
    accents: four('#d9486e', '#f29a8e', '#8d5a97', '#f5c7a9'),
  }),
  gold: palette({
    sky: four('#6d5a3f', '#b78a45', '#ecc06a', '#fff0bd'),
    sun: '#fff4cc',
    haze: '#e9c27b',
    near: '#2a1c10',
    paper: '#f8efdb',
    ink: '#33240f',
    accents: four('#c9782a', '#e8b04a', '#6b4a2b', '#20201c'),
  }),
  ice: palette({
    sky: four('#6f9cc0', '#a3c6dc', '#d5e7ee', '#f6fafa'),
    sun: '#ffffff',
    haze: '#d3e5ee',
    near: '#27465f',
    paper: '#f3f7f8',
    ink: '#23405a',
    accents: four('#3f8fb8', '#9fd0dc', '#1f5577', '#e9a6a0'),
  }),
  desert: palette({
    sky: four('#3f7ea6', '#8fb6bd', '#f0cfa0', '#fbe3b8'),
    sun: '#fff3cf',
    haze: '#eec597',
    near: '#5a2617',
    paper: '#f9ecd8',
    ink: '#4a2318',
    accents: four('#c8502d', '#e59a4f', '#8c3b2a', '#2f7f86'),
  }),
  neon: palette({
    isNight: true,
    sky: four('#0a0620', '#28105a', '#7a1f8f', '#ff4f9a'),
    sun: '#ffd1f2',
    haze: '#8a2d9c',
    near: '#07030f',
    paper: '#12091f',
    ink: '#0b0618',
    accents: four('#ff2e88', '#25e2e6', '#8b5bff', '#ffc93c'),
  }),
  autumn: palette({
    sky: four('#5d7c8d', '#a9b5a8', '#ecd3a0', '#f7e3b5'),
    sun: '#fff2cd',
    haze: '#e3bf8b',
    near: '#2e1a14',
    paper: '#f7ecd9',
    ink: '#3a2018',
    accents: four('#b8401f', '#e0892b', '#7a2f25', '#5d6b3a'),
  }),
  lavender: palette({
    sky: four('#3d3b72', '#7a72ad', '#c3aed3', '#f5d9dc'),
    sun: '#fff0ea',
    haze: '#b9a6cd',
    near: '#1c1838',
    paper: '#f3eef5',
    ink: '#2b2650',
    accents: four('#7a5fb0', '#e2a0b8', '#4a4a8c', '#f2cf8d'),
  }),
  mono: palette({
    sky: four('#4a4c50', '#8a8c8f', '#c9cac9', '#f0efec'),
    sun: '#ffffff',
    haze: '#c4c4c2',
    near: '#121314',
    paper: '#f2f0ec',
    ink: '#17181a',
    accents: four('#202224', '#6d6f71', '#a9aaa8', '#c23b2e'),
  }),
} as const satisfies Record<string, Palette>

export type PaletteName = keyof typeof palettes
