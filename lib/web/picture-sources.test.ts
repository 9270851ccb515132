import { expect, test } from 'vitest'
import { pictureSources } from './picture-sources'

const url = '/api/attempts/1/image?v=2'
const frame = { wide: '16rem', narrow: '50vw' }

test('a picture on its own page is the copy for pages', () => {
  expect(pictureSources({ url, width: 1_024, height: 1_024 }, undefined)).toEqual({
    src: `${url}&size=view`,
  })
})

test('a picture that is small itself has no smaller copy', () => {
  expect(pictureSources({ url, width: 640, height: 480 }, frame)).toEqual({ src: url })
})

test.each([
  [1_024, 1_024, 640, '1'],
  [1_536, 1_024, 640, '1'],
  [1_024, 1_536, 427, '0.667'],
])(
  'of %i x %i the small copy is %i wide and fills %s of the frame',
  (width, height, small, part) => {
    expect(pictureSources({ url, width, height }, frame)).toEqual({
      src: `${url}&size=view`,
      srcSet: `${url}&size=thumb ${small}w, ${url}&size=view ${width}w`,
      sizes: `(min-width: 40rem) calc(16rem * ${part}), calc(50vw * ${part})`,
    })
  },
)

test('an address without a query gets one', () => {
  const sources = pictureSources({ url: '/image', width: 900, height: 900 }, frame)
  expect(sources.srcSet).toBe('/image?size=thumb 640w, /image?size=view 900w')
})

test('what is larger than the copy for pages is told as wide as the copy is', () => {
  const sources = pictureSources({ url: '/image', width: 2_048, height: 4_096 }, frame)
  expect(sources.srcSet).toBe('/image?size=thumb 320w, /image?size=view 1024w')
})
