import { type ReactNode, useEffect, useRef, useState } from 'react'
import { createPictureLoader, type PictureState } from './picture-loader.ts'
import './outside-picture.css'

let shared: ReturnType<typeof createPictureLoader> | undefined

/** One for the page, which begins to listen with the first picture. */
function pictures() {
  if (shared !== undefined) return shared
  const created = createPictureLoader({
    load: (url) =>
      new Promise((resolve, reject) => {
        const image = new Image()
        // The other server learns that somebody looks, and not from where.
        image.referrerPolicy = 'no-referrer'
        image.addEventListener('load', () => resolve())
        image.addEventListener('error', () => reject(new Error(`No picture at ${url}`)))
        image.src = url
      }),
    screenHeight: () => window.innerHeight,
    schedule: (act, after_ms) => void setTimeout(act, after_ms),
  })
  for (const event of ['scroll', 'resize', 'transitionend', 'animationend'] as const)
    window.addEventListener(event, created.moved, { passive: true, capture: true })
  shared = created
  return created
}

type Props = {
  url: string
  width: number
  height: number
  /** The content that is shown until it is there, and where it does not come. */
  instead: ReactNode
}

/** A picture that is not ours: decorative, loaded when it comes near the screen, and never in the way when it does not load. */
export function OutsidePicture({ url, width, height, instead }: Props) {
  const place = useRef<HTMLSpanElement>(null)
  const [known, setKnown] = useState<{ url: string; state: PictureState }>({ url, state: 'waiting' })
  useEffect(
    () =>
      pictures().watch({
        url,
        top: () => place.current?.getBoundingClientRect().top ?? Infinity,
        tell: (state) => setKnown({ url, state }),
      }),
    [url],
  )
  const isLoaded = known.url === url && known.state === 'loaded'
  return (
    <span ref={place} className="outside-picture" data-picture={known.url === url ? known.state : 'waiting'}>
      {isLoaded ? <img src={url} alt="" width={width} height={height} referrerPolicy="no-referrer" /> : instead}
    </span>
  )
}
