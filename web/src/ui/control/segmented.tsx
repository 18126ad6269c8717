import { type AssetCode, assetCodes } from '@candela/protocol/assets'
import { useId } from 'react'
import './segmented.css'

type Props = {
  label: string
  value: AssetCode
  onChange: (asset: AssetCode) => void
  assets?: readonly AssetCode[]
}

/** One of a few assets, all in view. */
export function AssetChoice({ label, value, onChange, assets = assetCodes }: Props) {
  const name = useId()
  return (
    <fieldset className="asset-choice">
      <legend>{label}</legend>
      <div>
        {assets.map((asset) => (
          <label key={asset}>
            <input type="radio" name={name} checked={asset === value} onChange={() => onChange(asset)} />
            <span>{asset}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
