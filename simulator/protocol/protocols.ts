import { createBflProtocol } from './bfl'
import { createComfyRouterProtocol } from './comfy-router'
import { createComfyUiProtocol } from './comfyui'
import { createCompatibleProtocol } from './compatible'
import { createFalProtocol } from './fal'
import { createGeminiProtocol } from './gemini'
import { createIdeogramProtocol } from './ideogram'
import { createOpenAiProtocol } from './openai'
import { createOwnProtocol } from './own'
import type { Protocol, ProtocolDeps } from './protocol'
import { createReplicateProtocol } from './replicate'
import { createRunwareProtocol } from './runware'
import { createStabilityProtocol } from './stability'

/** Every protocol that is spoken. Another one is a file and a line. */
export const createProtocols = (deps: ProtocolDeps): readonly Protocol[] => [
  createBflProtocol(deps),
  createComfyRouterProtocol(deps),
  createComfyUiProtocol(deps),
  createCompatibleProtocol(deps),
  createFalProtocol(deps),
  createGeminiProtocol(deps),
  createIdeogramProtocol(deps),
  createOpenAiProtocol(deps),
  createOwnProtocol(deps),
  createReplicateProtocol(deps),
  createRunwareProtocol(deps),
  createStabilityProtocol(deps),
]
