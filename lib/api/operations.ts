import type { z } from 'zod'
import type { ProblemCode } from './problem'
import { AttemptsQuery, LedgerQuery } from './query'
import type { SchemaName } from './schemas'

export type Answer = {
  readonly description: string
  /** Undefined: no body. `image`: the bytes of an image. `document`: this description. */
  readonly body?: SchemaName | 'image' | 'document'
  readonly headers?: Readonly<Record<string, string>>
}

export type DescribedOperation = {
  readonly path: string
  readonly method: 'get' | 'post'
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly open?: boolean
  readonly query?: z.ZodObject
  readonly headers?: Readonly<
    Record<
      string,
      { readonly required: boolean; readonly description: string; readonly uuid?: true }
    >
  >
  /** `image`: the bytes of an image. */
  readonly body?: SchemaName | 'image'
  readonly answers: Readonly<Record<number, Answer>>
  /** Besides those that every authenticated call may be answered with. */
  readonly problems: readonly ProblemCode[]
}

const ATTEMPT: Answer = { description: 'The attempt.', body: 'Attempt' }

/** Everything that programs can do. */
export const operations: readonly DescribedOperation[] = [
  {
    path: '/api/v1/attempts',
    method: 'post',
    operationId: 'startAttempt',
    summary: 'Start an attempt',
    description:
      'Records the attempt and reserves its price, or does neither. Send it again with the same ' +
      'Idempotency-Key as often as need be: it is the same attempt, made and charged at most once.',
    headers: {
      'Idempotency-Key': {
        required: true,
        uuid: true,
        description: 'The request id: a UUID that you make for this attempt before you send it.',
      },
    },
    body: 'NewAttempt',
    answers: {
      200: {
        ...ATTEMPT,
        description: 'The attempt that this Idempotency-Key started before, as it is now.',
        headers: { 'Idempotency-Replayed': 'Always `true`.' },
      },
      201: {
        ...ATTEMPT,
        description: 'The attempt was recorded and its price is reserved.',
        headers: { Location: 'Where to read it.' },
      },
    },
    problems: [
      'invalid_idempotency_key',
      'invalid_json',
      'insufficient_credits',
      'spending_limit',
      'body_too_large',
      'unsupported_media_type',
      'invalid_input',
      'request_id_reused',
    ],
  },
  {
    path: '/api/v1/attempts',
    method: 'get',
    operationId: 'listAttempts',
    summary: 'List attempts, newest first',
    query: AttemptsQuery,
    answers: { 200: { description: 'A page of attempts.', body: 'AttemptPage' } },
    problems: ['invalid_input'],
  },
  {
    path: '/api/v1/attempts/{id}',
    method: 'get',
    operationId: 'readAttempt',
    summary: 'Read an attempt',
    description: 'Ask again after `poll_after_ms`; null means that the answer is final.',
    answers: { 200: ATTEMPT },
    problems: ['not_found'],
  },
  {
    path: '/api/v1/attempts/{id}/image',
    method: 'get',
    operationId: 'readImage',
    summary: 'Fetch the image of a delivered attempt',
    headers: {
      'If-None-Match': { required: false, description: 'The ETag of the bytes that you have.' },
    },
    answers: {
      200: {
        description: 'The bytes as they were stored. They never change.',
        body: 'image',
        headers: { ETag: 'Strong: the SHA-256 of the bytes.' },
      },
      304: { description: 'You have these bytes.', headers: { ETag: 'The same.' } },
    },
    problems: ['not_found'],
  },
  {
    path: '/api/v1/attempts/{id}/cancel',
    method: 'post',
    operationId: 'cancelAttempt',
    summary: 'Cancel an attempt',
    description:
      'Before anything was sent it is cancelled with proof and its reservation is released. ' +
      'Afterwards the wish is passed on to the provider, where it takes such wishes: until it ' +
      'confirms, the image may still be delivered and charged.',
    answers: { 200: { description: 'What is known.', body: 'Cancellation' } },
    problems: ['not_found'],
  },
  {
    path: '/api/v1/reference-images',
    method: 'post',
    operationId: 'keepReferenceImage',
    summary: 'Upload an image that attempts can be made after',
    description:
      'The bytes of a PNG, JPEG or WebP file of up to 8 MiB. The answer names it by the SHA-256 of its ' +
      'bytes; the same image sent again is the same one.',
    body: 'image',
    answers: { 200: { description: 'The image is kept.', body: 'ReferenceImage' } },
    problems: ['body_too_large', 'unsupported_media_type', 'invalid_input'],
  },
  {
    path: '/api/v1/balance',
    method: 'get',
    operationId: 'readBalance',
    summary: 'Read the balance',
    description: '`granted = available + held + spent`, always.',
    answers: { 200: { description: 'The balance.', body: 'Balance' } },
    problems: [],
  },
  {
    path: '/api/v1/ledger',
    method: 'get',
    operationId: 'listLedgerEntries',
    summary: 'List ledger entries, newest first',
    query: LedgerQuery,
    answers: { 200: { description: 'A page of entries.', body: 'LedgerPage' } },
    problems: ['invalid_input'],
  },
  {
    path: '/api/v1/models',
    method: 'get',
    operationId: 'listModels',
    summary: 'List the models on offer',
    answers: { 200: { description: 'All of them.', body: 'ModelPage' } },
    problems: [],
  },
  {
    path: '/api/v1/openapi.json',
    method: 'get',
    operationId: 'readDescription',
    summary: 'Read this description',
    open: true,
    answers: { 200: { description: 'An OpenAPI 3.1 document.', body: 'document' } },
    problems: [],
  },
]
