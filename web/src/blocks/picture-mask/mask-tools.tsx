import { Eraser, SquareDashed, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field, useFieldProps } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { useText } from 'virtual:words/picture-mask'
import { fitArea, type Size } from './mask.ts'
import type { MaskState } from './use-mask.ts'

/** How thick the brush is, the way back, and a rectangle by its numbers. */
export function MaskTools({ size, mask }: { size: Size; mask: MaskState }) {
  const { brush, setBrush, area, setArea, add, undo, clear, marks } = mask
  const isEmpty = marks.length === 0
  const t = useText('picture-mask')
  return (
    <div className="flex flex-col gap-3">
      <Field label={t('brush')}>
        <Slider value={brush} onChange={setBrush} />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button size="small" icon={<Undo2 className="size-3.5" />} disabled={isEmpty} onClick={undo}>
          {t('undo')}
        </Button>
        <Button size="small" icon={<Eraser className="size-3.5" />} disabled={isEmpty} onClick={clear}>
          {t('clear')}
        </Button>
      </div>
      <fieldset>
        <legend className="text-sm font-medium">{t('area')}</legend>
        <p id="mask-keys" className="mt-0.5 mb-2 text-xs text-muted">
          {t('areaHint')}
        </p>
        <div className="grid grid-cols-2 gap-2">
          {(['x', 'y', 'width', 'height'] as const).map((name) => (
            <NumberField
              key={name}
              label={t(`side.${name}`)}
              value={area[name]}
              onChange={(value) => setArea(fitArea({ ...area, [name]: value }, size))}
            />
          ))}
        </div>
        <Button
          className="mt-2.5"
          size="small"
          icon={<SquareDashed className="size-3.5" />}
          onClick={() => add({ kind: 'area', area })}
        >
          {t('addArea')}
        </Button>
      </fieldset>
    </div>
  )
}

function Slider({ value, onChange }: { value: number; onChange: (value: number) => void }) {
  const field = useFieldProps()
  return (
    <input
      {...field}
      type="range"
      min={1}
      max={40}
      value={value}
      onChange={(event) => onChange(Number(event.target.value))}
      className="h-control w-full accent-accent"
    />
  )
}

/** What is typed stays as it is until the field is left: a number that is half typed is another one. */
function NumberField({ label, value, onChange }: { label: string; value: number; onChange: (value: number) => void }) {
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <Field label={label}>
      <Input
        type="number"
        min={0}
        value={typed ?? String(value)}
        onChange={(event) => {
          setTyped(event.target.value)
          if (event.target.value !== '') onChange(Number(event.target.value))
        }}
        onBlur={() => setTyped(null)}
      />
    </Field>
  )
}
