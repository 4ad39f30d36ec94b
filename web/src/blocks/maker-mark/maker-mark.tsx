import type { Maker, Shape } from './makers.ts'

/** Outlines in a square of 24. */
const outlines: Readonly<Record<Shape, string>> = {
  circle: 'M12 1a11 11 0 0 1 0 22a11 11 0 0 1 0-22z',
  square: 'M6 1.5h12a4.5 4.5 0 0 1 4.5 4.5v12a4.5 4.5 0 0 1-4.5 4.5H6a4.5 4.5 0 0 1-4.5-4.5V6A4.5 4.5 0 0 1 6 1.5z',
  hexagon: 'M12 .8l9.8 5.6v11.2L12 23.2l-9.8-5.6V6.4z',
  octagon: 'M7.4 1h9.2L23 7.4v9.2L16.6 23H7.4L1 16.6V7.4z',
  shield: 'M12 1l10 3.2v8.3c0 5.2-4.1 8.8-10 10.7C6.1 21.3 2 17.7 2 12.5V4.2z',
  arch: 'M1.5 22.5V12a10.5 10.5 0 0 1 21 0v10.5z',
  leaf: 'M1.5 1.5H14a8.5 8.5 0 0 1 8.5 8.5v12.5H10A8.5 8.5 0 0 1 1.5 14z',
  drop: 'M22.5 1.5V12A10.5 10.5 0 1 1 12 1.5z',
}

/** The mark of a maker, in the colour of the text around it. It always stands beside a name, so it is not spoken. */
export function MakerMark({ maker, className = 'size-5' }: { maker: Maker; className?: string }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden className={`shrink-0 text-muted ${className}`} direction="ltr">
      <path
        d={outlines[maker.shape]}
        fill="currentColor"
        fillOpacity="0.1"
        stroke="currentColor"
        strokeOpacity="0.55"
        strokeLinejoin="round"
      />
      <text
        x="12"
        y="12.5"
        textAnchor="middle"
        dominantBaseline="central"
        fontSize="9.5"
        fontWeight="650"
        fill="currentColor"
      >
        {maker.letters}
      </text>
    </svg>
  )
}
