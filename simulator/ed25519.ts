import { createHmac, createPrivateKey, createPublicKey, sign, type JsonWebKey } from 'node:crypto'

// RFC 8410, 7: what stands before the 32 bytes of an Ed25519 key in PKCS 8.
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

/** A protocol's key pair, made from the one secret: the same in every process that has it. */
export function ed25519Of(secret: string, protocol: string) {
  const seed = createHmac('sha256', secret).update(`ed25519:${protocol}`).digest()
  const privateKey = createPrivateKey({
    key: Buffer.concat([PKCS8_HEAD, seed]),
    format: 'der',
    type: 'pkcs8',
  })
  const jwk: JsonWebKey = createPublicKey(privateKey).export({ format: 'jwk' })
  return {
    /** The public half, as it is published (RFC 8037). */
    jwk: { ...jwk, kid: `${protocol}-1`, use: 'sig', alg: 'EdDSA' },
    kid: `${protocol}-1`,
    sign: (message: string) => sign(null, Buffer.from(message, 'utf8'), privateKey),
  }
}
