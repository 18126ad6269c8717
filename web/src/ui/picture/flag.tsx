import type { ReactNode } from 'react'
import type { Language } from '@candela/protocol/language'

/** Five-pointed star of radius 1 around the origin, point up. */
const STAR = 'M0-1 .225-.309 .951-.309 .363.118 .588.809 0 .382-.588.809-.363.118-.951-.309-.225-.309z'

/** Small pictures beside the names of the languages; the names carry the meaning. */
export const Flag = ({ language }: { language: Language }) =>
  pictures[language] !== undefined && (
    <svg className="flag" width="30" height="20" viewBox="0 0 30 20" aria-hidden="true">
      {pictures[language]}
    </svg>
  )

/** A language without one here has its name alone. */
const pictures: Partial<Record<Language, ReactNode>> = {
  zh: (
    <>
      <path d="M0 0h30v20H0z" fill="#de2910" />
      <path d={STAR} fill="#ffde00" transform="translate(5 5) scale(3)" />
      {[
        [10, 2],
        [12, 4],
        [12, 7],
        [10, 9],
      ].map(([x, y]) => (
        <path key={`${x}-${y}`} d={STAR} fill="#ffde00" transform={`translate(${x} ${y})`} />
      ))}
    </>
  ),
  tw: (
    <>
      <path d="M0 0h30v20H0z" fill="#fe0000" />
      <path d="M0 0h15v10H0z" fill="#000095" />
      <circle cx="7.500" cy="5" r="3.600" fill="none" stroke="#fff" strokeWidth="1.300" strokeDasharray="1 .885" />
      <circle cx="7.500" cy="5" r="2.100" fill="#fff" />
    </>
  ),
  en: (
    <>
      <path d="M0 0h30v20H0z" fill="#012169" />
      <path d="m0 0 30 20M30 0 0 20" stroke="#fff" strokeWidth="4" />
      <path d="m0 0 30 20M30 0 0 20" stroke="#c8102e" strokeWidth="1.600" />
      <path d="M15 0v20M0 10h30" stroke="#fff" strokeWidth="6.600" />
      <path d="M15 0v20M0 10h30" stroke="#c8102e" strokeWidth="4" />
    </>
  ),
}
