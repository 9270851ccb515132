'use client'

import { useTranslations } from 'next-intl'
import type { ModelFacts, Size } from '@/lib/domain/model'
import { Choice } from './choice'

type SizePickerProps = {
  readonly model: ModelFacts
  readonly chosen: Size
  readonly onChoose: (size: Size) => void
}

// The longer side of the drawn shape. Its area differs a little from shape to shape, its form not.
const SHAPE_PX = 26

// Ratios by which people know a shape. A size counts as one when it is within a few per cent.
const KNOWN_RATIOS = [
  ['1:1', 1],
  ['3:2', 3 / 2],
  ['2:3', 2 / 3],
  ['16:9', 16 / 9],
  ['9:16', 9 / 16],
  ['4:3', 4 / 3],
  ['3:4', 3 / 4],
  ['5:4', 5 / 4],
  ['4:5', 4 / 5],
  ['2:1', 2],
  ['1:2', 1 / 2],
  ['21:9', 21 / 9],
  ['9:21', 9 / 21],
] as const
const RATIO_TOLERANCE = 0.04

function ratioName({ width, height }: Size): string {
  const ratio = width / height
  const off = (value: number) => Math.abs(ratio / value - 1)
  const [nearest] = [...KNOWN_RATIOS].sort(([, a], [, b]) => off(a) - off(b))
  return nearest && off(nearest[1]) < RATIO_TOLERANCE ? nearest[0] : `${ratio.toFixed(2)}:1`
}

/** The shapes that the model offers, drawn as shapes. */
export function SizePicker({ model, chosen, onChoose }: SizePickerProps) {
  const t = useTranslations('studio.shape')
  return (
    <fieldset>
      <legend className="mb-2 flex w-full items-baseline justify-between text-sm font-medium">
        {t('label')}
        <span className="font-mono text-xs font-normal text-muted tabular-nums">
          {chosen.width} × {chosen.height} px
        </span>
      </legend>
      <div className="grid grid-cols-5 gap-2">
        {model.sizes.map((size) => {
          const scale = SHAPE_PX / Math.max(size.width, size.height)
          return (
            <Choice
              key={`${size.width}x${size.height}`}
              name="size"
              value={`${size.width}x${size.height}`}
              isChosen={size.width === chosen.width && size.height === chosen.height}
              onChoose={() => onChoose({ width: size.width, height: size.height })}
              className="flex flex-col items-center gap-2 px-1 pt-3 pb-2"
            >
              <span aria-hidden="true" className="flex h-7 items-center">
                <span
                  className="block rounded-[2px] border-[1.5px] border-foreground bg-raised"
                  style={{ width: size.width * scale, height: size.height * scale }}
                />
              </span>
              <span className="font-mono text-xs tabular-nums">{ratioName(size)}</span>
              <span className="sr-only">
                {t('pixels', { width: String(size.width), height: String(size.height) })}
              </span>
            </Choice>
          )
        })}
      </div>
    </fieldset>
  )
}
