import { expect, test } from 'vitest'
import { csvCell, csvLine } from './csv'

test.each([
  ['plain', 'plain'],
  ['a, b', '"a, b"'],
  ['say "cheese"', '"say ""cheese"""'],
  ['two\nlines', '"two\nlines"'],
  ['=HYPERLINK("http://x")', `"'=HYPERLINK(""http://x"")"`],
  ['+1', `"'+1"`],
  ['-1', `"'-1"`],
  ['@SUM(1)', `"'@SUM(1)"`],
  ['\t=1', `"'\t=1"`],
  ['\r\n=1', `"'\r\n=1"`],
  ['＝1', `"'＝1"`],
  ['a=b', 'a=b'],
  ['', ''],
])('the text %j is the cell %s', (text, cell) => {
  expect(csvCell(text)).toBe(cell)
})

test('numbers stay numbers, also negative ones, and nothing is empty', () => {
  expect(csvLine([-5, 0, null, 'x'])).toBe('-5,0,,x\r\n')
})
