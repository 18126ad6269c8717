import { encode } from 'uqr'

const SVG = 'http://www.w3.org/2000/svg'

/** A QR code for `too-old.ts`, which has nothing of the app. Null for a text that is too long for one. */
function qrPicture(text: string, label: string): SVGElement | null {
  try {
    const { data, size } = encode(text, { border: 2 })
    const picture = document.createElementNS(SVG, 'svg') as SVGElement
    picture.setAttribute('viewBox', `0 0 ${size} ${size}`)
    picture.setAttribute('role', 'img')
    picture.setAttribute('aria-label', label)
    picture.style.cssText = 'display:block;width:200px;height:200px;margin:0 auto'
    const dark = document.createElementNS(SVG, 'path')
    dark.setAttribute('d', data.map((row, y) => row.map((on, x) => (on ? `M${x} ${y}h1v1h-1z` : '')).join('')).join(''))
    picture.appendChild(dark)
    return picture
  } catch {
    return null
  }
}

;(window as unknown as { candelaQr: typeof qrPicture }).candelaQr = qrPicture
