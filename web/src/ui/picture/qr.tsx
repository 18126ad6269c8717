import { useId } from 'react'
import { encode } from 'uqr'
import './qr.css'

/** A QR code, dark on white in every theme, with the empty border that scanners need. */
export function QrPicture({ text, label }: { text: string; label: string }) {
  const titleId = useId()
  const { data, size } = encode(text, { border: 2 })
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg className="qr" viewBox={`0 0 ${size} ${size}`} aria-labelledby={titleId} shapeRendering="crispEdges">
      <title id={titleId}>{label}</title>
      <path d={`M0 0h${size}v${size}H0z`} fill="#fff" />
      <path d={path} fill="#17140f" />
    </svg>
  )
}
