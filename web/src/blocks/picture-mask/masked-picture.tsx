import { MaskStage } from './mask-stage.tsx'
import type { Size } from './mask.ts'
import type { MaskState } from './use-mask.ts'

/** A picture as large as there is room, and over it what is painted on it. */
export function MaskedPicture({
  src,
  alt,
  size,
  onSize,
  mask,
}: {
  src: string
  alt: string
  /** null until it is known. */
  size: Size | null
  onSize: (size: Size) => void
  mask: MaskState
}) {
  const ratio = size ? size.width / size.height : 1
  return (
    <div className="@container-[size] grid size-full place-items-center">
      <div className="relative" style={{ width: `min(100cqw, calc(100cqh * ${ratio}))`, aspectRatio: ratio }}>
        <img
          src={src}
          alt={alt}
          draggable={false}
          className="size-full"
          // As large as it is, which the mask has to be.
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            onSize({ width: naturalWidth, height: naturalHeight })
          }
        />
        {size && mask.isOn && (
          <MaskStage
            size={size}
            marks={mask.marks}
            thickness={mask.thickness}
            onMark={mask.add}
            onUndo={mask.undo}
            area={mask.area}
            onArea={mask.setArea}
          />
        )}
      </div>
    </div>
  )
}
