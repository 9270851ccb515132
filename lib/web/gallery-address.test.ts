import { expect, test } from 'vitest'
import { EVERYTHING, galleryShows } from '@/lib/domain/gallery'
import { galleryAddress, galleryQueryOf } from './gallery-address'

const parametersOf = (address: string) =>
  Object.fromEntries(new URL(address, 'http://localhost').searchParams)

test('every view has an address that asks for it again', () => {
  for (const show of galleryShows) {
    for (const order of ['newest', 'oldest'] as const) {
      for (const search of ['', 'red & fox', '100% 雪?#']) {
        const query = { show, search, order }
        expect(galleryQueryOf(parametersOf(galleryAddress(query)))).toEqual(query)
      }
    }
  }
})

test('everything has the plain address', () => {
  expect(galleryAddress(EVERYTHING)).toBe('/images')
})

test.each([
  [{ show: 'secret' }],
  [{ show: ['all', 'failed'] }],
  [{ order: 'random' }],
  [{ q: ['a', 'b'] }],
  [{ q: '   ' }],
  [{ cursor: 'x' }],
])('an address with %j asks for everything', (parameters) => {
  expect(galleryQueryOf(parameters)).toEqual(EVERYTHING)
})

test('a search is bounded, and whole characters', () => {
  const { search } = galleryQueryOf({ q: `${'x'.repeat(199)}😀` })
  expect(search.length).toBeLessThanOrEqual(200)
  expect(search.isWellFormed()).toBe(true)
})
