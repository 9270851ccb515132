import { paintNightSky } from './aurora'
import { paintBotanical } from './botanical'
import { paintCity } from './city'
import { paintDunes } from './dunes'
import { paintFlower } from './flower'
import { paintForest } from './forest'
import { paintGrowth } from './growth'
import { paintInk } from './ink'
import { paintMountains } from './mountains'
import { paintPines } from './pines'
import { paintPlanet } from './planet'
import { paintPoster } from './poster'
import type { Scene } from './scene'
import { paintSea } from './sea'
import { paintSilk } from './silk'

/** Every kind of picture the simulator knows. */
export const scenes = {
  mountains: paintMountains,
  sea: paintSea,
  'night-sky': paintNightSky,
  ink: paintInk,
  dunes: paintDunes,
  forest: paintPines,
  woods: paintForest,
  city: paintCity,
  planet: paintPlanet,
  growth: paintGrowth,
  silk: paintSilk,
  poster: paintPoster,
  botanical: paintBotanical,
  flower: paintFlower,
} as const satisfies Record<string, Scene>

export type SceneName = keyof typeof scenes
