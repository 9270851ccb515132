import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createS3ImageStore } from '@/lib/storage/s3-image-store'
import { testImageStore } from '@/test/image-store-contract'
import { startCeph, type Ceph } from './ceph'

let ceph: Ceph
beforeAll(async () => {
  ceph = await startCeph()
}, 400_000)
afterAll(() => ceph.stop())

describe('objects of a Ceph', () => {
  testImageStore(() =>
    Promise.resolve({
      images: createS3ImageStore(ceph.settings),
      end: () => Promise.resolve(),
    }),
  )
})

test('a gateway that is away is an error, and what was stored is there when it is back', async () => {
  const images = createS3ImageStore(ceph.settings)
  const first = Buffer.from('first')
  await images.put('away/a.png', first)
  await ceph.killGateway()
  await expect(images.get('away/a.png')).rejects.toThrow()
  await expect(images.put('away/b.png', first)).rejects.toThrow()
  await expect(images.check()).rejects.toThrow()
  await ceph.startGateway()
  expect(await images.get('away/a.png')).toEqual(first)
  expect(await images.get('away/b.png')).toBeUndefined()
  await images.put('away/b.png', first)
})

test('a wrong key and a wrong bucket are errors, and no absent images', async () => {
  const wrong = { accessKeyId: 'darkroom', secretAccessKey: 'another' }
  for (const changed of [{ credentials: wrong }, { bucket: 'another-bucket' }]) {
    const images = createS3ImageStore({ ...ceph.settings, ...changed })
    await expect(images.get('a.png')).rejects.toThrow()
    await expect(images.check()).rejects.toThrow()
  }
})
