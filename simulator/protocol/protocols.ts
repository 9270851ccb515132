import { createIdeogramProtocol } from './ideogram'
import { createOwnProtocol } from './own'
import type { Protocol, ProtocolDeps } from './protocol'
import { createReplicateProtocol } from './replicate'
import { createRunwareProtocol } from './runware'

/** Every protocol that is spoken. Another one is a file and a line. */
export const createProtocols = (deps: ProtocolDeps): readonly Protocol[] => [
  createIdeogramProtocol(deps),
  createOwnProtocol(deps),
  createReplicateProtocol(deps),
  createRunwareProtocol(deps),
]
