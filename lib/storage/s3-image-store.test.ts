import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { testImageStore } from '@/test/image-store-contract'
import { startS3Server, type S3Server } from '@/test/s3-server'
import { ImageConflictError } from './image-store'
import { createS3ImageStore } from './s3-image-store'

const first = Buffer.from('first')

describe('objects of a bucket', () => {
  testImageStore(async () => {
    const server = await startS3Server()
    return { images: createS3ImageStore(server.settings), end: server.close }
  })
})

describe('a store in trouble', () => {
  let server: S3Server
  beforeEach(async () => {
    server = await startS3Server()
  })
  afterEach(() => server.close())

  test.each([
    { when: 'before', status: 503 },
    { when: 'before', status: 'dropped' },
    { when: 'before', status: 409 },
    { when: 'after', status: 500 },
    { when: 'after', status: 'dropped' },
  ] as const)('a put that fails $when it was done ($status) is done once', async (fault) => {
    const images = createS3ImageStore(server.settings)
    server.faults.push(fault)
    await images.put('a.png', first)
    expect(await images.get('a.png')).toEqual(first)
    expect(server.objects.size).toBe(1)
  })

  test('a lost answer does not hide that another was first', async () => {
    const images = createS3ImageStore(server.settings)
    await images.put('a.png', first)
    server.faults.push({ when: 'after', status: 'dropped' })
    await expect(images.put('a.png', Buffer.from('other'))).rejects.toThrow(ImageConflictError)
    expect(await images.get('a.png')).toEqual(first)
  })

  test('one that stays away is an error after some tries, and never reads as an absent image', async () => {
    const images = createS3ImageStore(server.settings)
    server.faults.push(
      ...Array.from({ length: 30 }, () => ({ when: 'before', status: 500 }) as const),
    )
    await expect(images.get('a.png')).rejects.toThrow()
    await expect(images.put('a.png', first)).rejects.toThrow()
    await expect(images.check()).rejects.toThrow()
    expect(server.requests.length).toBeLessThan(20)
    expect(server.objects.size).toBe(0)
  })

  test.each([
    ['a bucket that is not there', { bucket: 'others' }],
    ['keys that are refused', { credentials: { accessKeyId: 'x', secretAccessKey: 'y' } }],
  ])('%s is an error, and no absent image', async (_, changed) => {
    const images = createS3ImageStore({ ...server.settings, ...changed })
    await expect(images.get('a.png')).rejects.toThrow()
    await expect(images.check()).rejects.toThrow()
  })

  test('one that replaces objects in spite of the condition is refused by the check', async () => {
    server.ignoreConditions()
    const images = createS3ImageStore(server.settings)
    await expect(images.check()).rejects.toThrow('If-None-Match')
    expect(server.objects.size).toBe(0)
  })

  test('bytes that changed where they lie are not given out', async () => {
    const images = createS3ImageStore(server.settings)
    await images.put('a.png', first)
    const stored = server.objects.get('a.png')
    server.objects.set('a.png', { bytes: Buffer.from('rot'), sha256: stored?.sha256 ?? '' })
    await expect(images.get('a.png')).rejects.toThrow('not what was stored')
  })
})
